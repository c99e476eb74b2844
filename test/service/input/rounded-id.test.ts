import { isRounded, roundedProblem } from '../../../service/input/rounded-id';

test.each([
	['1729384756102938475', false],
	['1729384756102930000', true],
	['172938475610293000', true],
	['17293847561029300', false],
	['172938475610293000000000', true],
	['100000', false],
	['0172938475610293000', false],
	['', false],
])('whether a spreadsheet has rounded the ID %s: %s', (id, expected) => {
	expect(isRounded(id)).toBe(expected);
});

test('a message about a rounded ID says which one, why, and what to do in the spreadsheet', () => {
	const { what, cure } = roundedProblem('1729384756102930000');
	expect(what).toMatch(/“1729384756102930000”.*a spreadsheet has rounded the ID/);
	expect(cure).toMatch(/column as Text.*If the ID really ends in zeros, leave it out/);
});
