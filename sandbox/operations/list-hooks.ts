import { toTimestamp } from '../clock';
import type { HookQuery } from '../hooks/hook-list';
import type { Answer, Call, Service } from '../state';

const DEFAULT_LIMIT = 30;

/** docs/api.md section 4.5. */
export function listHooks({ clock, hooks }: Service, call: Call): Answer {
	const query = call.query as HookQuery;
	hooks.catchUp(clock.now());
	const videos = hooks.find(query).slice(0, query.limit ?? DEFAULT_LIMIT);
	return {
		status: 200,
		body: {
			data: videos.map(({ observed_at, ...fields }) => ({
				...fields,
				observed_at: observed_at === null ? null : toTimestamp(observed_at),
			})),
			refreshed_at: toTimestamp(hooks.refreshedAt),
		},
	};
}
