import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJournal } from '../../../batch/journal/read';

/** Journals as earlier versions wrote them, never to be changed: they stand for those that users have. */
const golden = (name: string) => readFileSync(join(__dirname, 'golden', name));

test('a journal of format 1 is read as it was meant', () => {
	const bytes = golden('format-1.jsonl');
	const { records, lines, intactLength } = parseJournal(bytes, 'format-1.jsonl');
	expect([lines, intactLength]).toEqual([27, bytes.length]);
	expect(records.batch).toBe('products.csv');
	expect(records.baseUrl).toBe('https://api.vendor.example/v1');
	expect(records.isUnderWay).toBe(true);
	expect(records.lastRun).toMatchObject({ outcome: 'complete', used: 17, counts: { parked: 2 } });
	const states = records
		.all()
		.map(({ row_number, ordinal, generation, state, status }) =>
			[`row ${row_number}`, `${ordinal}.${generation}`, state, status].join(' '),
		);
	expect(states).toEqual([
		'row 2 1.1 done ready',
		'row 3 1.1 ended ready',
		'row 4 1.1 withdrawn ',
		'row 5 1.1 done failed',
		'row 6 1.1 done failed',
		'row 7 1.1 parked ',
		'row 8 1.1 parked ',
		'row 6 1.2 in_doubt ',
		'row 2 2.1 accepted ',
	]);
	expect(records.of('2'.repeat(32), 1)).toEqual({
		key: '00000000-0000-4000-8000-000000002101',
		row: '2'.repeat(32),
		ordinal: 1,
		generation: 1,
		row_number: 3,
		product_name: 'Crème “Ré” 🧴',
		first_tried: '2026-11-20T09:04:00.000Z',
		last_tried: '2026-11-20T09:04:00.000Z',
		accepted_at: '2026-11-20T09:05:00.000Z',
		state: 'ended',
		status: 'ready',
		title: 'Title 2',
		brief_id: '22222222-7d41-4c52-9f3e-0a6f2b7c9d10',
		url: 'https://app.vendor.example/briefs/22222222-7d41-4c52-9f3e-0a6f2b7c9d10',
		created_at: 1_763_629_440,
		finished_at: 1_763_629_680,
		ended_at: '2026-11-20T09:10:00.000Z',
		took_ms: null,
		file: null,
		sha256: null,
		error_code: null,
		error: null,
	});
	expect(records.of('5'.repeat(32), 1)).toMatchObject({ generation: 2, state: 'in_doubt' });
	expect(records.of('1'.repeat(32), 1)).toMatchObject({
		file: 'product-1-11111111',
		sha256: 'a'.repeat(64),
	});
	expect(records.of('4'.repeat(32), 1)?.error_code).toBe('validation_failed');
});
