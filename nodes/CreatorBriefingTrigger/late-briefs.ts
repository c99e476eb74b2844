import { TRIGGER_PATIENCE_MS } from '../../service/assumptions';
import type { Brief, BriefSummary } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import { isWhole } from '../../service/whole-brief';

/**
 * Sorts briefs that have ended into those to pass on and those to look at again in the next poll, because a get may lag
 * behind the list. A brief that is late for an hour is passed on as the list shows it, or forgotten where the list does
 * not show it either.
 * @param ended as the list shows them; each was asked for
 * @param got what the gets brought
 * @param unknown IDs of watched briefs that neither the list nor a get shows
 * @param before those that were late at the last poll, and since when
 * @param now the service's time
 */
export function splitLate(
	ended: readonly BriefSummary[],
	got: readonly Brief[],
	unknown: readonly string[],
	before: Readonly<Record<string, number>> = {},
	now: number,
): { whole: Brief[]; late: Record<string, number> } {
	const byId = new Map(got.map((brief) => [brief.id, brief]));
	const whole: Brief[] = [];
	const late: Record<string, number> = {};
	for (const listed of ended) {
		const { id } = listed;
		const brief = byId.get(id);
		const since = before[id] ?? instantOf(listed.finished_at) ?? now;
		if (brief !== undefined && isWhole(brief)) whole.push(brief);
		else if (now - since > TRIGGER_PATIENCE_MS) whole.push({ ...NO_TEXT, ...brief, ...listed });
		else late[id] = since;
	}
	for (const id of unknown) {
		const since = before[id] ?? now;
		if (now - since <= TRIGGER_PATIENCE_MS) late[id] = since;
	}
	return { whole, late };
}

/** What a brief has besides what the list shows of it. */
const NO_TEXT: Omit<Brief, keyof BriefSummary> = {
	input: {},
	markdown: null,
	document: null,
	sources: [],
	warnings: [],
	error_code: null,
	revision: 0,
};
