import fc from 'fast-check';
import { parseTimestamp } from '../../../core/api/timestamps';

const NOON = Date.UTC(2026, 10, 20, 12);

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
])('reads %p as noon', (timestamp) => {
	expect(parseTimestamp(timestamp)).toBe(NOON);
});

test.each([
	// A date is its start in UTC.
	['2026-11-20', Date.UTC(2026, 10, 20)],
	['2026-11-20T12:00:00.25Z', NOON + 250],
	['2026-11-20 12:00:00.5', NOON + 500],
	// The size shows whether a number is in seconds, milliseconds or microseconds.
	[99_999_999_999, 99_999_999_999_000],
	[100_000_000_000, 100_000_000_000],
	[99_999_999_999_999, 99_999_999_999_999],
	[100_000_000_000_000, 100_000_000_000],
])('reads %p as %p', (timestamp, time) => {
	expect(parseTimestamp(timestamp)).toBe(time);
});

test.each([
	...['', ' ', '120', '2026', '20261120', 'foo 2026', 'soon', '-5', '11/20/2026', 'Nov', 'true'],
	...['0x123456789', '+1763640000', '1763640000e3', '1763640000 s'],
	...['2026-13-01', '2026-11-20T25:00:00Z', 'Brief 7 of 2026-11-20', '9'.repeat(400)],
	...[`Nov 20 2026 12:00:00 ${' '.repeat(100)}`],
	...[NaN, Infinity, -1, 0, null, undefined, true, {}, []],
])('returns null for %p', (value) => {
	expect(parseTimestamp(value)).toBeNull();
});

test('reads a time without a zone as UTC, in any time zone of the machine', () => {
	const parse = jest.spyOn(Date, 'parse');
	expect(parseTimestamp('20 Nov 2026 12:00:00')).toBe(NOON);
	expect(parse).toHaveBeenCalledWith('20 Nov 2026 12:00:00 GMT');
});

test('returns a time that a Date can hold, or null, for any value', () => {
	const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-:TZ+., ')) });
	fc.assert(
		fc.property(fc.oneof(fc.anything(), fc.double(), digits, fc.string()), (value) => {
			const time = parseTimestamp(value);
			expect(new Date(time ?? 0).getTime()).not.toBeNaN();
		}),
		{ numRuns: 2000 },
	);
});
