import { IdMap, IdSet, isSameId } from '../../../service/api/brief-id';

const [SMALL, CAPITAL] = ['7d0b4a52-8c1e', '7D0B4A52-8C1E'];

describe('the ID of a brief', () => {
	test('is the same in capitals', () => {
		expect(isSameId(SMALL, CAPITAL)).toBe(true);
		expect(isSameId(SMALL, 'other')).toBe(false);
		expect(isSameId(null, SMALL)).toBe(false);
	});

	test('is in a set once, as it came in', () => {
		const ids = new IdSet([CAPITAL, SMALL]);
		expect([...ids]).toEqual([CAPITAL]);
		expect(ids.has(SMALL)).toBe(true);
		expect([ids.delete(SMALL), ids.delete(CAPITAL), ids.has(CAPITAL)]).toEqual([
			true,
			false,
			false,
		]);
		expect([...ids.add(SMALL)]).toEqual([SMALL]);
	});

	test('finds its value in a map, and is a key as it came in', () => {
		const map = new IdMap([[CAPITAL, 1]]);
		map.set(SMALL, 2);
		expect([...map]).toEqual([[CAPITAL, 2]]);
		expect([map.get(SMALL), map.has(SMALL), map.get('other')]).toEqual([2, true, undefined]);
		expect([map.delete(SMALL), map.size, map.has(CAPITAL)]).toEqual([true, 0, false]);
	});
});
