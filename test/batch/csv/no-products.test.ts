import fc from 'fast-check';
import { Stop } from '../../../batch/stop';
import { failure, open, read, problemsOf } from '../../support/batch/read-csv';

const namesIn = async (csv: string) =>
	(await read(csv)).map(({ number, input }) => [number, input.product_name]);

/** What the notices say of lines that were left out. */
async function leftOut(csv: string): Promise<string[]> {
	const { notices } = await open(csv);
	return notices.filter((text) => / the header (is|are) left out/.test(text));
}

jest.setTimeout(60_000);

describe('a title above the header', () => {
	test.each([
		['on a line of its own', 'Spring campaign\nProduct Name,Product ID\nSoap,12345\n', 3],
		['with a blank line below', 'Spring campaign\n\nName,Goal\nSoap,sell\n', 4],
		['padded as a spreadsheet does', 'Spring campaign,,\n,,\nName,Goal,Price\nSoap,sell,3\n', 4],
		['of two cells', 'Exported,2026-11-21\nShop,Name,Price,Size\nA,Soap,3,S\n', 3],
		['of two lines', 'Spring campaign\nfor Alma\nName;Goal\nSoap;sell\n', 4],
		['with a comma, above semicolons', 'Soap, mugs and more\n\nName;Goal\nSoap;sell\n', 4],
		['that names a field', 'Products\nProduct\nProduct Name,Product ID\nSoap,12345\n', 4],
	])('%s is left out', async (_name, csv, row) => {
		const table = await open(csv);
		expect(table.rows.map(({ number, input }) => [number, input.product_name])).toEqual([
			[row, 'Soap'],
		]);
		expect(table.notices[1] ?? '').not.toContain('no header');
		expect(table.notices.join('\n')).toMatch(
			new RegExp(
				`The header is row ${row - 1}\\. Rows? .* above it (is a title|are titles) and left out: “`,
			),
		);
	});

	test.each([
		['rows as long as the header', 'Soap,a\nMug,b\nName,Goal\nPan,c\n'],
		['rows half as long', 'Soap,a,\nMug,b,\nName,Goal,Price\nPan,c,3\n'],
		['many rows', 'Soap\nMug\nPan\nCup\nPot\nName,Goal\nTea,sell\n'],
		['a single column', 'Soap\nName\nPan\n'],
	])('is not taken for one where it may be a product: %s', async (_name, csv) => {
		expect((await failure(csv)).cure).toMatch(
			/^Row \d looks like the header|^The first row must be the header/,
		);
	});
});

describe('the lines of an upload template', () => {
	/** As the seller centre exports its products. */
	const EXPORT = [
		'product_id,category,product_name,price',
		'V3,basic_information,product_name,price',
		'Product ID,Category,Product Name,Price',
		'Mandatory,Mandatory,Mandatory,Optional',
		'Cannot be edited,Cannot be edited,"• Fewer than 255 characters.\n• Enter the title of your product.",Numbers only',
		'1729481234567890123,Care,Soap,3',
		'1729481234567890124,Care,Mug,4',
		'',
	].join('\n');

	test('are left out, however many', async () => {
		expect(await namesIn(EXPORT)).toEqual([
			[6, 'Soap'],
			[7, 'Mug'],
		]);
		const { notices } = await open(EXPORT);
		expect(notices.at(-1)).toMatch(
			/^Rows 2, 3, 4 and 5 describe the columns and are left out: “product_name”, “Product Name”, “Mandatory” and 1 more\.$/,
		);
	});

	test.each([
		['Name,Goal', 'Mandatory,Optional'],
		['Name,Goal', 'required,(optional)'],
		['Produktname;Ziel', 'Pflichtfeld;Optional'],
		['Nom du produit;Objectif', 'Obligatoire;Facultatif'],
		['Nombre del producto;Objetivo', 'Obligatorio;Opcional'],
		['Name', 'Mandatory'],
	])('below %s: “%s” is none of the products', async (header, line) => {
		const table = await open(`${header}\n${line}\nSoap\n`, { set: {} });
		expect(table.rows.map(({ number }) => number)).toEqual([3]);
		expect(table.notices.at(-1)).toMatch(/^Row 2 describes the columns and is left out: “/);
	});

	test.each([
		['with a price', 'Name,Price,SKU\nOptional,12.99,A-1\nSoap,3,A-2\n'],
		['with an ID', 'Name,Product ID\nMandatory,1729481234567890123\n'],
		['whose name begins like an instruction', 'Name,Goal\nEnter the Dungeon,sell\n'],
		['that has more to its name', 'Name\nOptional Extras Pack\nRequired Reading Lamp\n'],
		['far below the header', `Name\n${'Soap and water\n'.repeat(12)}Optional\n`],
	])('are not seen in a product %s', async (_name, csv) => {
		const lines = csv.trimEnd().split('\n').length - 1;
		expect(await read(csv)).toHaveLength(lines);
		expect((await open(csv)).notices.join()).not.toContain('left out');
	});

	test('are left out with --map too', async () => {
		const map = [
			{ header: 'category', field: 'audience' as const },
			{ header: 'price', field: '-' as const },
		];
		const { rows } = await open(EXPORT, { map });
		expect(rows.map(({ number, input }) => [number, input.audience])).toEqual([
			[6, 'Care'],
			[7, 'Care'],
		]);
		expect(problemsOf(rows)).toEqual([]);
	});

	test('hold up what is between them: it is neither lost nor ordered', async () => {
		const rows = await read('Name,Goal\nNama Produk,Tujuan\nMandatory,Optional\nSoap,sell\n');
		expect(problemsOf(rows)).toEqual([
			'row 2, Name: is among the lines of a template that describe the columns',
		]);
		expect(rows.map(({ number }) => number)).toEqual([2, 4]);
	});
});

