import type { Switches } from '../switches';
import type { Seed } from '../random';
import { timestamp } from '../write-timestamp';
import { write, type WrittenBrief } from '../writing/write-brief';
import { progressOf } from './brief-life';
import type { StoredBrief } from './record';
import { shownInput, shownName } from './shown-input';

interface View {
	now: number;
	seed: Seed;
	switches: Switches;
}

/** docs/api.md section 2.2, brief summary: an item of the list. */
export function summaryOf(brief: StoredBrief, { now, seed, switches }: View) {
	const moment = progressOf(brief, now, switches.unknownStatus);
	const time = (ms: number) => timestamp(ms, switches.timestamps);
	return {
		id: shownId(brief, switches),
		status: moment.status,
		product_name: shownName[switches.productNames](brief.input.product_name),
		title: moment.status === 'ready' ? textOf(brief, seed).title : null,
		created_at: time(brief.createdAt),
		updated_at: time(moment.since),
		finished_at: moment.finishedAt === null ? null : time(moment.finishedAt),
		url: `https://app.creator-briefing.dev/briefs/${brief.id}`,
	};
}

/** docs/api.md section 2.2, full brief: what create_brief and get_brief give. */
export function fullBriefOf(brief: StoredBrief, view: View) {
	const summary = summaryOf(brief, view);
	const text = summary.status === 'ready' ? textOf(brief, view.seed) : undefined;
	return {
		...summary,
		input: shownInput[view.switches.inputShape](brief.input),
		markdown: text?.markdown ?? null,
		document: text?.document ?? null,
		sources: text?.sources ?? [],
		warnings: text?.warnings ?? [],
		error_code: summary.status === 'failed' ? brief.plan.errorCode : null,
		revision: 1,
	};
}

function textOf(brief: StoredBrief, seed: Seed): WrittenBrief {
	return (brief.text ??= write(brief.input, brief.id, seed));
}

/** A UUID may be written in capitals. Then the service compares it as text and accepts no other form. */
export function shownId({ id }: StoredBrief, { briefIds }: Switches): string {
	return briefIds === 'capitals' ? id.toUpperCase() : id;
}
