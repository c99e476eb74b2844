import { DateFormatter, durationToTheSecond } from '../../../batch/page/dates';
import { START } from '../../support/batch/report-fixtures';
import { HOUR, MINUTE } from '../../support/time';

afterEach(() => jest.restoreAllMocks());

test.each([
	['Asia/Kathmandu', '20 Nov 2026, 14:45 GMT+5:45'],
	['Etc/Unknown', '20 Nov 2026, 09:00 UTC'],
	[undefined, '20 Nov 2026, 09:00 UTC'],
])('on a machine whose time zone is %s to Node.js a time is %s', (timeZone, time) => {
	const resolved = new Intl.DateTimeFormat().resolvedOptions();
	jest
		.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
		.mockReturnValue(Object.assign(resolved, { timeZone }));
	expect(new DateFormatter().dateTime(START)).toBe(time);
});

describe('times in words', () => {
	it.each([
		[0, '0 s'],
		[42_400, '42 s'],
		[4 * MINUTE, '4 min'],
		[250_000, '4 min 10 s'],
		[67 * MINUTE, '1 h 07 min'],
		[51 * HOUR, '2 days 3 h'],
		[-5, '0 s'],
	])('say how long %d ms are: %s', (ms, words) => {
		expect(durationToTheSecond(ms)).toBe(words);
	});

	it('name a span of one moment once', () => {
		expect(new DateFormatter('UTC').span(START, START + 5)).toBe('20 Nov 2026, 09:00 UTC');
	});
});