describe('the header in the middle of a file', () => {
	test('is left out and counted, as in several exports that were joined', async () => {
		const csv = 'Name,Goal\nSoap,a\nName,Goal\nMug,b\nName,Goal\nPan,c\n';
		expect((await namesIn(csv)).map(([, name]) => name)).toEqual(['Soap', 'Mug', 'Pan']);
		expect(await leftOut(csv)).toEqual(['2 rows that repeat the header are left out.']);
	});

	test.each([
		['with the byte order mark of its file', '\ufeffName,Goal'],
		['in quotation marks', '"Name","Goal"'],
		['with the mark before quotation marks', '\ufeff"Name","Goal"'],
		['with the mark, above quoted cells', '\ufeffName,"Goal"'],
	])('is left out where it is written %s', async (_name, header) => {
		for (const first of ['Name,Goal', header]) {
			const csv = `${first}\n${'Soap,a\n'.repeat(9)}${header}\nMug,"b"\n`;
			const rows = await read(csv);
			expect(rows.slice(-2).map(({ input }) => input.product_name)).toEqual(['Soap', 'Mug']);
			expect(problemsOf(rows)).toEqual([]);
			expect(await leftOut(csv)).toEqual(['1 row that repeats the header is left out.']);
		}
	});
});

test.each([
	...['Name,Goal\n', 'Name,Goal', 'sep=;\nName;Goal\n', 'Name,Goal\n\n,,\n'],
	'Name,Paid\n,FALSE\n,FALSE\n',
])('a header without any row of a product is refused: %j', async (csv) => {
	const { what, exitCode } = await failure(csv);
	expect(what).toMatch(/^“.*” has a header, but no row of a product\.$/);
	expect(exitCode).toBe(2);
});

/** The rows that a text says are left out: by their numbers, or by how many there are. */
function toldIn(text: string): number {
	if (!text.includes('left out')) return 0;
	const titles = /Rows? ([\d, and]+) above it/.exec(text);
	const lines = /^Rows? ([\d, and]+) describe/.exec(text);
	const numbers = titles?.[1] ?? lines?.[1];
	return numbers === undefined ? Number.parseInt(text, 10) : (numbers.match(/\d+/g)?.length ?? 0);
}

test('every line that is not blank is a row or said to be left out, in CSVs made of such lines', async () => {
	const line = fc.constantFrom(
		...['soap,Soap,sell', 'soap,,', 'mug,,', ',,', 'Handle,Title,Goal', 'handle,Title,Objective'],
		...['V3,Title,Goal', 'Mandatory,Mandatory,Optional', 'x,Mandatory,3', 'Spring campaign'],
		...[
			'x,Please enter a name,Please select a goal',
			'x,• Enter the title,',
			'7,Enter the Dungeon,',
		],
		...['Exported,2026', 'Handle,Title,Goal,Price', 'Name', 'soap,Soap,sell,3'],
	);
	const start = fc.constantFrom(
		[],
		['Handle,Title,Goal'],
		['Spring campaign', 'Handle,Title,Goal'],
	);
	let leftOutRows = 0;
	await fc.assert(
		fc.asyncProperty(start, fc.array(line, { minLength: 1, maxLength: 12 }), async (top, below) => {
			const lines = [...top, ...below];
			const filled = lines.filter((text) => text !== ',,').length;
			try {
				const table = await open(`${lines.join('\n')}\n`, { delimiter: ',' });
				const { rows } = table;
				const told = table.notices.map(toldIn);
				const left = told.reduce((sum, n) => sum + n, 0);
				leftOutRows += left;
				expect(1 + rows.length + left).toBe(filled);
				const orderable = rows.filter(({ problems }) => problems.length === 0);
				for (const { input } of orderable) expect(input.product_name).not.toMatch(/^Handle|^V3/);
			} catch (error) {
				if (!(error instanceof Stop)) throw error;
			}
		}),
		{ numRuns: 400 },
	);
	expect(leftOutRows).toBeGreaterThan(400);
});
