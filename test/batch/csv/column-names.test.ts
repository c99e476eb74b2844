import type { TableOptions } from '../../../batch/csv/table';
import { failure, open, read } from '../../support/batch/read-csv';

/** Which column serves which field: each cell of the row names its header. */
async function servedBy(header: string, options = {}): Promise<Record<string, unknown>> {
	const cells = header.split(',').map((name) => `in ${name.trim()}`);
	const [row] = await read(`${header}\n${cells.join(',')}\n`, options);
	return { ...row?.input };
}

/** Translations by the field that they serve. The golden CSVs have all English names. */
const SERVING = {
	product_name: [
		...['Produktname', 'Nom du produit', 'Nombre del producto', 'Título del producto'],
		...['TITULO DEL PRODUCTO', 'Produkt-URL', 'Lien produit', 'Enlace'],
	],
	audience: [
		...['Zielgruppe', 'Public cible', 'Groupe cible', 'Público objetivo'],
		...['Pu\u0301blico objetivo', 'Publico Objetivo', 'Grupo objetivo'],
	],
	objective: [
		...['Kampagnenziel', 'Objectif', 'Objectif de campagne', 'Objetivo'],
		'Objetivo de la campaña',
	],
	approved_facts: [
		...['Fakten', 'Faits approuvés', 'Hechos aprobados', 'Freigegebene Aussagen'],
		...['Allégations approuvées', 'Afirmaciones aprobadas'],
	],
	campaign_terms: [
		...['Teilnahmebedingungen', 'Termes et conditions', 'Términos y condiciones'],
		...['Kampagnenbedingungen', 'Conditions de la campagne', 'Condiciones de la campaña'],
	],
	creative_direction: ['Kreative Richtung', 'Direction créative', 'Dirección creativa'],
	product_id: ['Produkt-ID', 'ID du produit', 'ID del producto'],
	reference_urls: ['Referenzlinks', 'Liens de référence', 'Enlaces'],
};
const CELLS: Record<string, string> = {
	product_id: '1729481234567890123',
	reference_urls: 'https://example.com/a',
};

describe('headers', () => {
	test.each(
		Object.entries(SERVING).flatMap(([field, headers]) => headers.map((one) => [one, field])),
	)('“%s” serves %s', async (header = '', field = '') => {
		const cell = CELLS[field] ?? 'a value';
		const isProduct = field === 'product_name';
		const [row] = await read(isProduct ? `${header}\n${cell}\n` : `Name,${header}\nSoap,${cell}\n`);
		expect(row?.input).toEqual({
			...(isProduct ? {} : { product_name: 'Soap' }),
			[field]: field === 'reference_urls' ? [cell] : cell,
		});
	});

	test.each([
		...['Artikelnummer', 'Référence', 'Referencia', 'Référence produit', 'Artikel', 'Titre'],
		...['Público', 'Public', 'Bedingungen', 'Conditions', 'Condiciones', 'Nom', 'Referenzen'],
	])('“%s” may mean something else, and serves no field', async (header) => {
		expect((await read(`Name,${header}\nSoap,12345\n`))[0]?.input).toEqual({
			product_name: 'Soap',
		});
	});

	test.each([
		['Titel,Link,Produktname', {}, { product_name: 'in Link' }],
		['Title,Produktname', {}, { product_name: 'in Title' }],
		['Goal,Name,Ziel', {}, { product_name: 'in Name', objective: 'in Goal' }],
		['Produktname,Goal', { product_name: 'Soap' }, { product_name: 'Soap', objective: 'in Goal' }],
	])(
		'in %s a translation changes no product of a row that can be ordered without it',
		async (header, set, input) => {
			expect(await servedBy(header, { set })).toEqual(input);
		},
	);

	test.each([
		[
			'Title,Name,Price',
			'Several columns could be product_name: “Title” and “Name”.',
			'Say which one it is: --map "Title=product_name".',
		],
		['Name,Name', /^Several columns/, 'Rename or remove all but one of them.'],
	])('that serve one field are both named: %s', async (header, what, cure) => {
		const said = await failure(`${header}\nSoap,Soap,3\n`);
		expect(said.what).toMatch(what);
		expect(said.cure).toBe(cure);
	});

	test('headers that serve no field may repeat or be missing, and travel along', async () => {
		const table = await open('Name,Note,Note,\nSoap,a,b,c\n');
		expect(table.columns).toEqual(['Name', 'Note', 'Note', '']);
		expect((await read('Name,Note,Note,\nSoap,a,b,c\n'))[0]).toMatchObject({
			cells: ['Soap', 'a', 'b', 'c'],
			problems: [],
		});
	});

	test('a notice says how the columns were understood', async () => {
		const { notices } = await open('Title,product_id,Price,\nSoap,12345,3,x\n');
		expect(notices).toEqual([
			'Columns read: “Title” as product_name, product_id.',
			'Columns not sent, only carried through to the results: “Price” and column D (no header).',
		]);
	});
});

