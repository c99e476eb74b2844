import fc from 'fast-check';
import { instantOf } from '../../../service/api/timestamps';

const NOON = Date.UTC(2026, 10, 20, 12);

describe('instantOf', () => {
	test.each<string | number>([
		...['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.000123456Z'],
		...['2026-11-20t12:00:00z', '2026-11-20T12:00:00,000Z', '2026-11-20T12:00:00'],
		...['2026-11-20 12:00:00', '2026-11-20 12:00', '2026-11-20T12:00Z'],
		...['2026-11-20 12:00:00 UTC', '2026-11-20 12:00:00+00', '2026-11-20T12:00:00+0000'],
		...['2026-11-20T13:00:00+01:00', '2026-11-20T07:00:00-05', '2026-11-20T17:30:00+0530'],
		...[' 2026-11-20T12:00:00Z ', 'Fri, 20 Nov 2026 12:00:00 GMT'],
		...['Fri, 20 Nov 2026 12:00:00 +0000', 'Fri, 20 Nov 2026 13:00:00 +0100'],
		...['Friday, 20-Nov-26 12:00:00 GMT', 'Fri Nov 20 12:00:00 2026', '20 Nov 2026 12:00:00'],
		...['Nov 20, 2026 12:00 PM', '2026/11/20 12:00:00', NOON, NOON / 1000, NOON * 1000],
		...[NOON * 1_000_000, String(NOON), String(NOON / 1000), `${NOON / 1000}.0`],
		...[`${NOON / 1000}.000`],
	])('reads %p as the noon that it is', (timestamp) => {
		expect(instantOf(timestamp)).toBe(NOON);
	});

	test('reads a date as its start in UTC, and keeps milliseconds', () => {
		expect(instantOf('2026-11-20')).toBe(Date.UTC(2026, 10, 20));
		expect(instantOf('2026-11-20T12:00:00.25Z')).toBe(NOON + 250);
		expect(instantOf('2026-11-20 12:00:00.5')).toBe(NOON + 500);
	});

	test('reads no date from a text that is longer than any', () => {
		const endless = `Nov 20 2026 ${'+00:00 ('.repeat(125_000)}`;
		expect(instantOf(endless)).toBeNull();
	});

	test('distinguishes seconds, milliseconds and microseconds by their size alone', () => {
		expect(instantOf(99_999_999_999)).toBe(99_999_999_999_000);
		expect(instantOf(100_000_000_000)).toBe(100_000_000_000);
		expect(instantOf(99_999_999_999_999)).toBe(99_999_999_999_999);
		expect(instantOf(100_000_000_000_000)).toBe(100_000_000_000);
	});

	test.each([
		...['', ' ', '120', '2026', '20261120', 'foo 2026', 'soon', '-5', '11/20/2026', 'Nov', 'true'],
		...['0x123456789', '+1763640000', '1763640000e3', '1763640000 s'],
		...['2026-13-01', '2026-11-20T25:00:00Z', 'Brief 7 of 2026-11-20', '9'.repeat(400)],
		...[NaN, Infinity, -1, 0, null, undefined, true, {}, []],
	])('finds no time in %p', (nothing) => {
		expect(instantOf(nothing)).toBeNull();
	});

	test('finds a time that a Date can hold, or none, in anything', () => {
		const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-:TZ+., ')) });
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.double(), digits, fc.string()), (value) => {
				const instant = instantOf(value);
				expect(new Date(instant ?? 0).getTime()).not.toBeNaN();
			}),
			{ numRuns: 2000 },
		);
	});
});
