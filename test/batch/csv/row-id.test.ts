import fc from 'fast-check';
import { read } from '../../support/batch/read-csv';

type Product = Record<'Name' | 'Goal' | 'Facts', string>;

interface Spelling {
	columns: ReadonlyArray<keyof Product | 'Note'>;
	delimiter: string;
	quoteAll: boolean;
	lineEnd: string;
	encoding: 'utf8' | 'utf8 with mark' | 'utf16le' | 'utf16be';
	padding: string;
}

const words = fc.constantFrom(
	...['Soap', 'mild', '12"', '€', 'ö', '😀', ',', ';', '\n', '\t', '"'],
);
const prose = fc
	.array(words, { minLength: 1, maxLength: 6 })
	.map((texts) => `x${texts.join(' ')}x`);
const product: fc.Arbitrary<Product> = fc.record({ Name: prose, Goal: prose, Facts: prose });
const spelling: fc.Arbitrary<Spelling> = fc.record({
	columns: fc
		.tuple(
			fc.shuffledSubarray(['Name', 'Goal', 'Facts'] as const, { minLength: 3 }),
			fc.constantFrom([], ['Note'] as const),
		)
		.map(([fields, more]) => [...fields, ...more]),
	delimiter: fc.constantFrom(',', ';', '\t', '|'),
	quoteAll: fc.boolean(),
	lineEnd: fc.constantFrom('\n', '\r\n'),
	encoding: fc.constantFrom('utf8', 'utf8 with mark', 'utf16le', 'utf16be'),
	padding: fc.constantFrom('', '  '),
});

function written(products: readonly Product[], how: Spelling): Buffer {
	const cell = (text: string) => {
		const isPlain = !how.quoteAll && !/["\r\n,;|\t]/.test(text);
		return isPlain ? text : `"${text.replaceAll('"', '""').replaceAll('\n', how.lineEnd)}"`;
	};
	const lines = products.map((one) =>
		how.columns.map((column) => {
			const text = column === 'Note' ? 'any, thing' : one[column];
			return cell(how.padding + text + how.padding);
		}),
	);
	const csv = [how.columns.map(cell), ...lines]
		.map((cells) => cells.join(how.delimiter) + how.lineEnd)
		.join('');
	if (how.encoding === 'utf8') return Buffer.from(csv);
	if (how.encoding === 'utf8 with mark') return Buffer.from(`\ufeff${csv}`);
	const utf16 = Buffer.from(`\ufeff${csv}`, 'utf16le');
	return how.encoding === 'utf16le' ? utf16 : utf16.swap16();
}

jest.setTimeout(120_000);

test('the ID of a row does not depend on how and in which order the CSV is written', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(product, { minLength: 1, maxLength: 4 }),
			spelling,
			spelling,
			async (products, one, other) => {
				const ids = (await read(written(products, one))).map(({ contentId }) => contentId);
				const turned = written([...products].reverse(), other);
				const others = (await read(turned)).map(({ contentId }) => contentId);
				expect(others.reverse()).toEqual(ids);
				expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
			},
		),
		{ numRuns: 200 },
	);
});
