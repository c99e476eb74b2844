import { coverage } from '../../../batch/csv/coverage';
import { failure, open, read } from '../../support/batch/read-csv';

/** Which column serves which field, as the input of a row whose cells are their headers tells. */
async function servedBy(header: string): Promise<Record<string, unknown>> {
	const cells = header.split(',').map((name) => `in ${name.trim()}`);
	const [row] = await read(`${header}\n${cells.join(',')}\n`);
	return { ...row?.input };
}

describe('headers', () => {
	test.each([
		['product_name', 'product_name'],
		['Product Name', 'product_name'],
		['PRODUCT-NAME', 'product_name'],
		['  product name ', 'product_name'],
		['ProductName', 'product_name'],
		['Product', 'product_name'],
		['Name', 'product_name'],
		['Title', 'product_name'],
		['product_title', 'product_name'],
		['Product URL', 'product_name'],
		['Product Link', 'product_name'],
		['Link', 'product_name'],
		['Target Audience', 'audience'],
		['audience', 'audience'],
		['Goal', 'objective'],
		['Approved Facts', 'approved_facts'],
		['Facts', 'approved_facts'],
		['claims', 'approved_facts'],
		['Approved claims', 'approved_facts'],
		['Product Claims', 'approved_facts'],
		['Key facts', 'approved_facts'],
		['Target group', 'audience'],
		['Campaign objective', 'objective'],
		['Campaign Terms', 'campaign_terms'],
		['Terms', 'campaign_terms'],
		['Terms and conditions', 'campaign_terms'],
		['Terms & Conditions', 'campaign_terms'],
		['Creative Direction', 'creative_direction'],
		['Direction', 'creative_direction'],
		['creative', 'creative_direction'],
	])('“%s” serves %s', async (header, field) => {
		const csv = field === 'product_name' ? header : `product_name,${header}`;
		expect(await servedBy(csv)).toMatchObject({ [field]: `in ${header.trim()}` });
	});

	test.each(['product_id', 'Product ID', 'PRODUCT ID', 'item-id'])(
		'“%s” serves product_id',
		async (header) => {
			const [row] = await read(`Name,${header}\nSoap,1729481234567890123\n`);
			expect(row?.input.product_id).toBe('1729481234567890123');
		},
	);

	test.each(['Reference URLs', 'reference_links', 'References', 'Links', 'URLs'])(
		'“%s” serves reference_urls',
		async (header) => {
			const [row] = await read(`Name,${header}\nSoap,https://example.com/a\n`);
			expect(row?.input.reference_urls).toEqual(['https://example.com/a']);
		},
	);

	test.each([
		['Produktname', 'product_name'],
		['Nom du produit', 'product_name'],
		['Nombre del producto', 'product_name'],
		['Título del producto', 'product_name'],
		['TITULO DEL PRODUCTO', 'product_name'],
		['Produkt-URL', 'product_name'],
		['Zielgruppe', 'audience'],
		['Public cible', 'audience'],
		['Público objetivo', 'audience'],
		['Pu\u0301blico objetivo', 'audience'],
		['Publico Objetivo', 'audience'],
		['Kampagnenziel', 'objective'],
		['Objectif', 'objective'],
		['Objetivo', 'objective'],
		['Fakten', 'approved_facts'],
		['Faits approuvés', 'approved_facts'],
		['Hechos aprobados', 'approved_facts'],
		['Freigegebene Aussagen', 'approved_facts'],
		['Allégations approuvées', 'approved_facts'],
		['Afirmaciones aprobadas', 'approved_facts'],
		['Groupe cible', 'audience'],
		['Grupo objetivo', 'audience'],
		['Objectif de campagne', 'objective'],
		['Objetivo de la campaña', 'objective'],
		['Lien produit', 'product_name'],
		['Enlace', 'product_name'],
		['Teilnahmebedingungen', 'campaign_terms'],
		['Termes et conditions', 'campaign_terms'],
		['Términos y condiciones', 'campaign_terms'],
		['Kampagnenbedingungen', 'campaign_terms'],
		['Conditions de la campagne', 'campaign_terms'],
		['Condiciones de la campaña', 'campaign_terms'],
		['Kreative Richtung', 'creative_direction'],
		['Direction créative', 'creative_direction'],
		['Dirección creativa', 'creative_direction'],
	])('“%s” serves %s', async (header, field) => {
		const csv = field === 'product_name' ? header : `product_name,${header}`;
		expect(await servedBy(csv)).toMatchObject({ [field]: `in ${header}` });
	});

	test.each(['Produkt-ID', 'ID du produit', 'ID del producto'])(
		'“%s” serves product_id',
		async (header) => {
			const [row] = await read(`Name,${header}\nSoap,1729481234567890123\n`);
			expect(row?.input.product_id).toBe('1729481234567890123');
		},
	);

	test.each([
		...['Artikelnummer', 'Référence', 'Referencia', 'Référence produit', 'Artikel', 'Titre'],
		...['Público', 'Public', 'Bedingungen', 'Conditions', 'Condiciones', 'Nom', 'Referenzen'],
	])('“%s” may mean something else, and serves nothing', async (header) => {
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
		'in %s a translation changes the product of no row that could be ordered without it',
		async (header, set, input) => {
			const cells = header.split(',').map((name) => `in ${name}`);
			const [row] = await read(`${header}\n${cells.join()}\n`, { set });
			expect(row?.input).toEqual(input);
		},
	);

	test('“ID” alone is the shop’s own number, and not sent', async () => {
		const table = await open('ID,Name\n100234,Soap\n');
		expect(table.notices.join()).toContain('only carried through to the results: “ID”');
		expect((await read('ID,Name\n100234,Soap\n'))[0]?.input).toEqual({ product_name: 'Soap' });
	});

	test.each([
		['Title,product_name', { product_name: 'in product_name' }],
		['Title,Product Name', { product_name: 'in Product Name' }],
		['Product Name,product_name', { product_name: 'in product_name' }],
		['Link,Name', { product_name: 'in Name' }],
		['Goal,Name,objective', { product_name: 'in Name', objective: 'in objective' }],
	])('in %s the plainest name wins', async (header, input) => {
		expect(await servedBy(header)).toEqual(input);
	});

	test('two columns for one field are both named, with the --map that decides', async () => {
		const { what, cure } = await failure('Title,Name,Price\nSoap,Soap,3\n');
		expect(what).toBe('Several columns could be product_name: “Title” and “Name”.');
		expect(cure).toBe('Say which one it is: --map "Title=product_name".');
	});

	test('two columns of the same name for one field are ambiguous', async () => {
		const { cure } = await failure('Name,Name\nSoap,Mug\n');
		expect(cure).toBe('Rename or remove all but one of them.');
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

describe('columns that may be meant for a brief', () => {
	const suggested = async (csv: string, options = {}) =>
		(await open(csv, options)).notices.flatMap((text) => /--map "(.*)"/.exec(text)?.[1] ?? []);

	test.each([
		['Commission', '15 %', 'campaign_terms'],
		['Commission rate', '15 %', 'campaign_terms'],
		['Offer', '2 for 1', 'campaign_terms'],
		['Provision', '15 %', 'campaign_terms'],
		['Taux de commission', '15 %', 'campaign_terms'],
		['Comisión', '15 %', 'campaign_terms'],
		['USPs', 'Vegan', 'approved_facts'],
		['Argumentos de venta', 'Vegan', 'approved_facts'],
		['Product URL', 'https://shop.example/1', 'reference_urls'],
		['Link', 'https://shop.example/1', 'reference_urls'],
	])('“%s” is named with the --map to type, and not sent', async (header, cell, field) => {
		const csv = `Name,${header}\nSoap,${cell}\nMug,\n`;
		expect(await suggested(csv)).toEqual([`${header}=${field}`]);
		expect((await read(csv))[0]?.input).toEqual({ product_name: 'Soap' });
	});

	test('are not named if the field has a column or a --set, if they are empty or hold no links', async () => {
		expect(await suggested('Name,Terms,Offer\nSoap,10 %,2 for 1\n')).toEqual([]);
		const set = { campaign_terms: '10 %' };
		expect(await suggested('Name,Offer\nSoap,2 for 1\n', { set })).toEqual([]);
		expect(await suggested('Name,Offer\nSoap,\n')).toEqual([]);
		expect(await suggested('Name,URL\nSoap,/soap\n')).toEqual([]);
	});
});

describe('barcodes in a column of product IDs', () => {
	const csv = 'Name,Product ID\nSoap,4006381333931\nMug,1729481234567890123\nPan,96385074\n';

	test('are not sent, which a notice says; IDs are', async () => {
		const table = await open(csv);
		expect(table.rows.map(({ input }) => input.product_id)).toEqual([
			undefined,
			'1729481234567890123',
			undefined,
		]);
		expect(table.notices.at(-1)).toBe(
			'“Product ID” holds barcodes (EAN or UPC) in 2 rows, and no marketplace ID: not sent. If it holds marketplace IDs: --map "Product ID=product_id".',
		);
	});

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

test('coverage says how many rows that can be ordered have a field, and from which column', async () => {
	const csv = 'Title,Facts,Goal\nSoap,mild,\nMug,,\nTOTAL,mild,\n';
	const told = coverage(await open(csv, { set: { objective: 'sell' } }));
	expect(told.filter(({ column, isSet }) => column !== null || isSet)).toEqual([
		{ field: 'product_name', rows: 2, of: 2, column: 'Title', isSet: false },
		{ field: 'objective', rows: 2, of: 2, column: 'Goal', isSet: true },
		{ field: 'approved_facts', rows: 1, of: 2, column: 'Facts', isSet: false },
	]);
	expect(told.map(({ rows }) => rows)).toEqual([2, 0, 0, 2, 1, 0, 0, 0]);
});

describe('--map', () => {
	const csv = 'Artikel,Name,Farb Ton\nSoap,Lavender,Parents\n';

	test('gives a column to a field, before its aliases', async () => {
		const map = [{ header: 'Artikel', field: 'product_name' as const }];
		expect((await read(csv, { map }))[0]?.input).toEqual({ product_name: 'Soap' });
	});

	test('takes a column away from the field that its header would serve', async () => {
		const map = [
			{ header: 'Artikel', field: 'product_name' as const },
			{ header: 'Name', field: 'objective' as const },
		];
		const [row] = await read(csv, { map });
		expect(row?.input).toEqual({ product_name: 'Soap', objective: 'Lavender' });
	});

	test('of the plainest column to another field leaves its own field to the next', async () => {
		const map = [{ header: 'product_name', field: 'objective' as const }];
		const [row] = await read('product_name,Title\nSoap,Lavender\n', { map });
		expect(row?.input).toEqual({ product_name: 'Lavender', objective: 'Soap' });
	});

	test.each(['farb ton', 'FARB_TON', ' Farb-Ton'])('finds the column by “%s”', async (header) => {
		const [row] = await read(csv, { map: [{ header, field: 'audience' }] });
		expect(row?.input.audience).toBe('Parents');
	});

	test('prefers the column that is written exactly so', async () => {
		const map = [{ header: 'goal', field: 'objective' as const }];
		const [row] = await read('Name,Goal,goal\nSoap,a,b\n', { map });
		expect(row?.input.objective).toBe('b');
	});

	test('of a header that is not there lists those that are', async () => {
		const { what, cure } = await failure(csv, { map: [{ header: 'SKU', field: 'product_id' }] });
		expect(what).toBe('--map "SKU=product_id": the CSV has no column “SKU”.');
		expect(cure).toBe('Its columns are “Artikel”, “Name” and “Farb Ton”.');
	});

	test.each([
		['b', 'Column B has no header: write one above it, and name that.'],
		['C', 'Column C is called “Note”: name it so.'],
		['D', 'Its columns are “Name”, column B (no header) and “Note”.'],
	])('of the letter %s tells what stands there', async (header, cure) => {
		const map = [{ header, field: 'product_id' as const }];
		expect((await failure('Name,,Note\nSoap,12345,x\n', { map })).cure).toBe(cure);
	});

	test('of two columns to one field is refused', async () => {
		const map = [
			{ header: 'Artikel', field: 'product_name' as const },
			{ header: 'Name', field: 'product_name' as const },
		];
		const { what } = await failure(csv, { map });
		expect(what).toBe('--map gives product_name to two columns, “Artikel” and “Name”.');
	});

	test('that fits two columns names their places', async () => {
		const map = [{ header: 'Note', field: 'objective' as const }];
		const { what } = await failure('Name,Note,Note\nSoap,a,b\n', { map });
		expect(what).toContain('column B, “Note” and column C, “Note”');
	});
});

describe('a CSV without a usable header', () => {
	test('lists its columns where none is the product’s name', async () => {
		const { what, cure } = await failure('SKU,Goal\nS1,sell\n');
		expect(what).toContain('No column is product_name');
		expect(what).toContain('“SKU” and “Goal”');
		// Neither the first column nor any other one looks like products.
		expect(cure).toContain('--map "Header=product_name"');
	});

	const ID = '1f0c22aa-1111-4222-8333-44445555666';
	test.each([
		['a header of such a word', 'uuid,Artikel', `${ID}1,Glow Serum\n${ID}2,Mug`, 'Artikel'],
		['the cells alone', 'uuid,ref,text', `${ID}1,A-1,Glow Serum\n${ID}2,A-2,Red Mug`, 'text'],
		['the header, of two alike', 'Note,Bezeichnung', 'Very good,Glow Serum', 'Bezeichnung'],
		['letters of another script', '価格,商品', '300,美容液\n400,石けん', '商品'],
		[
			'what differs from row to row',
			'vendor,label',
			'Acme Inc,Rose Soap\nAcme Inc,Red Lamp\nAcme Inc,Mug\nAcme Inc,Blue Pan',
			'label',
		],
	])('is told which column may hold the products, by %s', async (_by, header, rows, column) => {
		const { cure } = await failure(`${header}\n${rows}\n`);
		expect(cure).toContain(`--map "${column}=product_name"`);
	});

	test('is refused with the hint that the first row must be the header, where it looks like data', async () => {
		const { what, cure } = await failure('Rosehip Oil,1729481234567890123\nSoap,17294812\n');
		expect(what).toContain('no header that is known: “Rosehip Oil” and “1729481234567890123”');
		expect(cure).toMatch(/^The first row must be the header/);
	});

	test('is told which later row looks like it, where rows as long stand above', async () => {
		const { cure } = await failure(
			'Rosehip Oil,12,ml\nSoap,50,g\nProduct Name,Size,Unit\nMug,1,l\n',
		);
		expect(cure).toBe('Row 3 looks like the header: remove the rows above it.');
	});

	test('is taken where --set gives the name and another column is known', async () => {
		const [row] = await read('Goal\nsell\n', { set: { product_name: 'Soap' } });
		expect(row?.input).toEqual({ product_name: 'Soap', objective: 'sell' });
	});
});
