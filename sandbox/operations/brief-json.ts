import { getProgress, type StoredBrief } from '../briefs/brief';
import { toTimestamp } from '../clock';
import { notFound } from '../refusals';
import type { Answer, Call, Service } from '../state';
import type { WrittenBrief } from '../writing/types';
import { writeBrief } from '../writing/write-brief';

/** Returns a brief as the list shows it (docs/api.md section 2.2). */
export function toSummary({ clock, seed }: Service, brief: StoredBrief) {
	const { status, since, hasEnded } = getProgress(brief, clock.now());
	return {
		id: brief.id,
		status,
		product_name: brief.input.product_name,
		title: status === 'ready' ? getText(brief, seed).title : null,
		created_at: toTimestamp(brief.createdAt),
		updated_at: toTimestamp(since),
		finished_at: hasEnded ? toTimestamp(since) : null,
		url: `https://app.creator-briefing.dev/briefs/${brief.id}`,
	};
}

/** Returns a brief as create_brief and get_brief show it (docs/api.md section 2.2). */
export function toFullBrief(service: Service, brief: StoredBrief) {
	const summary = toSummary(service, brief);
	const text = summary.status === 'ready' ? getText(brief, service.seed) : undefined;
	return {
		...summary,
		input: service.options.inputShape === 'empty' ? {} : brief.input,
		markdown: text?.markdown ?? null,
		document: text?.document ?? null,
		sources: text?.sources ?? [],
		warnings: text?.warnings ?? [],
		error_code: summary.status === 'failed' ? brief.plan.errorCode : null,
		revision: 1,
	};
}

function getText(brief: StoredBrief, seed: Service['seed']): WrittenBrief {
	brief.text ??= writeBrief(brief.input, brief.id, seed);
	return brief.text;
}

/** docs/api.md section 4.4: a brief of another workspace does not exist for the key. */
export function getBrief(service: Service, { key, path }: Call): Answer {
	const brief = service.briefs.find(String(path['id']));
	if (brief?.workspace !== key.workspace) throw notFound('brief');
	return { status: 200, body: toFullBrief(service, brief), briefId: brief.id };
}
