import { SLOTS } from '../../../../core/api/limits';
import { isRunning } from '../../../../core/api/types';
import { findRoundedIds } from '../../../../core/input/checks';
import type { Allowance } from '../../../../core/workspace/allowance';
import { joinSentences } from '../../../shared/node-errors';
import type { OrderReason } from '../../orders/item-types';
import type { PlannedItem } from './check-only';
import type { CreatedItem } from './create-briefs';
import type { ItemRequest } from './item-requests';

// The notice beside the output: counts of the items, the allowance, and what the user might want to check.

export interface NoticeFacts {
	/** Null if it is not known. */
	readonly allowance: Allowance | null;
	readonly maxBriefs: number;
	readonly reuseWithinDays: number;
	/** Whether a Wait Until Ready node follows. */
	readonly isFollowedByWait: boolean;
}

/** Returns the notice of a run that has created briefs. */
export function describeRun(items: readonly CreatedItem[], facts: NoticeFacts): string {
	const count = (test: (item: CreatedItem) => boolean) => items.filter(test).length;
	const isLimited = (item: CreatedItem) =>
		item.kind === 'left' && item.result.kind === 'limit_reached';
	const ordered = count((item) => item.kind === 'brief' && !item.alreadyExisted);
	const existed = count((item) => item.kind === 'brief' && item.alreadyExisted);
	const unconfirmed = count(isUnconfirmed);
	const failed = count((item) => item.kind === 'failed' && !isUnconfirmed(item));
	const limited = count(isLimited);
	const late = count((item) => item.kind === 'left' && !isLimited(item));
	const isWritten = items.some((item) => item.kind === 'brief' && isRunning(item.brief));
	return joinSentences(
		`${countOf(items.length, 'item')}: ${listCounts([
			[ordered, `${countOf(ordered, 'brief')} ordered`],
			[existed, `${existed} already existed (nothing paid)`],
			[unconfirmed, `${unconfirmed} without an answer (the brief might have been created)`],
			[failed, `${failed} failed (see the code of each item)`],
			[limited + late, `${limited + late} left for the next run`],
		])}.`,
		describeAllowance(facts.allowance),
		limited === 0
			? ''
			: `'Max Briefs per Run' is ${facts.maxBriefs}: run the workflow again to order the others. In a loop, set On Error to Continue, so that the loop does not end at an item without output.`,
		late === 0
			? ''
			: "'Timeout (Minutes)' ended first: run the workflow again to order the others.",
		describeReasons(
			items.map((item) => (item.kind === 'brief' ? item.reason : null)),
			facts,
		),
		isWritten ? 'A brief takes 3 to 6 minutes to write, two at a time.' : '',
		isWritten && !facts.isFollowedByWait
			? 'To get the text, connect Creator Briefing Wait Until Ready after this node.'
			: '',
		...listRemarks(items.map(({ request }) => request)),
	);
}

/** Returns the notice of Check Only. */
export function describePlan(items: readonly PlannedItem[], facts: NoticeFacts): string {
	const count = (action: PlannedItem['action']) =>
		items.filter((item) => item.action === action).length;
	const cost = count('order');
	const reused = count('reuse');
	const same = count('same_as_item');
	const limited = count('limit_reached');
	const errors = count('error');
	const missing = cost - (facts.allowance?.remaining ?? Infinity);
	return joinSentences(
		'Check Only: nothing was ordered.',
		`${countOf(items.length, 'item')}: ${listCounts([
			[cost, `a run would order ${countOf(cost, 'brief')}`],
			[reused, `${reused} would use a brief that exists (nothing to pay)`],
			[same, `${same} would share the brief of an earlier item`],
			[limited, `${limited} would be left by 'Max Briefs per Run'`],
			[errors, `${errors} cannot be ordered (see the code of each item)`],
		])}.`,
		describeAllowance(facts.allowance),
		missing > 0 ? `That is ${missing} fewer than this run would order.` : '',
		cost === 0 ? '' : `It would take about ${formatMinutes(cost)}.`,
		describeReasons(
			items.map((item) => (item.action === 'order' ? item.reason : null)),
			facts,
		),
		...listRemarks(items.map(({ request }) => request)),
	);
}

function isUnconfirmed(item: CreatedItem): boolean {
	return item.kind === 'failed' && item.result?.kind === 'error' && item.result.isUnconfirmed;
}

/** Returns for how many orders the workspace has a brief of the product: the user might not have meant to pay again. */
function describeReasons(
	reasons: ReadonlyArray<OrderReason | null>,
	{ reuseWithinDays }: NoticeFacts,
): string {
	const count = (reason: OrderReason) => reasons.filter((each) => each === reason).length;
	const changed = count('other_values');
	const outdated = count('outdated');
	const days = reuseWithinDays === 1 ? 'day' : `${reuseWithinDays} days`;
	return joinSentences(
		changed === 0
			? ''
			: `${changed} of these products ${changed === 1 ? 'has' : 'have'} a brief with other values already.`,
		outdated === 0
			? ''
			: `${outdated} of these products ${outdated === 1 ? 'has' : 'have'} a brief with the same values that is older than the last ${days} ('Reuse Within (Days)').`,
	);
}

/** The remarks that have room in a notice. */
const MAX_REMARKS = 3;

function listRemarks(requests: readonly ItemRequest[]): string[] {
	const valid = requests.flatMap((request) => (request.kind === 'valid' ? [request] : []));
	const remarks = valid.flatMap((request) => request.remarks);
	const ids = valid.map(({ item }) => item.input.product_id);
	if (findRoundedIds(ids).size > 0)
		remarks.unshift('All product IDs end in 00: a spreadsheet might have rounded them.');
	const more = remarks.length - MAX_REMARKS;
	return [...remarks.slice(0, MAX_REMARKS), ...(more > 0 ? [`${more} more remarks.`] : [])];
}

function describeAllowance(allowance: Allowance | null): string {
	return allowance === null
		? ''
		: `${allowance.remaining} of ${allowance.limit} briefs left this month.`;
}

/** Two briefs are written at a time, and a brief takes three to six minutes (docs/api.md 3 and 8). */
const MINUTES_PER_BRIEF = 4.5;

function formatMinutes(briefs: number): string {
	const minutes = Math.ceil(Math.ceil(briefs / SLOTS) * MINUTES_PER_BRIEF);
	if (minutes < 90) return `${minutes} minutes`;
	return `${(minutes / 60).toFixed(1).replace('.0', '')} hours`;
}

function countOf(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listCounts(counts: ReadonlyArray<readonly [number, string]>): string {
	return counts
		.filter(([count]) => count > 0)
		.map(([, text]) => text)
		.join(', ');
}
