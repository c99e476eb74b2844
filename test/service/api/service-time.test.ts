import { createdByOurClock, ServiceTime } from '../../../service/api/service-time';

const NOW = Date.UTC(2026, 10, 10, 12);
const clock = (now: number) => ({ now: () => now });

describe('when a brief was created, by this machine’s clock', () => {
	const created = (created_at: unknown, ahead = 0) =>
		createdByOurClock({ created_at }, clock(NOW + ahead), clock(NOW));

	test.each([0, 3_600_000, -3_600_000])(
		'counts from the service’s clock, which is %i ms ahead of this machine’s',
		(ahead) => {
			const at = new Date(NOW + ahead - 60_000).toISOString();
			expect(created(at, ahead)).toBe(NOW - 60_000);
		},
	);

	test('is never in the future, and not known if it cannot be read', () => {
		expect(created(NOW + 5000)).toBe(NOW);
		expect(created('a moment ago')).toBeNull();
		expect(created(undefined)).toBeNull();
	});
});

describe('how far the service’s clock is ahead', () => {
	const MINUTE = 60_000;
	const DAY = 86_400_000;
	const utc = (time: number) => new Date(time).toUTCString();
	/** Five answers in a minute, three days ahead. */
	function learnt(): ServiceTime {
		const time = new ServiceTime();
		for (let n = 1; n <= 5; n += 1)
			time.observe(utc(NOW + 3 * DAY + n * 10_000), NOW + n * 10_000, NOW + n * 10_000);
		return time;
	}

	test('is this machine’s clock until an answer has shown the service’s', () => {
		const time = new ServiceTime();
		time.observe(undefined, NOW);
		time.observe('nonsense', NOW);
		expect(time.offset()).toBe(0);
	});

	test('is the median of the last five, so that one odd answer does not move it', () => {
		const time = new ServiceTime();
		for (const ahead of [60_000, 61_000, 62_000]) time.observe(utc(NOW + ahead), NOW);
		time.observe(utc(0), NOW);
		time.observe(utc(NOW + 63_000), NOW);
		expect(time.offset()).toBe(61_000);
		for (let i = 0; i < 3; i += 1) time.observe(utc(NOW - 1000), NOW);
		expect(time.offset()).toBe(-1000);
	});

	test('is known again by the first answer after this machine’s clock was set ahead', () => {
		const time = learnt();
		const after = NOW + 3 * DAY + 2 * MINUTE;
		time.observe(utc(after), after, after - 1000);
		expect(time.offset()).toBe(0);
	});

	test('is not taken from an answer during which the clock was set or the computer slept, but from the next', () => {
		const time = learnt();
		const after = NOW + 3 * DAY + 2 * MINUTE;
		time.observe(utc(after), after, NOW + MINUTE);
		expect(time.offset()).toBe(3 * DAY);
		time.observe(utc(after + MINUTE), after + MINUTE, after + MINUTE);
		expect(time.offset()).toBe(0);
	});

	test('is not taken from one answer that a proxy has kept for long', () => {
		const time = learnt();
		time.observe(utc(NOW - DAY), NOW + 2 * MINUTE, NOW + 2 * MINUTE);
		expect(time.offset()).toBe(3 * DAY);
	});
});
