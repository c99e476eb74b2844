import fc from 'fast-check';
import { toContentId } from '../../../core/input/content';
import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import { INPUT_FIELDS } from '../../../core/input/input-fields';
import { GOLDEN_CSVS, GOLDEN_KEYS, readGoldenRows } from '../../golden/golden-rows';

/*
 * The golden keys freeze the format. n8n, a colleague and another folder compute the key of an order again. If the format
 * changed, the service would accept their request as a new order, which costs another brief. So never change a key in
 * keys.json to match the code.
 *
 * A program that shares no code with this project computed the keys (Python's json and hashlib): the first 16 bytes of the
 * SHA-256 of "brief", the JSON body and what the order supersedes, each written as its length in bytes, a colon, itself
 * and a comma, with the bits of a UUID of version 4 set.
 */

test.each(GOLDEN_CSVS)('the rows of $file have their golden keys', (csv) => {
	const rows = readGoldenRows(csv).flatMap((row) =>
		'input' in row ? [[String(row.number), makeIdempotencyKey(row.input, '')] as const] : [],
	);
	expect(Object.fromEntries(rows)).toEqual(GOLDEN_KEYS.rows[csv.file]);
});

test.each(GOLDEN_KEYS.orders)(
	'an order that supersedes “$supersedes” has its golden key',
	(order) => {
		expect(makeIdempotencyKey(order.input, order.supersedes)).toBe(order.key);
	},
);

test.each(INPUT_FIELDS.slice(1).map((field, index) => [INPUT_FIELDS[index]!, field] as const))(
	'a golden order has %s and %s, which freezes their sequence',
	(...neighbors) => {
		expect(GOLDEN_KEYS.orders.some(({ input }) => neighbors.every((field) => field in input))).toBe(
			true,
		);
	},
);

test('the key is the same only for the same body and the same superseded brief', () => {
	const few = fc.string({ unit: fc.constantFrom('1', ':', ',', 'a'), maxLength: 3 });
	const order = fc.tuple(fc.record({ product_name: few, audience: few }), few);
	fc.assert(
		fc.property(order, order, (a, b) => {
			const isSameKey = makeIdempotencyKey(...a) === makeIdempotencyKey(...b);
			expect(isSameKey).toBe(JSON.stringify(a) === JSON.stringify(b));
		}),
		{ numRuns: 1000 },
	);
});

test('the key depends neither on the sequence of the fields nor on fields without a value', () => {
	const order = { product_name: 'Mug', product_id: '12345', audience: 'Bakers' };
	const backwards = { audience: 'Bakers', product_id: '12345', product_name: 'Mug' };
	const key = makeIdempotencyKey(order, '');
	expect(makeIdempotencyKey({ objective: undefined, ...backwards }, '')).toBe(key);
});

test('the key follows the exact body, although the content is the same', () => {
	const spellings = ["Fay's Mug", 'FAY’S MUG', "Fay's  Mug"];
	const orders = spellings.map((product_name) => ({ product_name }));
	expect(new Set(orders.map(toContentId)).size).toBe(1);
	expect(new Set(orders.map((order) => makeIdempotencyKey(order, ''))).size).toBe(3);
});
