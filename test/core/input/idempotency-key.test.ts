import fc from 'fast-check';
import type { BriefInput } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import { makeIdempotencyKey, toBody } from '../../../core/input/idempotency-key';
import { INPUT_FIELDS } from '../../../core/input/input-fields';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const text = fc.string({ unit: 'grapheme' });
const input: fc.Arbitrary<BriefInput> = fc.record(
	{
		product_name: text,
		product_id: text,
		audience: text,
		campaign_terms: text,
		reference_urls: fc.array(text),
	},
	{ requiredKeys: ['product_name'] },
);
const supersedes = fc.oneof(fc.constant(''), fc.uuid());

test('has the form of a random UUID', () => {
	fc.assert(
		fc.property(input, supersedes, (order, superseded) => {
			expect(makeIdempotencyKey(order, superseded)).toMatch(UUID);
		}),
	);
});

test('is the same only for the same body and the same superseded brief', () => {
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

test('does not depend on the sequence of the fields, nor on fields without a value', () => {
	fc.assert(
		fc.property(input, (order) => {
			const backwards = Object.fromEntries(
				Object.entries(order).reverse(),
			) as unknown as BriefInput;
			const withGap: BriefInput = { ...backwards, objective: undefined };
			expect(makeIdempotencyKey(withGap, '')).toBe(makeIdempotencyKey(order, ''));
		}),
	);
});

test('follows the exact body, although the content is the same', () => {
	const spellings = ["Fay's Mug", 'FAY’S MUG', "Fay's  Mug"];
	const orders = spellings.map((product_name) => ({ product_name }));
	expect(new Set(orders.map(toContentId)).size).toBe(1);
	expect(new Set(orders.map((order) => makeIdempotencyKey(order, ''))).size).toBe(3);
});

test('depends on nothing but the order', () => {
	const order = { product_name: 'Mug' };
	const key = makeIdempotencyKey(order, '');
	const folder = process.cwd();
	jest.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
	try {
		process.chdir('/');
		expect(makeIdempotencyKey({ ...order }, '')).toBe(key);
	} finally {
		process.chdir(folder);
		jest.useRealTimers();
	}
});

test('the body has its fields in the sequence of docs/api.md 4.3', () => {
	const order: BriefInput = {
		reference_urls: ['https://a.example'],
		creative_direction: 'g',
		campaign_terms: 'f',
		approved_facts: 'e',
		objective: 'd',
		audience: 'c',
		product_id: '12345',
		product_name: 'Mug',
	};
	expect(Object.keys(toBody(order))).toEqual(INPUT_FIELDS);
	expect(Object.keys(toBody(order))).toEqual(Object.keys(order).reverse());
});
