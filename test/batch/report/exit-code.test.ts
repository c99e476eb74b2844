import { EXIT, type ExitCode } from '../../../batch/exit-codes';
import {
	chooseMostUrgent,
	rateFolder,
	rateRows,
	WHOLE_CSV,
} from '../../../batch/report/exit-code';
import { ROW_STATUSES, type RowStatus } from '../../../batch/plan/row-status';

const CODES: Readonly<Record<RowStatus, ExitCode>> = {
	pending: 3,
	deferred: 3,
	failed: 1,
	invalid: 1,
	changed: 1,
	needs_review: 1,
	ready: 0,
	skipped: 0,
};

const makeRatedRow = (status: RowStatus, number = 2) => ({ number, status, wasPostponed: false });

test('rows of any two statuses end with the greater of their codes', () => {
	for (const first of ROW_STATUSES)
		for (const second of ROW_STATUSES) {
			const rows = [makeRatedRow(first, 2), makeRatedRow(second, 3)];
			const expected = Math.max(CODES[first], CODES[second]);
			expect([first, second, rateRows(rows, WHOLE_CSV)]).toEqual([first, second, expected]);
		}
});

test('rows outside --only do not count', () => {
	const rows = [makeRatedRow('ready', 2), makeRatedRow('failed', 3), makeRatedRow('pending', 4)];
	expect(rateRows(rows, (row) => row === 2)).toBe(0);
	expect(rateRows(rows, (row) => row <= 3)).toBe(1);
});

test('a ready row whose reorder was postponed counts as a row that is left', () => {
	expect(rateRows([{ ...makeRatedRow('ready'), wasPostponed: true }], WHOLE_CSV)).toBe(3);
});

test.each<[lastCode: ExitCode | null, codes: readonly ExitCode[]]>([
	[EXIT.refused, [4, 4, 4]],
	[EXIT.unusable, [2, 2, 2]],
	[EXIT.stoppedEarly, [5, 5, 5]],
	[null, [5, 5, 5]],
	[EXIT.ok, [0, 1, 3]],
	[EXIT.rowsNeedAttention, [0, 1, 3]],
	[EXIT.leftForLater, [0, 1, 3]],
	[EXIT.interrupted, [0, 1, 3]],
])(
	'status after a run with %s ends with the code of that run or of the rows: %j',
	(lastCode, codes) => {
		const rate = (isRunning: boolean) =>
			([0, 1, 3] as const).map((codeOfRows) => rateFolder({ lastCode, isRunning, codeOfRows }));
		expect(rate(false)).toEqual(codes);
		expect(rate(true)).toEqual([0, 1, 3]);
	},
);

test('several folders end with the first of 4, 2, 5, 3 and 1', () => {
	const order: readonly ExitCode[] = [4, 2, 5, 3, 1, 0];
	for (const [index, code] of order.entries())
		expect(chooseMostUrgent(order.slice(index).toReversed())).toBe(code);
});
