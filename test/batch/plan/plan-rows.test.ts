import type { Row } from '../../../batch/csv/types';
import { sortForSending } from '../../../batch/plan/plan-rows';
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

const FOUND = { listed: [makeFullBrief('L1')] };
const HIDDEN = { listed: [makeFullBrief('H1', { input: {} })] };
const unconfirmed = makeOrders({ input: mug, state: STATES.unconfirmed() });
const failed = makeOrders({ input: mug, state: STATES.failed() });
const one = makeRows(mug);
const two = makeRows(mug, mug);
const three = makeRows(mug, pan, cup);
const ordered = "order after ''";

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
		'reuses a brief': [damaged, FOUND, 'reuse L1'],
		'is ready if it was ordered': [damaged, { orders: makeOrders('Mug, Bakers') }, 'ready, leave'],
		'is retried if it was ordered': [damaged, retryFailed, "order after 'B1'"],
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
		'counts a resend before new rows': [
			three,
			{ orders: unconfirmed, limits: { allowance: 1 } },
			`resend | ${deferred} | ${deferred}`,
		],
		'sends an order again without any allowance': [
			one,
			{ orders: unconfirmed, limits: { allowance: 0 } },
			'resend',
		],
		'does not count a resend towards --max': [
			three,
			{ orders: unconfirmed, limits: { max: 1 } },
			`resend | ${ordered} | ${beyondMax}`,
		],
		'orders nothing new with --max 0, and sends again': [
			makeRows(mug, pan),
			{ orders: unconfirmed, limits: { max: 0 } },
			`resend | ${beyondMax}`,
		],
		'leaves a duplicate for the same reason as its first row': [
			two,
			{ limits: { allowance: 0 } },
			`${deferred} | ${deferred}, as row 2`,
		],
		'reuses a brief without any allowance': [
			one,
			{ ...FOUND, limits: { allowance: 0, max: 0 } },
			'reuse L1',
		],
		'leaves a row of --reorder ready beyond the allowance': [
			makeRows(mug, pan),
			{ ...readyRows, limits: { allowance: 1 } },
			"order after 'B1' | ready, leave, beyond_allowance",
		],
		'leaves a row of --reorder ready beyond --max': [
			makeRows(mug, pan),
			{ ...readyRows, limits: { max: 1 } },
			"order after 'B1' | ready, leave, beyond_max",
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
		const sent = sortForSending(plan(makeRows(mugForCooks, mug), { orders, ...HIDDEN }));
		expect(sent.map(({ row }) => row.input)).toEqual([mug, mugForCooks]);
	});
});

describe('the other briefs of a product', () => {
	const shown = (id: string, audience: string) =>
		makeFullBrief(id, { input: { ...mug, audience } });
	const findOthers = (rows: readonly Row[], situation: Situation) =>
		plan(rows, situation).map(({ action }) =>
			action.kind === 'order' ? action.otherBriefIds : action.kind,
		);

	test('do not include a brief that another row reuses', () => {
		const rows = makeRows(mug, mugForCooks);
		const listed = [shown('L1', 'Bakers'), shown('L2', 'Students')];
		expect(findOthers(rows, { listed })).toEqual(['reuse', ['L2']]);
	});

	test('are found for 4,000 rows and 4,000 briefs of one product', () => {
		// Comparing each row with each brief would exceed the timeout of the test.
		const numbers = Array.from({ length: 4000 }, (_, index) => index);
		const listed = numbers.map((index) => shown(`L${index}`, `Audience ${index + 2000}`));
		const rows = makeRows(...numbers.map((index) => ({ ...mug, audience: `Audience ${index}` })));
		const planned = plan(rows, { listed });
		expect(planned.filter(({ action }) => action.kind === 'reuse')).toHaveLength(2000);
		const [first] = planned;
		expect(first?.action.kind === 'order' && first.action.otherBriefIds).toHaveLength(2000);
	});
});
