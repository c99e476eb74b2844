import type { Brief } from '../../../core/api/types';
import type { OrderState } from '../../../batch/orders/order';
import type { RowSearch } from '../../../batch/plan/search-rows';
import type { Orders } from '../../../batch/orders/orders';
import { DAY } from '../../support/time';
import {
	makeBrief,
	makeFullBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	START,
	STATES,
} from '../support/order-builder';
import { reorder, RETRY, showPlan, type Situation } from '../support/show-plan';

/*
 * The action of a command for a row. It depends on the order of the row, and on the briefs that the workspace has for its
 * content. An order supersedes a brief, the key of a rejected order, or nothing.
 */

const makeMugOrder = (state: OrderState) => makeOrders({ input: mug, state });
const makeSearchResult = (status: Brief['status'], createdAt = START): RowSearch => ({
	kind: 'found',
	brief: makeFullBrief('L1', makeBrief('L1', status, createdAt)),
	failedIds: [],
});

const rejected = makeMugOrder(STATES.rejected());
const ORDERS = {
	none: makeOrders(),
	ready: makeMugOrder(STATES.ready()),
	failed: makeMugOrder(STATES.failed()),
	'failed twice': makeOrders({ input: mug, attempt: 2, state: STATES.failed() }),
	'failed three times': makeOrders({ input: mug, attempt: 3, state: STATES.failed() }),
	'failed after a reorder': makeOrders(
		{ input: mug, attempt: 3 },
		{ input: mug, state: STATES.failed('B2') },
	),
	rejected,
	'rejected after a failed brief': makeOrders(
		{ input: mug, state: STATES.failed() },
		{ input: mug, state: STATES.rejected(), supersedes: 'B1', attempt: 2 },
	),
	accepted: makeMugOrder(STATES.accepted()),
	late: makeMugOrder(STATES.accepted('late')),
	missing: makeMugOrder(STATES.accepted('not_found')),
	unconfirmed: makeMugOrder(STATES.unconfirmed()),
	'in review': makeMugOrder(STATES.inReview()),
	undecided: makeMugOrder(STATES.undecided()),
	'a failed edit': makeOrders(
		{ input: mug },
		{ input: mugForCooks, previousOrderId: 1, state: STATES.failed('B2') },
	),
} satisfies Record<string, Orders>;

const SEARCHES = {
	'was not searched': undefined,
	'has nothing': { kind: 'none', sameProductIds: [] },
	'has L1': makeSearchResult('ready'),
	'is writing L1': makeSearchResult('writing'),
	'has the failed L1': makeSearchResult('failed'),
	'has the failed L1, newer than the order': makeSearchResult('failed', START + 1),
	'has the failed L1, older than the order': makeSearchResult('failed', START - 1),
	'hides an input': { kind: 'undecided', briefIds: ['H1'] },
} satisfies Record<string, RowSearch | undefined>;

type Decision = readonly [keyof typeof ORDERS, keyof typeof SEARCHES, string];

const one = makeRows(mug);
const edited = makeRows(mugForCooks);
/** Less than 24 hours after the orders of `STATES`. */
const sameDay = START + DAY - 1;

function testDecisions(rows: typeof one, situation: Situation, decisions: Decision[]): void {
	test.each(decisions)('order: %s; the workspace %s: %s', (order, search, expected) => {
		const facts = { orders: ORDERS[order], search: SEARCHES[search] };
		expect(showPlan(rows, { ...situation, ...facts })).toBe(expected);
	});
}

