import type { BriefInput } from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { fieldsOtherwise } from '../../service/order/content-comparison';
import type { OrderState, ParkReason } from '../../service/order/life';
import type { Look } from '../../service/order/shell';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import type { Records } from '../folder/records';

/**
 * Gives why an order is put aside, with the facts by which a person can decide.
 * @param firstTried the time of its first try, ISO 8601
 */
export function parkCause(
	reason: ParkReason,
	{ finding, answer }: OrderState,
	{ input, firstTried }: { input: BriefInput; firstTried: string },
	records: Records,
): ParkCause {
	if (reason === 'listed') return listedCause(finding, input, records);
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const briefId = answer?.brief?.id ?? onlyOne(ids);
	const inDoubt = { ids, ...candidateOf(briefId, records), tried: firstTried };
	if (reason === 'unclear') return { reason, ...inDoubt };
	return { reason, ...inDoubt, ...(answer !== null && { answer: answerOf(answer) }) };
}

/** Gives why a row is put aside before it is sent, by what the list shows of its product. */
export function listedCause(look: Look | null, input: BriefInput, records: Records): ParkCause {
	if (look?.is !== 'unclear') return { reason: 'listed', ids: [] };
	const { ids, likelyBrief: brief } = look;
	const cause = { reason: 'listed', ids, ...candidateOf(onlyOne(ids), records) } as const;
	if (brief === undefined) return cause;
	const created = instantOf(brief.created_at);
	return {
		...cause,
		...(created !== null && { created_at: new Date(created).toISOString() }),
		fields: fieldsOtherwise(brief, input),
	};
}

/** The brief of another row cannot be given to this one. */
function candidateOf(briefId: string | undefined, records: Records): { candidate?: string } {
	return briefId !== undefined && records.ownerOf(briefId) === undefined
		? { candidate: briefId }
		: {};
}

function onlyOne(ids: readonly string[]): string | undefined {
	return ids.length === 1 ? ids[0] : undefined;
}
