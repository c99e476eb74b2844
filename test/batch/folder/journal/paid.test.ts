import { briefNumbers, paidByMonth } from '../../../../batch/folder/journal/paid';
import { order, recordsOf, entry } from '../../../support/batch/journal-events';

const ordered = (n: number, created_at: string | number, status: 'ready' | 'failed' = 'ready') => [
	entry.intent(order(`k${n}`, `row ${n}`)),
	entry.accepted(`k${n}`, `brief ${n}`),
	{ ...entry.ended(status, `k${n}`), created_at },
];

test('a brief is paid for if it was ordered, ready or not, and fetched if it has its files', () => {
	const takenOver = { ...order('k4', 'row 4'), brief_id: 'brief 4', created_at: 0 };
	const records = recordsOf(
		...ordered(1, '2026-11-02T00:00:00Z'),
		entry.written('k1'),
		...ordered(2, '2026-11-02T00:00:00Z', 'failed'),
		entry.intent(order('k3', 'row 3')),
		{ type: 'adopted', ...takenOver },
		entry.written('k4'),
		entry.intent(order('k5', 'row 5')),
		{ ...entry.accepted('k5', 'brief 5'), adopted: true },
	);
	expect(briefNumbers(records.all())).toEqual({ paid: 2, taken_over: 2, fetched: 2 });
	expect(paidByMonth(records.all())).toEqual([{ month: '2026-11', paid: 2 }]);
});

test('a brief counts in the month in which the service created it, in UTC', () => {
	const records = recordsOf(
		...ordered(1, '2027-01-01T00:30:00+02:00'),
		...ordered(2, '2027-01-01T00:00:00Z'),
		...ordered(3, Date.UTC(2026, 10, 30)),
		...ordered(4, '2026-12-31T23:59:59Z'),
	);
	expect(paidByMonth(records.all())).toEqual([
		{ month: '2026-11', paid: 1 },
		{ month: '2026-12', paid: 2 },
		{ month: '2027-01', paid: 1 },
	]);
});
