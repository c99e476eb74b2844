import { SLOTS, TYPICAL_DURATION_MS } from '../../../../core/api/limits';
import { isRunning } from '../../../../core/api/types';
import { findRoundedIds } from '../../../../core/input/checks';
import { joinSentences, quoteList } from '../../../../core/input/text';
import { describeNearLicenceEnd, formatCount } from '../../../../core/text';
import { DAY_MS } from '../../../../core/assumptions';
import type { Allowance } from '../../../../core/workspace/allowance';
import { nameBrief } from '../../../shared/brief-errors';
import { getCode, getCodeMeaning, type FailureCode } from '../../../shared/node-errors';
import type { OrderReason } from '../../orders/item-types';
import type { PlannedItem } from './check-only';
import {
	getFailedItems,
	getOrderedBrief,
	type CreatedItem,
	type FailedItem,
} from './create-briefs';
import type { ItemRequest, ValidRequest } from './item-requests';

/**
 * The notice next to the output, a line for each subject: counts of the items, the allowance, and what the user might
 * want to check. It is a warning if the user has paid for less than was meant, or might have.
 */
interface Notice {
	readonly message: string;
	readonly type: 'info' | 'warning';
}

interface NoticeFacts {
	/** Null if it is not known. */
	readonly allowance: Allowance | null;
	/** When the licence renews or ends; null if it is not known. */
	readonly licenceEnd: number | null;
	/** The service's clock. */
	readonly now: number;
	readonly maxBriefs: number;
	readonly reuseWithinDays: number;
	/** Whether a Wait Until Ready node follows. */
	readonly isFollowedByWait: boolean;
	readonly isInLoop: boolean;
	/** Which column became which field; empty if the form has the fields. */
	readonly columns: string;
}

/** Returns the notice of a run that has created briefs. */
export function describeRun(items: readonly CreatedItem[], facts: NoticeFacts): Notice {
	const isWritten = items.some((item) => item.kind === 'brief' && isRunning(item.brief));
	const orderedIds = new Set(items.flatMap((item) => getOrderedBrief(item)?.id ?? []));
	const isLess = orderedIds.size > 0 && getFailedItems(items).length > 0;
	const orders = items.filter((item) => item.kind === 'brief');
	const doubts = [...describeReasons(orders, facts), ...listRemarks(items)];
	const results = items.map((item) => classifyItem(item, orderedIds));
	const lines = [
		describeCounts(results, RESULT_TEXTS),
		...describeAllowance(facts),
		...describeLeft(items, facts),
		isWritten ? describeWriting(facts) : '',
		facts.columns,
		...doubts,
	];
	return toNotice(lines, isLess || doubts.length > 0);
}

/** Returns the notice of Check Only. */
export function describePlan(items: readonly PlannedItem[], facts: NoticeFacts): Notice {
	const orders = items.filter((item) => item.action === 'order');
	const doubts = [...describeReasons(orders, facts), ...listRemarks(items)];
	const actions = items.map(({ action }) => action);
	const lines = [
		'Check Only: nothing was ordered.',
		describeCounts(actions, ACTION_TEXTS),
		...describeAllowance(facts),
		orders.length === 0 ? '' : `Writing them would take about ${formatMinutes(orders.length)}.`,
		facts.columns,
		...doubts,
	];
	return toNotice(lines, doubts.length > 0);
}

function toNotice(lines: readonly string[], isWarning: boolean): Notice {
	// docs/architecture.md, “Forms and notices”
	const message = lines.filter((line) => line !== '').join('<br>');
	return { message, type: isWarning ? 'warning' : 'info' };
}

function describeWriting({ isFollowedByWait }: NoticeFacts): string {
	return joinSentences(
		'A brief takes 3 to 6 minutes to write, two at a time.',
		isFollowedByWait
			? ''
			: 'To get the text, connect Creator Briefing Wait Until Ready after this node.',
	);
}

/** What the notice says about a number of items, by what happened to them. */
type CountTexts<Kind extends string> = Readonly<Record<Kind, (count: number) => string>>;

const RESULT_TEXTS = {
	ordered: (count) => `${formatCount(count, 'brief')} ordered`,
	existed: (count) => `${count} already existed (nothing paid)`,
	shared: (count) => `${count} ${count === 1 ? 'shares' : 'share'} the brief of an earlier item`,
	wasted: (count) => `${count} failed, and paid (see the code of each item)`,
	not_ready: (count) => `${count} ordered but not ready (see the code of each item)`,
	unconfirmed: (count) => `${count} without an answer (the brief might have been created)`,
	failed: (count) => `${count} failed (see the code of each item)`,
	left: (count) => `${count} left for the next run`,
} satisfies CountTexts<string>;

const ACTION_TEXTS: CountTexts<PlannedItem['action']> = {
	order: (count) => `a run would order ${formatCount(count, 'brief')}`,
	reuse: (count) => `${count} would use a brief that exists (nothing to pay)`,
	same_as_item: (count) => `${count} would share the brief of an earlier item`,
	limit_reached: (count) => `${count} would be left by 'Max Briefs per Run'`,
	allowance_used_up: (count) => `${count} would be left because the month's allowance is used up`,
	error: (count) => `${count} cannot be ordered (see the code of each item)`,
};

