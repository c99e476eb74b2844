import fc from 'fast-check';
import { asIdempotencyKey, contentText, uuidFrom } from '../../../service/input/key';
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

describe('contentText', () => {
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
				expect(contentText(backwards)).toBe(contentText(given));
				expect(contentText({ ...given, objective: undefined })).toBe(contentText(given));
			}),
		);
	});

	test('does not depend on capitals, nor on how blanks and line ends are written', () => {
		const lamp = { product_name: 'Lamp', reference_urls: ['Shelf  two', 'https://x.example/A'] };
		const text = contentText({ ...lamp, campaign_terms: ' 10 %\r\nNet\n' });
		expect(text).toBe(
			'[["campaign_terms","10 % net"],["product_name","lamp"],["reference_urls",["shelf two","https://x.example/A"]]]',
		);
		expect(contentText({ ...lamp, campaign_terms: '10 %\nnet' })).toBe(text);
	});

	test('says which field has which value', () => {
		const texts = [
			contentText({ product_name: 'a', audience: 'b' }),
			contentText({ product_name: 'b', audience: 'a' }),
			contentText({ product_name: 'a', objective: 'b' }),
			contentText({ product_name: 'a', reference_urls: ['b', 'c'] }),
			contentText({ product_name: 'a', reference_urls: ['b,c'] }),
		];
		expect(new Set(texts).size).toBe(texts.length);
	});
});

const GOLDEN = [
	'e3b0c442-98fc-4c14-9afb-f4c8996fb924',
	'643d76d2-766c-4c66-bf6d-f40630304dc3',
	'095f15b4-f69c-453f-ae17-8b3856dfb9a5',
	'492f4713-f1db-4b37-85af-a451fae3f280',
	'27a4101c-799b-411f-94e1-0a8f9d541381',
];
