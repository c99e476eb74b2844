import fc from 'fast-check';
import { asIdempotencyKey, canonical, uuidFrom } from '../../../service/input/key';
import type { BriefInput } from '../../../service/api/resources';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('uuidFrom', () => {
	test('gives the keys that it always gave: another value would pay for every brief again', () => {
		expect(uuidFrom()).toBe(GOLDEN[0]);
		expect(uuidFrom('')).toBe(GOLDEN[1]);
		expect(uuidFrom('brief-batch', 'spring', 'row', '1', '1')).toBe(GOLDEN[2]);
		expect(uuidFrom('Lämpchen 💡')).toBe(GOLDEN[3]);
	});

	test('always has the shape of a random UUID', () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
				expect(uuidFrom(...parts)).toMatch(UUID);
				expect(uuidFrom(...parts)).toBe(uuidFrom(...parts));
			}),
		);
	});

	test('gives two lists of parts one key only if they are the same list', () => {
		const few = fc.array(fc.string({ unit: fc.constantFrom('1', ':', ',', 'a'), maxLength: 4 }), {
			maxLength: 4,
		});
		fc.assert(
			fc.property(few, few, (a, b) => {
				expect(uuidFrom(...a) === uuidFrom(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
			}),
			{ numRuns: 2000 },
		);
		expect(uuidFrom('ab', 'c')).not.toBe(uuidFrom('a', 'bc'));
		expect(uuidFrom('a', '')).not.toBe(uuidFrom('a'));
	});
});

describe('asIdempotencyKey', () => {
	test('sends a UUID as it is, in lower case', () => {
		const uuid = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
		expect(asIdempotencyKey(uuid)).toBe(uuid.toLowerCase());
		expect(asIdempotencyKey(` ${uuid}\n`)).toBe(uuid.toLowerCase());
	});

	test('turns any other text into a UUID, always the same, whatever blanks are around it', () => {
		expect(asIdempotencyKey('SKU-1')).toMatch(UUID);
		expect(asIdempotencyKey('SKU-1')).toBe(GOLDEN[4]);
		expect(asIdempotencyKey(' SKU-1 ')).toBe(GOLDEN[4]);
		expect(asIdempotencyKey('SKU-2')).not.toBe(GOLDEN[4]);
		expect(asIdempotencyKey('3F2504E0-4F89-11D3-9A0C-0305E82C330')).toMatch(UUID);
	});
});

describe('canonical', () => {
	const text = fc.string({ unit: 'binary' });
	const input: fc.Arbitrary<BriefInput> = fc.record(
		{
			product_name: text,
			product_id: text,
			audience: text,
			approved_facts: text,
			reference_urls: fc.array(text),
		},
		{ requiredKeys: ['product_name'] },
	);

	test('does not depend on the order of the fields, nor on fields without a value', () => {
		fc.assert(
			fc.property(input, (given) => {
				const backwards = Object.fromEntries(Object.entries(given).reverse()) as never;
				expect(canonical(backwards)).toBe(canonical(given));
				expect(canonical({ ...given, objective: undefined })).toBe(canonical(given));
			}),
		);
	});

	test('does not depend on the line ends of the terms, nor on blanks around them', () => {
		const terms = (campaign_terms: string) => canonical({ product_name: 'Lamp', campaign_terms });
		expect(terms(' 10 %\r\nnet\n')).toBe(terms('10 %\nnet'));
		expect(terms('10 %\nnet')).toBe('[["campaign_terms","10 %\\nnet"],["product_name","Lamp"]]');
	});

	test('is the JSON of the sorted pairs, so that no two inputs share it', () => {
		fc.assert(
			fc.property(input, (given) => {
				const pairs = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
				expect(canonical(given)).toBe(JSON.stringify(pairs));
			}),
		);
	});
});

const GOLDEN = [
	'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
	'643d76d2-766c-4c66-bf6d-f40630304dc3',
	'095f15b4-f69c-453f-ae17-8b3856dfb9a5',
	'492f4713-f1db-4b37-85af-a451fae3f280',
	'27a4101c-799b-411f-94e1-0a8f9d541381',
];
