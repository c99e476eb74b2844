import { formatDay, monthStart, nextMonthStart } from '../../core/dates';

test('a month begins at midnight in UTC, also at the turn of a year', () => {
	const end = Date.UTC(2026, 11, 31, 23);
	expect(monthStart(end)).toBe(Date.UTC(2026, 11, 1));
	expect(nextMonthStart(end)).toBe(Date.UTC(2027, 0, 1));
	expect(formatDay(nextMonthStart(end))).toBe('1 January');
});
