import { sortForSending } from '../../../batch/plan/plan-rows';
import {
	cup,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	mugForCooks,
	pan,
	START,
	STATES,
} from '../support/order-builder';
import { found, HIDDEN, NONE, plan, RETRY, showPlan, type Situation } from '../support/show-plan';

const of = (state: ReturnType<(typeof STATES)['ready']>) => makeOrders({ input: mug, state });
const one = makeRows(mug);
const edited = makeRows(mugForCooks);
const inReview = STATES.unconfirmed({ review: { code: 'no_answer' } });

describe('run, by the order of a row and the brief that the workspace has', () => {
	test.each<[string, Situation, string]>([
		['none', { search: NONE }, "pending, order after ''"],
		['none; the same content', { search: found('L1') }, 'pending, reuse L1'],
		['none; a failed brief', { search: found('L1', 'failed') }, 'pending, reuse L1'],
		['none; a brief without its input', { search: HIDDEN }, 'needs_review, leave, hidden_input'],
		['ready', { orders: of(STATES.ready()), search: NONE }, 'ready, leave'],
		['failed', { orders: of(STATES.failed()), search: NONE }, 'failed, leave'],
		['accepted', { orders: of(STATES.accepted()), search: NONE }, 'pending, leave'],
		['accepted, late', { orders: of(STATES.accepted('late')) }, 'needs_review, leave'],
		['unconfirmed', { orders: of(STATES.unconfirmed()), search: NONE }, 'pending, resend'],
		['unconfirmed, in review', { orders: of(inReview), search: NONE }, 'needs_review, leave'],
		[
			'undecided; not compared again',
			{ orders: of(STATES.undecided('H1')) },
			'needs_review, leave, hidden_input',
		],
		[
			'undecided; the brief has other content',
			{ orders: of(STATES.undecided('H1')), search: NONE },
			"needs_review, order after ''",
		],
	])('%s', (_, situation, expected) => {
		expect(showPlan(one, situation)).toEqual([expected]);
	});
});

describe('run, by the order of an edited row', () => {
	test.each<[string, Situation, string]>([
		['ready', { orders: of(STATES.ready()), search: NONE }, 'changed, leave'],
		['failed', { orders: of(STATES.failed()), search: NONE }, 'failed, leave'],
		['accepted', { orders: of(STATES.accepted()), search: NONE }, 'pending, leave'],
		['unconfirmed', { orders: of(STATES.unconfirmed()), search: NONE }, 'pending, leave'],
		['unconfirmed, in review', { orders: of(inReview), search: NONE }, 'needs_review, leave'],
		[
			'undecided: the row counts as new',
			{ orders: of(STATES.undecided('H1')), search: NONE },
			"pending, order after ''",
		],
	])('%s', (_, situation, expected) => {
		expect(showPlan(edited, situation)).toEqual([expected]);
	});

	test('a reordered edit, and the old content as another row, need nothing', () => {
		const orders = makeOrders({ input: mug }, { input: mugForCooks, previousOrderId: 1 });
		const planned = showPlan(makeRows(mugForCooks, mug), { orders, search: NONE });
		expect(planned).toEqual(['ready, leave', 'ready, leave']);
	});

	test('retry leaves a row alone whose failed edit was undone', () => {
		const orders = makeOrders(
			{ input: mug },
			{ input: mugForCooks, previousOrderId: 1, state: STATES.failed('B2') },
		);
		expect(showPlan(one, { orders, search: NONE })).toEqual(['ready, leave']);
		expect(showPlan(one, { orders, selection: RETRY, search: NONE })).toEqual(['ready, leave']);
	});
});

describe('rows that are not ordered', () => {
	test('rows outside --only are left', () => {
		const selection = { only: new Set([3]) };
		const planned = showPlan(makeRows(mug, pan), { selection, search: NONE });
		expect(planned).toEqual(['pending, leave', "pending, order after ''"]);
	});

	test('a row outside --only whose order is unconfirmed is not sent again', () => {
		const situation = { orders: of(STATES.unconfirmed()), selection: { only: new Set([3]) } };
		expect(showPlan(one, situation)).toEqual(['pending, leave']);
	});

	test('a duplicate is ordered with the first row of its content', () => {
		const planned = showPlan(makeRows(mug, mug), { search: NONE });
		expect(planned).toEqual(["pending, order after ''", 'pending, leave, as row 2']);
	});

	test('a duplicate of a skipped row is ordered', () => {
		const rows = [makeRow(2, mug, { isSkipped: true }), makeRow(3, mug)];
		expect(showPlan(rows, { search: NONE })).toEqual(['skipped, leave', "pending, order after ''"]);
	});

	test('an invalid row is left', () => {
		const rows = [makeRow(2, mug, { problems: ['#REF!'] })];
		expect(showPlan(rows, { search: NONE })).toEqual(['invalid, leave']);
	});
});

