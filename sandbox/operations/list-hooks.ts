import { success, type Answer } from '../answer';
import type { HookSort } from '../hooks/catalogue';
import type { HookCategory } from '../market/categories';
import type { Call, Service } from '../service-state';
import { timestamp } from '../write-timestamp';

const DEFAULT_LIMIT = 30;

/** What the OpenAPI document lets through. */
interface ListHooksQuery {
	category?: HookCategory;
	sort?: HookSort;
	q?: string;
	limit?: number;
}

/** docs/api.md section 4.5. */
export function answerListHooks({ clock, hooks, hooksUse, switches }: Service, call: Call): Answer {
	const { category, sort = 'score', q = '', limit = DEFAULT_LIMIT } = call.query as ListHooksQuery;
	hooksUse.count(clock.now(), call.key.workspace.id);
	hooks.refreshUntil(clock.now());
	const videos = hooks.find({ category, sort, q });
	const time = (ms: number) => timestamp(ms, switches.timestamps);
	return success({
		data: videos.slice(0, limit).map((video) => ({
			id: video.id,
			category: video.category,
			video_id: video.videoId,
			video_url: video.videoUrl,
			hook: video.hook,
			angle: video.angle,
			why_it_works: video.whyItWorks,
			evidence: video.evidence,
			views: video.views,
			units_sold: video.unitsSold,
			gmv_usd: video.gmvUsd,
			metric_window_days: video.metricWindowDays,
			is_ad: video.isAd,
			observed_at: video.observedAt === null ? null : time(video.observedAt),
		})),
		refreshed_at: switches.refreshedAt === 'null' ? null : time(hooks.refreshedAt),
	});
}
