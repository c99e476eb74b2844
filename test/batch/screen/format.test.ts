import {
	clockTime,
	duration,
	terminalText,
	oneLine,
	printable,
} from '../../../batch/screen/format';
import { restOf, estimateOf } from '../../../batch/screen/estimate';

test.each([
	[0, '1 second'],
	[900, '1 second'],
	[4300, '4 seconds'],
	[59_400, '59 seconds'],
	[60_000, '1 minute'],
	[240_000, '4 minutes'],
	[3_600_000, '1 h 00'],
	[13_200_000, '3 h 40'],
	[35.5 * 3_600_000, '35 h 30'],
	[12 * 86_400_000, '12 days'],
])('%i ms are %s', (ms, text) => {
	expect(duration(ms)).toBe(text);
});

test('times on a clock are of the same width within an hour', () => {
	expect([-5, 0, 65_000, 3_725_000].map(clockTime)).toEqual(['0:00', '0:00', '1:05', '01:02:05']);
});

test('a text from outside is one line, without control characters', () => {
	const hostile = 'Glow\u001b[2J\r\n\u009b31mSerum\u0007\u202eevil\u2028x\u200f';
	expect(oneLine(hostile, 60)).toBe('Glow [2J 31mSerum evil x');
	expect(terminalText('one\u001b[2J\ntwo\r\nthree')).toBe('one [2J\ntwo\nthree');
});

describe('how long it takes', () => {
	test('is planned from three to six minutes a brief, with two slots or one', () => {
		const [two, one] = [estimateOf(600), estimateOf(600, 1)];
		expect(two.shortest / 3_600_000).toBeCloseTo(15.7, 1);
		expect(two.longest / 3_600_000).toBeCloseTo(30.7, 1);
		expect(one.likely).toBe(2 * two.likely);
		expect(estimateOf(0)).toEqual({ shortest: 0, likely: 0, longest: 0 });
		expect(estimateOf(1).likely).toBe(estimateOf(2).likely);
	});

	test('is estimated from finished briefs once there are three', () => {
		expect(restOf(10, [240_000, 240_000], 2)).toBeNull();
		const three = [200_000, 240_000, 280_000];
		expect([restOf(1, three, 2), restOf(10, three, 2)]).toEqual([240_000, 1_200_000]);
	});
});

test('what is printed controls a terminal with line ends and its own colours only', () => {
	const text = '\u001b[33mparked\u001b[39m a\u001b[2Jb\u009bc\u202ed\te\n\nf\u001b]0;x\u0007';
	expect(printable(text, true)).toBe('\u001b[33mparked\u001b[39m a [2Jb c d e\n\nf ]0;x ');
	expect(printable(text)).toBe(' parked  a [2Jb c d e\n\nf ]0;x ');
});
