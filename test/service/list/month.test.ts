import { dayInWords, monthStart, monthTurnWait, nextMonthStart } from '../../../service/list/month';
import { MINUTE } from '../../support/time';

const at = (text: string) => Date.parse(text);

describe('the month in UTC', () => {
	test.each([
		['2026-11-20T12:00:00Z', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
		['2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
		['2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z'],
		['2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
		['2027-02-28T23:59:59Z', '2027-02-01T00:00:00Z', '2027-03-01T00:00:00Z'],
	])('of %s starts at %s and ends at %s', (instant, start, next) => {
		expect(monthStart(at(instant))).toBe(at(start));
		expect(nextMonthStart(at(instant))).toBe(at(next));
	});

	test.each([
		['2026-11-30T23:57:59.999Z', 0],
		['2026-11-30T23:58:00Z', 4 * MINUTE],
		['2026-11-30T23:59:59Z', 2 * MINUTE + 1000],
		['2026-12-01T00:00:00Z', 2 * MINUTE],
		['2026-12-01T00:01:59.999Z', 1],
		['2026-12-01T00:02:00Z', 0],
		['2026-12-31T23:59:00Z', 3 * MINUTE],
		['2028-02-29T23:59:00Z', 3 * MINUTE],
		['2026-11-15T00:00:00Z', 0],
	])('at %s creates are held back for %i ms', (instant, wait) => {
		expect(monthTurnWait(at(instant))).toBe(wait);
		// Whoever waits as long is out of the guard band.
		expect(monthTurnWait(at(instant) + wait)).toBe(0);
	});

	test('has the name that English gives it, in each month', () => {
		for (let month = 0; month < 12; month += 1) {
			const instant = Date.UTC(2027, month, 15);
			const inEnglish = {
				day: 'numeric',
				month: 'long',
				year: 'numeric',
				timeZone: 'UTC',
			} as const;
			expect(dayInWords(instant)).toBe(new Date(instant).toLocaleDateString('en-GB', inEnglish));
		}
		expect(dayInWords(at('2028-02-29T23:59:59Z'))).toBe('29 February 2028');
	});
});
