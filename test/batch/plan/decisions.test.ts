import type { Brief } from '../../../core/api/types';
import type { Row } from '../../../batch/csv/types';
import type { OrderState } from '../../../batch/orders/order';
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
 * The action of a command for a row. It depends on the order of the row, and on the briefs of the workspace. An order supersedes a brief, the key of a rejected order, or nothing.
 */

const one = makeRows(mug);
const makeMugOrder = (state: OrderState) => makeOrders({ input: mug, state });
const L1 = (status: Brief['status']): Brief => makeFullBrief('L1', makeBrief('L1', status));
/** Shows that the service shows inputs. */
const other = makeFullBrief('O1', {
	product_name: 'Lamp',
	input: { ...mug, product_name: 'Lamp' },
});

const rejected = makeMugOrder(STATES.rejected());
const ORDERS = {
	none: makeOrders(),
	ready: makeMugOrder(STATES.ready()),
	failed: makeMugOrder(STATES.failed()),
	'failed three times': makeOrders(
		...['B1', 'B2', 'B3'].map((id) => ({ input: mug, state: STATES.failed(id) })),
	),
	rejected,
	accepted: makeMugOrder(STATES.accepted()),
	late: makeMugOrder(STATES.accepted('late')),
	missing: makeMugOrder(STATES.accepted('not_found')),
	unconfirmed: makeMugOrder(STATES.unconfirmed()),
	'in review': makeMugOrder(STATES.inReview()),
	reviewed: makeReviewed(),
	'a failed edit': makeOrders(
		{ input: mug },
		{ input: mugForCooks, previousOrderId: 1, state: STATES.failed('B2') },
	),
} satisfies Record<string, Orders>;

/** No order, and a review of the row's content. */
function makeReviewed(): Orders {
	const orders = makeOrders();
	orders.apply({ review: one[0]?.contentId ?? '', briefIds: ['H1'] });
	return orders;
}

const LISTED = {
	'was not asked': undefined,
	'has nothing': [other],
	'has L1': [L1('ready'), other],
	'is writing L1': [L1('writing'), other],
	'hides an input': [makeFullBrief('H1', { input: {} })],
	'hides another input': [makeFullBrief('H2', { input: {} })],
} satisfies Record<string, readonly Brief[] | undefined>;

type Decision = readonly [keyof typeof ORDERS, keyof typeof LISTED, string];

const edited = makeRows(mugForCooks);
/** Less than 24 hours after the orders of `STATES`. */
const sameDay = START + DAY - 1;

/** Lets L1 show the input of the row. */
const showInputOf =
	({ input }: Row) =>
	(brief: Brief) =>
		brief.id === 'L1' ? { ...brief, input: { ...input } } : brief;

function testDecisions(rows: typeof one, situation: Situation, decisions: Decision[]): void {
	test.each(decisions)('order: %s; the workspace %s: %s', (order, listed, expected) => {
		const [row] = rows;
		const facts = { orders: ORDERS[order], listed: LISTED[listed]?.map(showInputOf(row!)) };
		expect(showPlan(rows, { ...situation, ...facts })).toBe(expected);
	});
}

