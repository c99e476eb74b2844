import { briefNumbers, paidByMonth } from '../../../../batch/folder/journal/paid';
import { entry, intent, order, recordsOf } from '../../../support/batch/journal-events';

function endedAt(created_at: string | number, status: 'ready' | 'failed', key: string) {
	const ended = entry.ended(status, key);
	return { ...ended, brief: { ...ended.brief, created_at } };
}

const ordered = (n: number, created_at: string | number, status: 'ready' | 'failed' = 'ready') => [
	...intent(order(`k${n}`, `row ${n}`)),
	entry.accepted(`k${n}`, `brief ${n}`),
	endedAt(created_at, status, `k${n}`),
];

test('a brief is paid for if it was ordered, ready or not, and fetched if it has its files', () => {
	const free = (n: number) => ({ ...entry.accepted(`k${n}`, `brief ${n}`), paid: false });
	const records = recordsOf(
		...ordered(1, '2026-11-02T00:00:00Z'),
		entry.filed('k1'),
		...ordered(2, '2026-11-02T00:00:00Z', 'failed'),
		...intent(order('k3', 'row 3')),
		entry.ordered(order('k4', 'row 4')),
		free(4),
		entry.filed('k4'),
		...intent(order('k5', 'row 5')),
		free(5),
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
