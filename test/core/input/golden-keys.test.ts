import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BriefInput } from '../../../core/api/types';
import { makeIdempotencyKey, toBody } from '../../../core/input/idempotency-key';
import { GOLDEN_CSVS, readGoldenRows } from '../../golden/golden-rows';

/**
 * Freezes the idempotency keys. A journal has the key of an order that was sent, but n8n, a colleague and another folder
 * compute the key again: with another format, the service would take their request for a new order, and it would be paid
 * again. So a key in keys.json is never changed to fit the code.
 *
 * A program that shares no code with this project computed the keys (Python's json and hashlib): the first 16 bytes of the
 * SHA-256 of "brief", the JSON body and what the order supersedes, each written as its length in bytes, a colon, itself
 * and a comma, with the bits of a UUID of version 4 set.
 */

interface GoldenKeys {
	/** The key of each row of a golden CSV, by file and row number. */
	readonly rows: Record<string, Record<string, string>>;
	readonly orders: ReadonlyArray<{ input: BriefInput; supersedes: string; key: string }>;
}

const KEYS = JSON.parse(
	readFileSync(join(__dirname, '../../golden/keys.json'), 'utf8'),
) as GoldenKeys;

test.each(GOLDEN_CSVS)('the rows of $file have their golden keys', (csv) => {
	const rows = readGoldenRows(csv).flatMap((row) =>
		'input' in row ? [[String(row.number), makeIdempotencyKey(row.input, '')] as const] : [],
	);
	expect(Object.fromEntries(rows)).toEqual(KEYS.rows[csv.file]);
});

test.each(KEYS.orders)('an order that supersedes “$supersedes” has its golden key', (order) => {
	expect(makeIdempotencyKey(order.input, order.supersedes)).toBe(order.key);
});

test('rows of all golden CSVs have the same key only if they have the same body', () => {
	const bodiesByKey = new Map<string, Set<string>>();
	for (const csv of GOLDEN_CSVS)
		for (const row of readGoldenRows(csv)) {
			if (!('input' in row)) continue;
			const key = makeIdempotencyKey(row.input, '');
			const bodies = bodiesByKey.get(key) ?? new Set();
			bodiesByKey.set(key, bodies.add(JSON.stringify(toBody(row.input))));
		}
	expect(bodiesByKey.size).toBeGreaterThan(50);
	expect([...bodiesByKey.values()].filter(({ size }) => size > 1)).toEqual([]);
});
