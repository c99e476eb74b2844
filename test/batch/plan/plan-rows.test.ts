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
const three = makeRows(mug, pan, cup);
const ordered = "pending, order after ''";

type Case = [title: string, rows: typeof one, situation: Situation, expected: string[]];

describe('rows that are not ordered', () => {
	const onlyPan = { selection: { only: new Set([3]) } };
	test.each<Case>([
		['outside --only', makeRows(mug, pan), onlyPan, ['pending, leave', ordered]],
		['unconfirmed, outside --only', one, { ...onlyPan, orders: unconfirmed }, ['pending, leave']],
		['a duplicate', makeRows(mug, mug), {}, [ordered, 'pending, leave, as row 2']],
		[
			'skipped, but not its duplicate',
			[makeRow(2, mug, { isSkipped: true }), makeRow(3, mug)],
			{},
			['skipped, leave', ordered],
		],
		['invalid', [makeRow(2, mug, { problems: ['#REF!'] })], {}, ['invalid, leave']],
	])('%s', (_, rows, situation, expected) => {
		expect(showPlan(rows, situation)).toEqual(expected);
	});
});

describe('a damaged row', () => {
	const damaged = [makeRow(2, mug, { warnings: ['CrÃ¨me'] })];
	const damagedEdit = [makeRow(2, mugForCooks, { warnings: ['CrÃ¨me'] })];
	test.each<Case>([
		['needs review', damaged, {}, ['needs_review, leave, damaged']],
		['is ordered if permitted', damaged, { selection: { damage: 'order' } }, [ordered]],
		['reuses a brief', damaged, { search: FOUND }, ['pending, reuse L1']],
		[
			'is ready if it was ordered',
			damaged,
			{ orders: makeOrders({ input: mug }) },
			['ready, leave'],
		],
		[
			'is retried if it was ordered',
			damaged,
			{ orders: failed, selection: RETRY },
			["failed, order after 'B1' attempt 2"],
		],
		[
			'needs review if its order was never sent',
			damaged,
			{ orders: undecided, search: NONE },
			['needs_review, leave, damaged'],
		],
		[
			'stays failed if its edit is damaged',
			damagedEdit,
			{ orders: failed, selection: RETRY },
			['failed, leave, damaged'],
		],
	])('%s', (_, rows, situation, expected) => {
		expect(showPlan(rows, situation)).toEqual(expected);
	});
});

describe('limits', () => {
	const deferred = 'deferred, leave, beyond_allowance';
	const beyondMax = 'pending, leave, beyond_max';
	const reserve = { allowance: 3, reserve: 2 };
	const beyondReserve = 'deferred, leave, beyond_reserve';
	test.each<Case>([
		['--max 1', three, { limits: { max: 1 } }, [ordered, beyondMax, beyondMax]],
		['an allowance of 1', three, { limits: { allowance: 1 } }, [ordered, deferred, deferred]],
		[
			'an allowance of 1, and --max 1',
			three,
			{ limits: { allowance: 1, max: 1 } },
			[ordered, deferred, deferred],
		],
		['--reserve 2 of 3', three, { limits: reserve }, [ordered, beyondReserve, beyondReserve]],
		[
			'none, for an undecided row',
			one,
			{ orders: undecided, limits: { allowance: 0 } },
			[deferred],
		],
		['--max 0, for an undecided row', one, { orders: undecided, limits: { max: 0 } }, [beyondMax]],
		[
			'an allowance of 1, which a resend uses without need',
			three,
			{ orders: unconfirmed, limits: { allowance: 1 } },
			['pending, resend', deferred, deferred],
		],
		[
			'--max 1, which a resend uses before a new row',
			makeRows(pan, mug),
			{ orders: unconfirmed, limits: { max: 1 } },
			[beyondMax, 'pending, resend'],
		],
		[
			'none, for a duplicate',
			makeRows(mug, mug),
			{ limits: { allowance: 0 } },
			[deferred, `${deferred}, as row 2`],
		],
		[
			'none, for a brief that is reused',
			one,
			{ search: FOUND, limits: { allowance: 0, max: 0 } },
			['pending, reuse L1'],
		],
		[
			'--max 1, for two rows of --reorder',
			makeRows(mug, pan),
			{ orders: makeOrders('Mug, Bakers', 'Pan'), selection: reorder(2, 3), limits: { max: 1 } },
			["ready, order after 'B1'", 'ready, leave, beyond_max'],
		],
	])('%s', (_, rows, situation, expected) => {
		expect(showPlan(rows, { search: NONE, ...situation })).toEqual(expected);
	});
});

describe('the sequence of create requests', () => {
	const unanswered = STATES.unconfirmed({ runsWithoutAnswer: 1 });

	test('has orders without an answer in an earlier run after new rows', () => {
		const orders = makeOrders(
			{ input: mug, state: unanswered },
			{ input: pan, state: STATES.unconfirmed() },
		);
		const sent = sortForSending(plan(three, { orders }));
		expect(sent.map(({ row }) => row.input)).toEqual([pan, cup, mug]);
	});

	test('has a row whose hidden brief could belong to an order before it at the end', () => {
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