function describeCounts<Kind extends string>(
	kinds: readonly Kind[],
	texts: CountTexts<Kind>,
): string {
	const counts = (Object.keys(texts) as Kind[]).map(
		(kind) => [kind, kinds.filter((each) => each === kind).length] as const,
	);
	const parts = counts.filter(([, count]) => count > 0).map(([kind, count]) => texts[kind](count));
	return `${formatCount(kinds.length, 'item')}: ${parts.join(', ')}.`;
}

function classifyItem(
	item: CreatedItem,
	orderedIds: ReadonlySet<string>,
): keyof typeof RESULT_TEXTS {
	if (item.kind === 'brief') {
		if (!item.alreadyExisted) return 'ordered';
		return orderedIds.has(item.brief.id) ? 'shared' : 'existed';
	}
	const code = getCode(item.failure);
	if (isForNextRun(item)) return 'left';
	if (getOrderedBrief(item) !== null) return code === 'brief_failed' ? 'wasted' : 'not_ready';
	return code === 'unconfirmed' ? 'unconfirmed' : 'failed';
}

function isForNextRun({ isLeft, failure }: FailedItem): boolean {
	const meaning = getCodeMeaning(getCode(failure));
	return isLeft || (meaning.isNotOrdered === true && meaning.isLeft === true);
}

/** Returns why items are left for the next run, and what to do. */
function describeLeft(
	items: readonly CreatedItem[],
	{ maxBriefs, isInLoop }: NoticeFacts,
): string[] {
	const left = getFailedItems(items).filter(isForNextRun);
	const reasons: Array<[FailureCode, string]> = [
		[
			'limit_reached',
			`'Max Briefs per Run' is ${maxBriefs}: run the workflow again to order the others.`,
		],
		['timeout', "'Timeout (Minutes)' ended first: run the workflow again to order the others."],
		[
			'still_running',
			`Still being written when 'Timeout (Minutes)' ended: ${left.flatMap(({ brief }) => (brief === null ? [] : nameBrief(brief))).join('; ')}. To fetch a brief, use the Get operation, which costs nothing.`,
		],
	];
	const codes = new Set(left.map(({ failure }) => getCode(failure)));
	return [
		...reasons.filter(([code]) => codes.has(code)).map(([, reason]) => reason),
		isInLoop && left.some(({ isLeft }) => isLeft)
			? "In a loop, set 'On Error' in the node's settings to 'Continue': the loop would end at a pass without items."
			: '',
	];
}

/** Returns for which orders the workspace has a brief of the product: the user might not have meant to pay again. */
function describeReasons(
	orders: ReadonlyArray<{ reason: OrderReason | null; request: ValidRequest }>,
	{ reuseWithinDays }: NoticeFacts,
): string[] {
	const list = (reason: OrderReason) => orders.filter((order) => order.reason === reason);
	const changed = list('other_values');
	const outdated = list('outdated').length;
	const days = formatCount(reuseWithinDays, 'day');
	const have = (count: number) => (count === 1 ? 'has' : 'have');
	return [
		changed.length === 0
			? ''
			: `${changed.length} of these products already ${have(changed.length)} a brief with other values: ${listProducts(changed)}.`,
		outdated === 0
			? ''
			: `${outdated} of these products ${have(outdated)} a brief with the same values that is older than ${days} ('Reuse Within (Days)').`,
	].filter((line) => line !== '');
}

/** The products and remarks that have room in a notice. */
const MAX_SHOWN = 3;

function listProducts(orders: ReadonlyArray<{ request: ValidRequest }>): string {
	const names = orders.map(({ request }) => request.item.input.product_name);
	return quoteList(names, MAX_SHOWN);
}

function listRemarks(items: ReadonlyArray<{ request: ItemRequest }>): string[] {
	const valid = items.flatMap(({ request }) => (request.kind === 'valid' ? [request] : []));
	const remarks = valid.flatMap((request) => request.remarks);
	const ids = valid.map(({ item }) => item.input.product_id);
	if (findRoundedIds(ids).size > 0)
		remarks.unshift('All product IDs end in 00: a spreadsheet might have rounded them.');
	const more = remarks.length - MAX_SHOWN;
	return [...remarks.slice(0, MAX_SHOWN), ...(more > 0 ? [`${more} more remarks.`] : [])];
}

/** The end of the licence is named this long before. */
const LICENCE_END_MS = 3 * DAY_MS;

function describeAllowance({ allowance, licenceEnd, now }: NoticeFacts): string[] {
	return [
		allowance === null
			? ''
			: `${allowance.remaining} of ${allowance.limit} briefs left this month.`,
		describeNearLicenceEnd(licenceEnd, now, LICENCE_END_MS),
	];
}

function formatMinutes(briefs: number): string {
	const minutes = Math.ceil((Math.ceil(briefs / SLOTS) * TYPICAL_DURATION_MS) / 60_000);
	if (minutes < 90) return `${minutes} minutes`;
	return `${(minutes / 60).toFixed(1).replace('.0', '')} hours`;
}
