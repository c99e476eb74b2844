import type * as Dates from '../../../batch/results/page/dates';

afterEach(() => jest.restoreAllMocks());

test.each([
	['Asia/Kathmandu', '20 Nov 2026, 19:48', 'GMT+5:45'],
	['Etc/Unknown', '20 Nov 2026, 14:03', 'UTC'],
	[undefined, '20 Nov 2026, 14:03', 'UTC'],
])('on a machine whose time zone is %s to Node.js a time is %s, %s', (timeZone, time, zone) => {
	const resolved = new Intl.DateTimeFormat().resolvedOptions();
	jest
		.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
		.mockReturnValue(Object.assign(resolved, { timeZone }));
	jest.isolateModules(() => {
		const { DateFormatter } = jest.requireActual<typeof Dates>('../../../batch/results/page/dates');
		const dates = new DateFormatter();
		const instant = Date.UTC(2026, 10, 20, 14, 3);
		expect(dates.dateTime(instant)).toBe(time);
		expect(dates.zoneName(instant)).toBe(zone);
	});
});