describe('a damaged row', () => {
	const damaged = [makeRow(2, mug, { warnings: ['CrÃ¨me'] })];
	test.each<[string, Situation, string]>([
		['needs review', { search: NONE }, 'needs_review, leave, damaged'],
		[
			'is ordered if the user permits it',
			{ selection: { damage: 'order' }, search: NONE },
			"pending, order after ''",
		],
		['is reused if the workspace has it', { search: found('L1') }, 'pending, reuse L1'],
		['is ready if it was ordered', { orders: of(STATES.ready()) }, 'ready, leave'],
		[
			'is retried if it was ordered',
			{ orders: of(STATES.failed()), selection: RETRY, search: NONE },
			"failed, order after 'B1' attempt 2",
		],
		[
			'needs review if its order was never sent',
			{ orders: of(STATES.undecided('H1')), search: NONE },
			'needs_review, leave, damaged',
		],
	])('%s', (_, situation, expected) => {
		expect(showPlan(damaged, situation)).toEqual([expected]);
	});

	test('stays failed if its edit is damaged', () => {
		const rows = [makeRow(2, mugForCooks, { warnings: ['CrÃ¨me'] })];
		const situation = { orders: of(STATES.failed()), selection: RETRY, search: NONE };
		expect(showPlan(rows, situation)).toEqual(['failed, leave, damaged']);
	});
});

describe('limits', () => {
	const rows = makeRows(mug, pan, cup);
	const ordered = "pending, order after ''";
	const deferred = 'deferred, leave, beyond_allowance';
	const beyondMax = 'pending, leave, beyond_max';
	const hidden = of(STATES.undecided('H1'));
	test.each<[string, typeof rows, Situation, string[]]>([
		['--max 1 orders one row', rows, { limits: { max: 1 } }, [ordered, beyondMax, beyondMax]],
		[
			'an allowance of 1 orders one row',
			rows,
			{ limits: { allowance: 1 } },
			[ordered, deferred, deferred],
		],
		[
			'the allowance counts before --max',
			rows,
			{ limits: { allowance: 1, max: 1 } },
			[ordered, deferred, deferred],
		],
		[
			'an undecided row beyond the allowance is deferred',
			one,
			{ orders: hidden, limits: { allowance: 0 } },
			[deferred],
		],
		[
			'an undecided row beyond --max is pending',
			one,
			{ orders: hidden, limits: { max: 0 } },
			[beyondMax],
		],
		[
			'an unconfirmed order is sent again without an allowance, and counts before new rows',
			rows,
			{ orders: of(STATES.unconfirmed()), limits: { allowance: 1 } },
			['pending, resend', deferred, deferred],
		],
		[
			'an unconfirmed order counts towards --max',
			makeRows(pan, mug),
			{ orders: of(STATES.unconfirmed()), limits: { max: 1 } },
			[beyondMax, 'pending, resend'],
		],
		[
			'a duplicate is left for the same reason as its first row',
			makeRows(mug, mug),
			{ limits: { allowance: 0 } },
			[deferred, `${deferred}, as row 2`],
		],
		[
			'a reused brief counts towards no limit',
			one,
			{ search: found('L1'), limits: { allowance: 0, max: 0 } },
			['pending, reuse L1'],
		],
	])('%s', (_, each, situation, expected) => {
		expect(showPlan(each, { search: NONE, ...situation })).toEqual(expected);
	});
});

describe('the order of sending', () => {
	test('is new rows before orders that got no answer in an earlier run', () => {
		const unanswered = makeOrders(
			{ input: mug, state: STATES.unconfirmed({ runsWithoutAnswer: 1 }) },
			{ input: pan, state: STATES.unconfirmed() },
		);
		const planned = plan(makeRows(mug, pan, cup), { orders: unanswered, search: NONE });
		expect(sortForSending(planned).map(({ row }) => row.number)).toEqual([3, 4, 2]);
	});

	test('is a row whose hidden brief could belong to an order that is sent before at the end', () => {
		const orders = makeOrders({
			input: mug,
			state: STATES.unconfirmed({ runsWithoutAnswer: 1 }),
		});
		const search = { kind: 'possibly_own', briefIds: ['H1'] } as const;
		const planned = plan(makeRows(mugForCooks, mug), { orders, search });
		expect(sortForSending(planned).map(({ row }) => row.number)).toEqual([3, 2]);
	});
});

describe('the expected status', () => {
	test.each<[string, Situation, string]>([
		['of a new row is ready', { search: NONE }, 'ready'],
		['of a reused brief that failed is failed', { search: found('L1', 'failed') }, 'failed'],
		['of a resend is ready', { orders: of(STATES.unconfirmed()) }, 'ready'],
		['of a brief that is being written is ready', { orders: of(STATES.accepted()) }, 'ready'],
		['of a late brief is needs_review', { orders: of(STATES.accepted('late')) }, 'needs_review'],
		['of a row beyond --max is pending', { limits: { max: 0 } }, 'pending'],
		['of a failed row is failed', { orders: of(STATES.failed()), now: START }, 'failed'],
	])('%s', (_, situation, expected) => {
		expect(plan(one, situation).map(({ expectedStatus }) => expectedStatus)).toEqual([expected]);
	});
});