describe('barcodes in a column of product IDs', () => {
	const csv = 'Name,Product ID\nSoap,4006381333931\nMug,1729481234567890123\nPan,96385074\n';

	test('are sent if --map says that the column is product_id', async () => {
		const map = [{ header: 'Product ID', field: 'product_id' as const }];
		const table = await open(csv, { map });
		expect(table.rows[0]?.input.product_id).toBe('4006381333931');
		expect(table.notices.join()).not.toContain('barcode');
	});

	test.each(['036000291452', '10012345678902', ' 4006381333931 '])('%j is one', async (id) => {
		expect((await read(`Name,Product ID\nSoap,${id}\n`))[0]?.input.product_id).toBeUndefined();
	});

	test.each(['4006381333932', '036000291453', '40063813339', '400638133393100'])(
		'%j is none',
		async (id) => {
			expect((await read(`Name,Product ID\nSoap,${id}\n`))[0]?.input.product_id).toBe(id);
		},
	);
});

describe('--map', () => {
	const mapOf = (text: string) =>
		text.split('|').map((one) => {
			const [header = '', field] = one.split('=');
			return { header, field } as TableOptions['map'][number];
		});

	test.each([
		['Artikel,Name', 'Artikel=product_name', { product_name: 'in Artikel' }],
		[
			'Artikel,Name',
			'Artikel=product_name|Name=objective',
			{ product_name: 'in Artikel', objective: 'in Name' },
		],
		[
			'product_name,Title',
			'product_name=objective',
			{ product_name: 'in Title', objective: 'in product_name' },
		],
		['Name,Goal,goal', 'goal=objective', { product_name: 'in Name', objective: 'in goal' }],
		...['farb ton', 'FARB_TON', ' Farb-Ton'].map((header): [string, string, object] => [
			...(['Name,Farb Ton', `${header}=audience`] as const),
			{ product_name: 'in Name', audience: 'in Farb Ton' },
		]),
	])('of %s gives %s', async (header, asked, input) => {
		expect(await servedBy(header, { map: mapOf(asked) })).toEqual(input);
	});

	test.each([
		[
			'Artikel,Farb Ton,Note',
			'SKU=product_id',
			'--map "SKU=product_id": the CSV has no column “SKU”. Its columns are “Artikel”, “Farb Ton” and “Note”.',
		],
		['Name,,Note', 'D=product_id', 'Its columns are “Name”, column B (no header) and “Note”.'],
		[
			'Artikel,Name',
			'Artikel=product_name|Name=product_name',
			'--map gives product_name to two columns, “Artikel” and “Name”.',
		],
		['Name,Note,Note', 'Note=objective', 'column B, “Note” and column C, “Note”'],
	])('of %s cannot give %s', async (header, asked, seen) => {
		const { what, cure } = await failure(`${header}\nSoap,a,b\n`, { map: mapOf(asked) });
		expect(`${what} ${cure}`).toContain(seen);
	});
});

describe('a CSV without a usable header', () => {
	test('lists its columns if none is the product’s name', async () => {
		const { what, cure } = await failure('SKU,Goal\nS1,sell\n');
		expect(what).toContain('No column is product_name');
		expect(what).toContain('“SKU” and “Goal”');
		// Neither the first column nor any other one looks like products.
		expect(cure).toContain('--map "Header=product_name"');
	});

	const ID = '1f0c22aa-1111-4222-8333-44445555666';
	test.each([
		['a header of such a word', 'uuid,Artikel', `${ID}1,Glow Serum\n${ID}2,Mug`, 'Artikel'],
		['the header, of two alike', 'Note,Bezeichnung', 'Very good,Glow Serum', 'Bezeichnung'],
		['letters of another script', '価格,商品', '300,美容液\n400,石けん', '商品'],
	])('is told which column may hold the products, by %s', async (_by, header, rows, column) => {
		const { cure } = await failure(`${header}\n${rows}\n`);
		expect(cure).toContain(`--map "${column}=product_name"`);
	});

	test('is refused with the hint that the first row must be the header, if it looks like data', async () => {
		const { what, cure } = await failure('Rosehip Oil,1729481234567890123\nSoap,17294812\n');
		expect(what).toContain('no header that is known: “Rosehip Oil” and “1729481234567890123”');
		expect(cure).toMatch(/^The first row must be the header/);
	});

	test('is taken if --set gives the name and another column is known', async () => {
		const [row] = await read('Goal\nsell\n', { set: { product_name: 'Soap' } });
		expect(row?.input).toEqual({ product_name: 'Soap', objective: 'sell' });
	});
});
