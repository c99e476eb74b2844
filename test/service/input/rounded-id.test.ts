import {
	doubtfulNotice,
	isRounded,
	judgeIds,
	roundedDigits,
	roundedProblem,
} from '../../../service/input/rounded-id';

test.each([
	['1729384756102938475', 0],
	['1729384756102930000', 4],
	['172938475610293000', 3],
	['1005006123456780', 1],
	['100500612345678', 0],
	['100000', 0],
	['0172938475610293000', 0],
	['', 0],
])('of the ID %s a spreadsheet may have lost %i digits', (id, digits) => {
	expect(roundedDigits(id)).toBe(digits);
	expect(isRounded(id)).toBe(digits >= 3);
});

test.each<[string, Array<string | undefined>, ReturnType<typeof judgeIds>]>([
	['no ID', [undefined, '17290001'], 'sound'],
	['one that chance explains one time in 10', ['1005006123456780', '17290001'], 'doubtful'],
	['one that chance explains one time in 100', ['10050061234567800'], 'doubtful'],
	[
		'three that chance explains one time in 1,000',
		['1111111111111110', '2222222222222220', '3333333333333330'],
		'rounded',
	],
	['the same product three times', Array<string>(3).fill('1005006123456780'), 'doubtful'],
	[
		'one beside an ID of 15 digits, which shows nothing',
		['10050061234567800', '100500612345678'],
		'doubtful',
	],
	[
		'one beside an ID that has all its digits',
		['10050061234567800', '10050061234567810', '1005006123456781'],
		'sound',
	],
])('%s', (_, ids, judgement) => {
	expect(judgeIds(ids)).toBe(judgement);
});

test('a message about a rounded ID says which one, why, and what to do in the spreadsheet', () => {
	const { what, cure } = roundedProblem('1729384756102930000');
	expect(what).toMatch(/“1729384756102930000”.*a spreadsheet has rounded the ID/);
	expect(cure).toMatch(/column as Text.*If the ID really ends in zeros, leave it out/);
});

test('a message about IDs that may be rounded names each once, and no other ID', () => {
	const ids = ['1005006123456780', '12345', undefined, '1005006123456780', '2005006123456700'];
	const notice = doubtfulNotice(ids);
	expect(notice).toMatch(/^Check the product ID 1005006123456780 and 2005006123456700: a spreads/);
	expect(notice).toMatch(/It is sent as it is/);
});
