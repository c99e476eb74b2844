import { inOneSpelling } from '../../../batch/plan/spellings';
import type { Row } from '../../../batch/csv/table';
import { contentOf } from '../../../batch/folder/journal/content';
import { Records } from '../../../batch/folder/journal/records';
import { order, recordsOf, said } from '../../support/batch/journal-events';
import { read } from '../../support/batch/read-csv';

const DUPLICATES = { allowDuplicates: true };
const ONCE = { allowDuplicates: false };

/** A journal that has ordered these rows. */
const ordered = (...rows: Row[]) =>
	recordsOf(
		...rows.map(({ id, number, input }) => ({
			...said.intent(order(`key of row ${number}, ${id}`, id)),
			product_name: input.product_name,
			content: contentOf(input),
		})),
	);

const FACTS = 'Für alle Hauttypen. '.repeat(8);
const csvOf = (names: readonly string[]) =>
	`Name,Facts\n${names.map((name) => `"${name}",${FACTS}\n`).join('')}`;
const rowsOf = async (names: readonly string[]) => await read(csvOf(names));
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

const SPELLINGS = [
	'Crème Brûlée',
	'Crème Brûlée'.normalize('NFD'),
	'CRÈME BRÛLÉE',
	'Crème  Brûlée',
	'Crème\u00a0Brûlée',
	'Crème\u200b Brûlée',
	'\ufeffCrème Brûlée\u200d',
];

test('rows of one product in seven spellings have one ID, the same in any order', async () => {
	const rows = await rowsOf(SPELLINGS);
	expect(new Set(idsOf(rows)).size).toBe(SPELLINGS.length);
	const [id, ...others] = new Set(idsOf(inOneSpelling(rows, new Records(), ONCE)));
	expect(others).toEqual([]);
	const turned = inOneSpelling([...rows].reverse(), new Records(), ONCE);
	expect(new Set(idsOf(turned))).toEqual(new Set([id]));
});

test('what is sent stays as it is written', async () => {
	const rows = await rowsOf(SPELLINGS);
	const inputs = inOneSpelling(rows, new Records(), ONCE).map(({ input }) => input);
	expect(inputs).toEqual(rows.map(({ input }) => input));
});

test('a list that was saved again on a Mac has the IDs that its rows were ordered with', async () => {
	const rows = await rowsOf(['Crème', 'Häkeltasche', 'Mug']);
	const mac = await read(csvOf(['Crème', 'Häkeltasche', 'Mug']).normalize('NFD'));
	expect(idsOf(mac)).not.toEqual(idsOf(rows));
	for (const options of [ONCE, DUPLICATES])
		expect(idsOf(inOneSpelling(mac, ordered(...rows), options))).toEqual(idsOf(rows));
});

test('rows that were ordered apart keep their own IDs, and a further spelling shares one of them', async () => {
	const [one, other, third] = await rowsOf(SPELLINGS);
	const rows = inOneSpelling([third!, other!, one!], ordered(one!, other!), ONCE);
	expect(idsOf(rows)).toEqual([one!.id, other!.id, one!.id]);
});

test('with --allow-duplicates each spelling that is in the CSV is a row of its own', async () => {
	const rows = await rowsOf(SPELLINGS);
	for (const records of [new Records(), ordered(rows[0]!)])
		expect(idsOf(inOneSpelling(rows, records, DUPLICATES))).toEqual(idsOf(rows));
});

test.each([
	['another text', 'Name,Facts\nSoap,mild\nSoap,strong\n'],
	['a text less', 'Name,Facts\nSoap,mild\nSoap,\n'],
	['other letters', 'Name\nSüß\nSuss\n'],
	['other capitals in a link', 'Name,Links\nSoap,https://a.example/x\nSoap,https://a.example/X\n'],
	['a link as the product', 'Name\nhttps://a.example/x\nhttps://a.example/X\n'],
])('%s is another product, also if one was ordered', async (_what, csv) => {
	const rows = await read(csv);
	expect(idsOf(inOneSpelling(rows, new Records(), ONCE))).toEqual(idsOf(rows));
	expect(idsOf(inOneSpelling(rows, ordered(rows[0]!), ONCE))).toEqual(idsOf(rows));
});

test('invalid rows have no ID in any spelling', async () => {
	const rows = await read('Name,Product ID\nSoap,x\nsoap,x\nMug,\n');
	expect(idsOf(inOneSpelling(rows, new Records(), ONCE)).slice(0, 2)).toEqual(['', '']);
});
