import type { Row } from '../../../batch/csv/types';
import { sortForSending } from '../../../batch/plan/plan-rows';
import type { RowSearch } from '../../../batch/plan/search-rows';
import {
	cup,
	makeFullBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
	STATES,
} from '../support/order-builder';
import { plan, reorder, RETRY, showPlan, type Situation } from '../support/show-plan';

const NONE: RowSearch = { kind: 'none', sameProductIds: [] };
const FOUND: RowSearch = { kind: 'found', brief: makeFullBrief('L1'), failedIds: [] };
const FOUND_FAILED: RowSearch = { ...FOUND, brief: makeFullBrief('L1', { status: 'failed' }) };
const unconfirmed = makeOrders({ input: mug, state: STATES.unconfirmed() });
const undecided = makeOrders({ input: mug, state: STATES.undecided() });
const failed = makeOrders({ input: mug, state: STATES.failed() });
const accepted = makeOrders({ input: mug, state: STATES.accepted() });
const one = makeRows(mug);
const two = makeRows(mug, mug);
const three = makeRows(mug, pan, cup);
const ordered = "pending, order after ''";

type PlanCase = readonly [rows: readonly Row[], situation: Situation, planned: string];

/** Defines a test for each case, by title. */
function testPlans(cases: Readonly<Record<string, PlanCase>>): void {
	test.each(Object.entries(cases))('%s', (_, [rows, situation, expected]) => {
		expect(showPlan(rows, situation)).toBe(expected);
	});
}

describe('a run leaves', () => {
	const onlyPan = { selection: { only: new Set([3]) } };
	const skipped = makeRow(2, mug, { isSkipped: true });
	testPlans({
		'rows outside --only': [makeRows(mug, pan), onlyPan, `pending, leave | ${ordered}`],
		'a resend outside --only': [one, { ...onlyPan, orders: unconfirmed }, 'pending, leave'],
		'a duplicate to its first row': [two, {}, `${ordered} | pending, leave, as row 2`],
		'a skipped row, and orders its duplicate': [
			[skipped, makeRow(3, mug)],
			{},
			`skipped, leave | ${ordered}`,
		],
		'an invalid row': [[makeRow(2, mug, { problems: ['#REF!'] })], {}, 'invalid, leave'],
	});
});

describe('a damaged row', () => {
	const damaged = [makeRow(2, mug, { warnings: ['CrÃ¨me'] })];
	const damagedEdit = [makeRow(2, mugForCooks, { warnings: ['CrÃ¨me'] })];
	const retryFailed = { orders: failed, selection: RETRY };
	testPlans({
		'needs review': [damaged, {}, 'needs_review, leave, damaged'],
		'is ordered if permitted': [damaged, { selection: { damage: 'order' } }, ordered],
		'reuses a brief': [damaged, { search: FOUND }, 'pending, reuse L1'],
		'is ready if it was ordered': [damaged, { orders: makeOrders('Mug, Bakers') }, 'ready, leave'],
		'is retried if it was ordered': [damaged, retryFailed, "failed, order after 'B1' attempt 2"],
		'needs review if its order was never sent': [
			damaged,
			{ orders: undecided, search: NONE },
			'needs_review, leave, damaged',
		],
		'remains failed if its edit is damaged': [damagedEdit, retryFailed, 'failed, leave, damaged'],
	});
});

describe('a run with limits', () => {
	const deferred = 'deferred, leave, beyond_allowance';
	const beyondMax = 'pending, leave, beyond_max';
	const readyRows = { orders: makeOrders('Mug, Bakers', 'Pan'), selection: reorder(2, 3) };
	testPlans({
		'orders one row with --max 1': [
			three,
			{ limits: { max: 1 } },
			`${ordered} | ${beyondMax} | ${beyondMax}`,
		],
		'orders one row with an allowance of 1, with any --max': [
			three,
			{ limits: { allowance: 1, max: 1 } },
			`${ordered} | ${deferred} | ${deferred}`,
		],
		'defers an undecided row beyond the allowance': [
			one,
			{ orders: undecided, search: NONE, limits: { allowance: 0 } },
			deferred,
		],
		'leaves an undecided row beyond --max': [
			one,
			{ orders: undecided, search: NONE, limits: { max: 0 } },
			beyondMax,
		],
		'counts a resend before new rows': [
			three,
			{ orders: unconfirmed, limits: { allowance: 1 } },
			`pending, resend | ${deferred} | ${deferred}`,
		],
		'sends an order again without any allowance': [
			one,
			{ orders: unconfirmed, limits: { allowance: 0 } },
			'pending, resend',
		],
		'counts a resend towards --max': [
			makeRows(pan, mug),
			{ orders: unconfirmed, limits: { max: 1 } },
			`${beyondMax} | pending, resend`,
		],
		'leaves a duplicate for the same reason as its first row': [
			two,
			{ limits: { allowance: 0 } },
			`${deferred} | ${deferred}, as row 2`,
		],
		'reuses a brief without any allowance': [
			one,
			{ search: FOUND, limits: { allowance: 0, max: 0 } },
			'pending, reuse L1',
		],
		'leaves a row of --reorder ready beyond the allowance': [
			makeRows(mug, pan),
			{ ...readyRows, limits: { allowance: 1 } },
			"ready, order after 'B1' | ready, leave, beyond_allowance",
		],
		'leaves a row of --reorder ready beyond --max': [
			makeRows(mug, pan),
			{ ...readyRows, limits: { max: 1 } },
			"ready, order after 'B1' | ready, leave, beyond_max",
		],
	});
});

describe('the sequence of create requests', () => {
	const unanswered = STATES.unconfirmed({ runsWithoutAnswer: 1 });

	test('has orders that got no answer in an earlier run after new rows', () => {
		const orders = makeOrders(
			{ input: mug, state: unanswered },
			{ input: pan, state: STATES.unconfirmed() },
		);
		const sent = sortForSending(plan(three, { orders }));
		expect(sent.map(({ row }) => row.input)).toEqual([pan, cup, mug]);
	});

	test('ends with a row whose hidden brief could belong to an earlier order', () => {
		const orders = makeOrders({ input: mug, state: unanswered });
		const search = { kind: 'possibly_own', briefIds: ['H1'] } as const;
		const sent = sortForSending(plan(makeRows(mugForCooks, mug), { orders, search }));
		expect(sent.map(({ row }) => row.input)).toEqual([mug, mugForCooks]);
	});
});

test.each<[string, Situation, string]>([
	['a new row', { search: NONE }, 'ready'],
	['a reused brief that failed', { search: FOUND_FAILED }, 'failed'],
	['a resend', { orders: unconfirmed }, 'ready'],
	['a brief that is being written', { orders: accepted }, 'ready'],
	[
		'a late brief',
		{ orders: makeOrders({ input: mug, state: STATES.accepted('late') }) },
		'needs_review',
	],
	['a row beyond --max', { limits: { max: 0 } }, 'pending'],
	['a failed row', { orders: failed }, 'failed'],
])('the expected status of %s is shown', (_, situation, expected) => {
	expect(plan(one, situation).map(({ expectedStatus }) => expectedStatus)).toEqual([expected]);
});
