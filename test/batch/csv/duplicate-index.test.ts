import { createHash } from 'node:crypto';
import { DuplicateIndex } from '../../../batch/csv/duplicate-index';

const idOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

describe('rows that came before', () => {
	test('the first is known from its repetitions, which name it', () => {
		const index = new DuplicateIndex();
		expect(index.add(idOf('a'), 2)).toEqual({ ordinal: 1, firstRow: 2 });
		expect(index.add(idOf('b'), 3)).toEqual({ ordinal: 1, firstRow: 3 });
		expect(index.add(idOf('a'), 4)).toEqual({ ordinal: 2, firstRow: 2 });
		expect(index.add(idOf('a'), 9)).toEqual({ ordinal: 3, firstRow: 2 });
	});

	test.each([0, 8, 16, 24])('ids that differ only from digit %i on are different', (from) => {
		const index = new DuplicateIndex();
		const id = 'ab'.repeat(16);
		index.add(id, 1);
		expect(index.add(id.slice(0, from) + 'c' + id.slice(from + 1), 2).ordinal).toBe(1);
		expect(index.add(id, 3)).toEqual({ ordinal: 2, firstRow: 1 });
	});

	test('the largest id and the smallest are ids like others', () => {
		const index = new DuplicateIndex();
		for (const id of ['0'.repeat(32), 'f'.repeat(32)]) {
			expect(index.add(id, 5).ordinal).toBe(1);
			expect(index.add(id, 6)).toEqual({ ordinal: 2, firstRow: 5 });
		}
	});

	test('a hundred thousand rows agree with a Map', () => {
		const index = new DuplicateIndex();
		const map = new Map<string, { ordinal: number; firstRow: number }>();
		let different = 0;
		for (let row = 2; row < 100_002; row++) {
			const id = idOf(String((row * 7919) % 70_001));
			const known = map.get(id) ?? { ordinal: 0, firstRow: row };
			known.ordinal++;
			map.set(id, known);
			const { ordinal, firstRow } = index.add(id, row);
			if (ordinal !== known.ordinal || firstRow !== known.firstRow) different++;
		}
		expect(different).toBe(0);
	});

	test('a million rows take less than 60 MB', () => {
		const before = process.memoryUsage().arrayBuffers;
		const index = new DuplicateIndex();
		let state = 1;
		const word = () => {
			state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
			return state.toString(16).padStart(8, '0');
		};
		for (let row = 0; row < 1_000_000; row++) index.add(word() + word() + word() + word(), row);
		expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60e6);
	});
});
