import { EXIT, type ExitCode } from '../../../batch/exit-codes';
import {
	chooseMostUrgent,
	rateFolder,
	rateRows,
	WHOLE_CSV,
} from '../../../batch/overview/exit-code';
import { ROW_STATUSES, type RowStatus } from '../../../batch/plan/row-status';

const LEFT: readonly RowStatus[] = ['pending', 'deferred'];
const FOR_THE_USER: readonly RowStatus[] = ['failed', 'invalid', 'changed', 'needs_review'];

function makeRatedRow(status: RowStatus, number = 2, wasPostponed = false) {
	return { number, status, wasPostponed };
}

/** All sets of statuses. */
const COMBINATIONS = Array.from({ length: 2 ** ROW_STATUSES.length }, (_, bits) =>
	ROW_STATUSES.filter((__, index) => (bits >> index) % 2 === 1),
);

function getExpectedCode(statuses: readonly RowStatus[]): ExitCode {
	if (statuses.some((status) => LEFT.includes(status))) return 3;
	return statuses.some((status) => FOR_THE_USER.includes(status)) ? 1 : 0;
}

test('rows of every combination of statuses: 3 if rows are left, else 1 if rows need the user, else 0', () => {
	expect(COMBINATIONS).toHaveLength(256);
	for (const statuses of COMBINATIONS) {
		const rows = statuses.map((status, index) => makeRatedRow(status, index + 2));
		expect([statuses, rateRows(rows, WHOLE_CSV)]).toEqual([statuses, getExpectedCode(statuses)]);
	}
});

test('rows outside --only do not count', () => {
	const rows = [makeRatedRow('ready', 2), makeRatedRow('failed', 3), makeRatedRow('pending', 4)];
	expect(rateRows(rows, (row) => row === 2)).toBe(0);
	expect(rateRows(rows, (row) => row <= 3)).toBe(1);
});

test('a ready row whose reorder was left for later is left', () => {
	expect(rateRows([makeRatedRow('ready', 2, true)], WHOLE_CSV)).toBe(3);
});

const CODES: readonly ExitCode[] = Object.values(EXIT);

test.each<[lastCode: ExitCode | null, codes: string]>([
	[EXIT.refused, 'the code of the run'],
	[EXIT.unusable, 'the code of the run'],
	[EXIT.stoppedEarly, 'the code of the run'],
	[null, '5'],
	[EXIT.ok, 'the code of the rows'],
	[EXIT.rowsNeedAttention, 'the code of the rows'],
	[EXIT.leftForLater, 'the code of the rows'],
	[EXIT.interrupted, 'the code of the rows'],
])('status after a run with %s ends with %s', (lastCode, expected) => {
	for (const codeOfRows of [0, 1, 3] as const) {
		const names = { '5': 5, 'the code of the run': lastCode, 'the code of the rows': codeOfRows };
		const idle = rateFolder({ lastCode, isRunning: false, codeOfRows });
		expect(idle).toBe(names[expected as keyof typeof names]);
		expect(rateFolder({ lastCode, isRunning: true, codeOfRows })).toBe(codeOfRows);
	}
});

test('several folders: the first of 4, 2, 5, 3 and 1', () => {
	const order: readonly ExitCode[] = [4, 2, 5, 3, 1, 0];
	for (const [index, code] of order.entries())
		expect(chooseMostUrgent(order.slice(index).toReversed())).toBe(code);
	expect(chooseMostUrgent([])).toBe(0);
	expect(new Set(CODES)).toEqual(new Set([...order, 6, 130]));
});