describe('run', () => {
	testDecisions(one, {}, [
		['none', 'has nothing', "order after ''"],
		['none', 'has L1', 'reuse L1'],
		['none', 'hides an input', 'needs_review, leave, hidden_input'],
		['ready', 'has nothing', 'ready, leave'],
		['failed', 'has nothing', 'failed, leave'],
		['a failed edit', 'has nothing', 'ready, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['late', 'has nothing', 'needs_review, leave'],
		['unconfirmed', 'has nothing', 'resend'],
		['in review', 'has nothing', 'needs_review, leave'],
		['failed', 'has L1', 'reuse L1'],
		['reviewed', 'was not asked', 'needs_review, leave, hidden_input'],
		['reviewed', 'has nothing', "order after ''"],
	]);
});

describe('run, for an edited row', () => {
	testDecisions(edited, {}, [
		['ready', 'has nothing', 'changed, leave'],
		['failed', 'has nothing', 'failed, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['unconfirmed', 'has nothing', 'pending, leave'],
		['in review', 'has nothing', 'needs_review, leave'],
	]);
});

describe('retry', () => {
	testDecisions(one, { selection: RETRY }, [
		['none', 'has nothing', 'pending, leave'],
		['ready', 'has nothing', 'ready, leave'],
		['a failed edit', 'has nothing', 'ready, leave'],
		['accepted', 'has nothing', 'pending, leave'],
		['unconfirmed', 'has nothing', 'pending, leave'],
		['failed', 'has nothing', "order after 'B1'"],
		['failed', 'has L1', 'reuse L1'],
		['rejected', 'has nothing', "order after ''"],
		['failed three times', 'has nothing', 'failed, leave, attempts_used'],
	]);
});

describe('retry, for an edited row', () => {
	testDecisions(edited, { selection: RETRY }, [
		['failed', 'has nothing', "order after ''"],
		['failed', 'has L1', 'reuse L1'],
		['failed three times', 'has nothing', "order after ''"],
	]);
});

describe('--reorder', () => {
	testDecisions(one, { selection: reorder(2) }, [
		['none', 'has nothing', "order after ''"],
		['none', 'has L1', 'reuse L1'],
		['ready', 'has L1', "order after 'L1'"],
		['ready', 'is writing L1', 'reuse L1'],
		['ready', 'has nothing', "order after 'B1'"],
		['rejected', 'has nothing', `order after '${rejected.get(1).key}'`],
		['failed three times', 'has nothing', "order after 'B3'"],
		['unconfirmed', 'has nothing', 'resend'],
		['in review', 'has nothing', 'resend'],
		['reviewed', 'hides an input', "order after ''"],
		['reviewed', 'hides another input', 'needs_review, leave, hidden_input'],
		['ready', 'hides an input', 'needs_review, leave, hidden_input'],
		['late', 'has nothing', "order after 'B1'"],
		['missing', 'has nothing', "order after 'B1'"],
		['accepted', 'has nothing', 'pending, leave, not_finished'],
	]);
});

describe('--reorder on the day of the order', () => {
	testDecisions(one, { selection: reorder(2), now: sameDay }, [
		['ready', 'has nothing', 'ready, leave, ordered_recently'],
		['ready', 'has L1', 'reuse L1'],
		['failed', 'has nothing', "order after 'B1'"],
	]);
});

describe('--reorder, for a row that was edited on the day of its order', () => {
	testDecisions(edited, { selection: reorder(2), now: sameDay }, [
		['ready', 'has nothing', "order after ''"],
		['ready', 'has L1', 'reuse L1'],
		['failed', 'has nothing', "order after ''"],
		['in review', 'has nothing', "order after ''"],
		['accepted', 'has nothing', 'pending, leave, not_finished'],
		['unconfirmed', 'has nothing', 'pending, leave, not_finished'],
	]);

	test('orders the accepted edit as a new row', () => {
		const acceptedContentIds = [makeRow(2, mugForCooks).contentId];
		const orders = makeOrders({ input: mug, acceptedContentIds });
		const planned = showPlan(edited, { orders, selection: reorder(2), now: sameDay });
		expect(planned).toBe("order after ''");
	});
});

describe('--reorder of a row', () => {
	test('whose brief has an unreadable creation time supersedes it', () => {
		const brief = { ...makeBrief('B1'), created_at: 'yesterday' };
		const orders = makeMugOrder({ kind: 'ready', brief, source: 'own', file: 'B1', warnings: [] });
		const planned = showPlan(one, { orders, selection: reorder(2), now: sameDay });
		expect(planned).toBe("order after 'B1'");
	});

	test('that was rejected in another spelling supersedes nothing', () => {
		const shouted = makeRows({ ...mug, product_name: 'MUG' });
		const planned = showPlan(shouted, { orders: rejected, selection: reorder(2) });
		expect(planned).toBe("order after ''");
	});
});
