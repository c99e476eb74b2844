import { getExitCode, type ErrorCode } from '../../../batch/cli-error';
import { EXIT, type ExitCode } from '../../../batch/exit-codes';
import { NO_TOTALS, type RunEntryEnd } from '../../../batch/orders/runs';
import type { Row } from '../../../batch/csv/types';
import {
	chooseMostUrgent,
	rateFolder,
	rateChecks,
	ratePlan,
	rateRows,
	WHOLE_CSV,
	type Scope,
} from '../../../batch/report/exit-code';
import { makeReport } from '../../../batch/report/report';
import {
	makeFullBrief,
	makeOrders,
	makeRow,
	makeRows,
	mug,
	pan,
	STATES,
} from '../support/order-builder';
import { plan, type Situation } from '../support/show-plan';

const one = makeRows(mug);
const failed = makeOrders({ input: mug, state: STATES.failed() });

function reportRows(rows: readonly Row[] = one, situation: Situation = {}) {
	const { orders = makeOrders() } = situation;
	const buildCommand = (...words: readonly string[]) => words;
	const wording = { buildCommand, shortenId: orders.shortenId };
	const planned = plan(rows, situation);
	return makeReport({
		orders,
		rows: planned,
		allowanceLeft: null,
		monthlyLimit: null,
		now: 0,
		wording,
	});
}

test.each<[string, Situation, ExitCode]>([
	['a new row', {}, 0],
	['a reused brief that failed', { listed: [makeFullBrief('L1', { status: 'failed' })] }, 1],
	['a resend', { orders: makeOrders({ input: mug, state: STATES.unconfirmed() }) }, 0],
	[
		'a brief that is being written',
		{ orders: makeOrders({ input: mug, state: STATES.accepted() }) },
		0,
	],
	['a late brief', { orders: makeOrders({ input: mug, state: STATES.accepted('late') }) }, 1],
	['a row beyond --max', { limits: { max: 0 } }, 3],
	['a failed row', { orders: failed }, 1],
])('a plan ends with the code of its run: %s', (_, situation, expected) => {
	expect(ratePlan(reportRows(one, situation), WHOLE_CSV)).toBe(expected);
});

test('a run ends with 3 if a brief is being written, and with 1 if a row failed', () => {
	const accepted = makeOrders({ input: mug, state: STATES.accepted() });
	expect(rateRows(reportRows(one, { orders: accepted }), WHOLE_CSV)).toBe(3);
	expect(rateRows(reportRows(one, { orders: failed }), WHOLE_CSV)).toBe(1);
});

test('rows that need the user come before rows that are left', () => {
	const rows = makeRows(mug, pan);
	const report = reportRows(rows, { orders: failed, limits: { max: 0 } });
	const rate = (scope: Scope) => rateRows(report, scope);
	expect([rate(WHOLE_CSV), rate((row) => row === 2), rate((row) => row === 3)]).toEqual([1, 1, 3]);
});

test('a ready row whose reorder was postponed counts as a row that is left', () => {
	const orders = makeOrders('Mug, Bakers');
	const selection = { choices: new Map([[2, { kind: 'reorder' } as const]]) };
	const report = reportRows(one, { orders, selection, limits: { max: 0 } });
	expect(report.counts.ready).toBe(1);
	expect(rateRows(report, WHOLE_CSV)).toBe(3);
});

test('a plan without the service ends with 1 only for invalid rows', () => {
	const rows = [makeRow(2, mug, { problems: ['#REF!'] }), makeRow(3, pan)];
	const rate = (scope: Scope) => rateChecks(reportRows(rows), scope);
	expect([rate(WHOLE_CSV), rate((row) => row === 3)]).toEqual([1, 0]);
});

const makeEnd = (code: ErrorCode) => ({
	at: '',
	message: null,
	counts: {},
	allowanceLeft: null,
	totals: NO_TOTALS,
	exitCode: getExitCode(code),
	stop: { code, exitCode: getExitCode(code) },
});

test.each<[end: RunEntryEnd | null, codes: readonly ExitCode[]]>([
	[makeEnd('key_refused'), [4, 4, 4]],
	[makeEnd('csv_unusable'), [2, 2, 2]],
	[makeEnd('disk_failed'), [5, 5, 5]],
	[makeEnd('failures_in_row'), [1, 1, 1]],
	[makeEnd('no_answers'), [1, 1, 1]],
	[null, [5, 5, 5]],
	[{ ...makeEnd('unexpected'), exitCode: EXIT.ok, stop: null }, [0, 1, 3]],
	[makeEnd('allowance_used_up'), [0, 1, 3]],
	[makeEnd('interrupted'), [0, 1, 3]],
])('status ends with the code of the stop of the last run, or of the rows: %j', (end, codes) => {
	const rate = (isRunning: boolean) =>
		([0, 1, 3] as const).map((codeOfRows) =>
			rateFolder({ lastRun: { end }, isRunning, codeOfRows }),
		);
	expect(rate(false)).toEqual(codes);
	expect(rate(true)).toEqual([0, 1, 3]);
});

test('several folders end with the first of 4, 2, 5, 1 and 3', () => {
	const order: readonly ExitCode[] = [4, 2, 5, 1, 3, 0];
	for (const [index, code] of order.entries())
		expect(chooseMostUrgent(order.slice(index).toReversed())).toBe(code);
});