describe('run', () => {
	testDecisions(one, {}, [
		['none', 'has nothing', "pending, order after ''"],
		['none', 'has L1', 'pending, reuse L1'],
		['none', 'has the failed L1', 'pending, reuse L1'],
		['none', 'hides an input', 'needs_review, leave, hidden_input'],
		['ready', 'has nothing', 'ready, leave'],
		['failed', 'has nothing', 'failed, leave'],
		['a failed edit', 'has nothing', 'ready, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['late', 'has nothing', 'needs_review, leave'],
		['unconfirmed', 'has nothing', 'pending, resend'],
		['in review', 'has nothing', 'needs_review, leave'],
		['undecided', 'was not searched', 'needs_review, leave, hidden_input'],
		['undecided', 'has nothing', "needs_review, order after ''"],
	]);
});

describe('run, for an edited row', () => {
	testDecisions(edited, {}, [
		['ready', 'has nothing', 'changed, leave'],
		['failed', 'has nothing', 'failed, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['unconfirmed', 'has nothing', 'pending, leave'],
		['in review', 'has nothing', 'needs_review, leave'],
		['undecided', 'has nothing', "pending, order after ''"],
	]);
});

describe('retry', () => {
	testDecisions(one, { selection: RETRY }, [
		['none', 'has nothing', 'pending, leave'],
		['ready', 'has nothing', 'ready, leave'],
		['a failed edit', 'has nothing', 'ready, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['unconfirmed', 'has nothing', 'pending, leave'],
		['failed', 'has nothing', "failed, order after 'B1' attempt 2"],
		['failed', 'has L1', 'failed, reuse L1'],
		['failed', 'has the failed L1, newer than the order', "failed, order after 'L1' attempt 2"],
		['failed', 'has the failed L1, older than the order', "failed, order after 'B1' attempt 2"],
		['rejected', 'has nothing', "failed, order after ''"],
		['rejected after a failed brief', 'has nothing', "failed, order after 'B1' attempt 2"],
		['failed twice', 'has nothing', "failed, order after 'B1' attempt 3"],
		['failed three times', 'has nothing', 'failed, leave, attempts_used'],
		['failed after a reorder', 'has nothing', "failed, order after 'B1' attempt 2"],
	]);
});

describe('retry, for an edited row', () => {
	testDecisions(edited, { selection: RETRY }, [
		['failed', 'has nothing', "failed, order after ''"],
		['failed', 'has L1', 'failed, reuse L1'],
		['failed', 'has the failed L1', 'failed, reuse L1'],
		['failed three times', 'has nothing', "failed, order after ''"],
	]);
});

describe('--reorder', () => {
	testDecisions(one, { selection: reorder(2) }, [
		['none', 'has nothing', "pending, order after ''"],
		['none', 'has L1', "pending, order after 'L1'"],
		['none', 'is writing L1', 'pending, reuse L1'],
		['ready', 'has nothing', "ready, order after 'B1'"],
		['rejected', 'has nothing', `failed, order after '${rejected.get(1).key}'`],
		['failed three times', 'has nothing', "failed, order after 'B1'"],
		['unconfirmed', 'has nothing', 'pending, resend'],
		['in review', 'has nothing', 'needs_review, resend'],
		['undecided', 'hides an input', "needs_review, order after ''"],
		['late', 'has nothing', "needs_review, order after 'B1'"],
		['missing', 'has nothing', "needs_review, order after 'B1'"],
		['accepted', 'has nothing', 'pending, leave, not_finished'],
	]);
});

describe('--reorder on the day of the order', () => {
	testDecisions(one, { selection: reorder(2), now: sameDay }, [
		['none', 'has L1', 'pending, reuse L1'],
		['none', 'has the failed L1', "pending, order after 'L1'"],
		['ready', 'has nothing', 'ready, leave, ordered_recently'],
		['failed', 'has nothing', "failed, order after 'B1'"],
	]);
});

describe('--reorder, for a row that was edited on the day of its order', () => {
	testDecisions(edited, { selection: reorder(2), now: sameDay }, [
		['ready', 'has nothing', "changed, order after ''"],
		['ready', 'has L1', 'changed, reuse L1'],
		['failed', 'has nothing', "failed, order after ''"],
		['in review', 'has nothing', "needs_review, order after ''"],
		['accepted', 'has nothing', 'pending, leave, not_finished'],
		['unconfirmed', 'has nothing', 'pending, leave, not_finished'],
	]);

	test('supersedes the brief if the edit was accepted', () => {
		const acceptedContentIds = [makeRow(2, mugForCooks).contentId];
		const orders = makeOrders({ input: mug, acceptedContentIds });
		const planned = showPlan(edited, { orders, selection: reorder(2), now: sameDay });
		expect(planned).toBe("ready, order after 'B1'");
	});
});

describe('--reorder of a row', () => {
	test('whose brief has an unreadable creation time supersedes it', () => {
		const brief = { ...makeBrief('B1'), created_at: 'yesterday' };
		const orders = makeMugOrder({ kind: 'ready', brief, isPaid: true, file: 'B1' });
		const planned = showPlan(one, { orders, selection: reorder(2), now: sameDay });
		expect(planned).toBe("ready, order after 'B1'");
	});

	test('that was rejected in another spelling supersedes nothing', () => {
		const shouted = makeRows({ ...mug, product_name: 'MUG' });
		const planned = showPlan(shouted, { orders: rejected, selection: reorder(2) });
		expect(planned).toBe("failed, order after ''");
	});
});
