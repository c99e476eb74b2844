import { noRows, statusOf } from '../../../../batch/folder/journal/status';

test.each([
	['withdrawn', null, 'pending'],
	['in_doubt', null, 'pending'],
	['accepted', null, 'pending'],
	['ended', 'ready', 'pending'],
	['parked', null, 'parked'],
	['done', 'failed', 'failed'],
	['done', 'ready', 'ready'],
] as const)(
	'a row whose order is %s, with a brief that is %s, is %s',
	(state, status, expected) => {
		expect(statusOf({ state, status })).toBe(expected);
	},
);

test('no row is counted before the first', () => {
	expect(new Set(Object.values(noRows()))).toEqual(new Set([0]));
	expect(Object.keys(noRows())).toHaveLength(7);
});
