import { deskOf, type Desk } from '../../support/batch/brief-batch';

/* A folder remembers how its list is read: what was given for one run holds for the runs after (P10). */

jest.setTimeout(60_000);

/** What the brief of a product was made from. */
const sent = ({ sandbox }: Desk, product: string) =>
	sandbox.briefs().find(({ product_name }) => product_name === product)?.input;

const TERMS = ['Product Name,Commission', 'Brush,10 %', 'Mug,12 %'];
const MAP = ['--map', 'Commission=campaign_terms'];
const SKUS = ['Product Name,SKU', 'Brush,00471', 'Mug,M-1'];
const RENAMED = ['Product Name,SKU', 'Bristle brush,00471', 'Mug,M-1'];
const STATES = ['Product Name,Status', 'Brush,active', 'Mug,draft'];
const ACTIVE = ['--where', 'Status=active'];

describe('what a run was given holds for the next one', () => {
	test('--map, also for another CSV of the folder, and it says so once', async () => {
		const desk = await deskOf();
		desk.csv('export_24.csv', TERMS);
		desk.csv('export_25.csv', [...TERMS, 'Pan,15 %']);
		await desk.expectEnd(['run', 'export_24.csv', ...MAP], 0);
		const { out } = await desk.expectEnd('run export_25.csv', 0);
		expect(
			out.match(/Remembered from an earlier run: --map Commission=campaign_terms/g),
		).toHaveLength(1);
		expect([sent(desk, 'Pan'), desk.sandbox.createdCount()]).toEqual([
			{ product_name: 'Pan', campaign_terms: '15 %' },
			3,
		]);
	});

	test('--map of a column that is not read', async () => {
		const lines = ['Product Name,Product ID,Audience', 'Brush,B00471,cooks'];
		const desk = await deskOf(lines);
		const unread = ['--map', 'Product ID=-', '--map', 'Audience=-'];
		expect(await desk.comesTo(...unread)).toBe('0: ready; 1 paid');
		desk.csv('products.csv', [...lines, 'Mug,B00472,cooks']);
		expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
		expect(sent(desk, 'Mug')).toEqual({ product_name: 'Mug' });
		desk.csv('products.csv', ['Product Name', 'Brush', 'Mug', 'Pan']);
		expect(await desk.comesTo()).toBe('0: ready, ready, ready; 3 paid');
	});

	test('--set, and for plan and retry too', async () => {
		const desk = await deskOf(['Product Name', 'Brush', 'Pan (discontinued)']);
		expect(await desk.comesTo('--set', 'campaign_terms=10 %')).toBe('1: ready, failed; 2 paid');
		desk.csv('products.csv', ['Product Name', 'Brush', 'Pan (discontinued)', 'Mug']);
		await desk.expectEnd(
			'plan products.csv',
			1,
			'Remembered from an earlier run: --set',
			/changed +0|new +1|ready to go +1/,
		);
		await desk.expectEnd('retry products.csv --yes', 1, 'Remembered from an earlier run: --set');
		expect(desk.statuses()).toEqual(['ready', 'failed', 'ready']);
		expect(sent(desk, 'Mug')).toEqual({ product_name: 'Mug', campaign_terms: '10 %' });
	});

	test('--where: rows that it leaves out are none of this list', async () => {
		const desk = await deskOf(STATES);
		expect(await desk.comesTo(...ACTIVE)).toBe('0: ready, left_out; 1 paid');
		desk.csv('products.csv', [...STATES, 'Pan,draft', 'Lamp,ACTIVE']);
		expect(await desk.comesTo()).toBe('0: ready, left_out, left_out, ready; 2 paid');
		desk.csv('products.csv', ['Product Name,Status', 'Brush,draft', 'Mug,draft']);
		expect(await desk.comesTo()).toBe('0: left_out, left_out, ready; 2 paid');
		expect(desk.results()[0]?.brief_id).not.toBe('');
		await desk.expectEnd('status', 0);
		await desk.expectEnd('report', 0);
		expect(desk.statuses()).toEqual(['left_out', 'left_out', 'ready']);
	});

	test('--where, and a row that it leaves out by now gets the brief that is being written', async () => {
		const desk = await deskOf(STATES);
		await desk.killAt(/ordered .*Brush/, 'run products.csv --where Status=active');
		desk.csv('products.csv', ['Product Name,Status', 'Brush,draft', 'Mug,draft']);
		expect(await desk.comesTo()).toBe('0: left_out, left_out; 1 paid');
		expect(desk.results()[0]?.brief_file).toMatch(/^results\/brush/);
	});

	test('--delimiter and --encoding', async () => {
		const desk = await deskOf();
		desk.write('products.csv', Buffer.from('Product Name~Audience\nCr\u00e8me~cooks\n', 'latin1'));
		const how = ['--delimiter', '~', '--encoding', 'windows-1252'];
		const came = async (...options: string[]) => (await desk.order(...options)).code;
		expect([await came(...how), await came()]).toEqual([0, 0]);
		await desk.expectEnd('status', 0);
		desk.csv('products.csv', ['Product Name,Audience', 'Crème,cooks']);
		await desk.expectEnd('run products.csv', 2, '--delimiter auto --encoding auto');
		expect(await came('--delimiter', 'auto', '--encoding', 'auto')).toBe(0);
		expect(await desk.comesTo()).toBe('0: ready; 1 paid');
	});
});

describe('what is given again', () => {
	test('replaces --map of the same field or header, and leaves the others', async () => {
		const lines = ['Title,Offer,Deal,Who', 'Brush,10 %,12 %,cooks'];
		const desk = await deskOf(lines);
		await desk.order('--map', 'Offer=campaign_terms', '--map', 'Who=audience');
		desk.csv('products.csv', [...lines, 'Mug,10 %,12 %,cooks']);
		await desk.expectEnd(
			['plan', 'products.csv', '--map', 'Deal=campaign_terms'],
			1,
			'Remembered from an earlier run: --map Who=audience\n',
			/campaign_terms: was “10 %”, now “12 %”/,
		);
		await desk.expectEnd(
			['plan', 'products.csv', '--map', 'Offer='],
			1,
			/campaign_terms: was “10 %”, now empty/,
		);
	});

	test('replaces --set of the same field, and field= takes it back', async () => {
		const desk = await deskOf(['Product Name', 'Brush']);
		await desk.order('--set', 'campaign_terms=10 %', '--set', 'audience=cooks');
		const differs = (text: string, ...set: string[]) =>
			desk.expectEnd(['plan', 'products.csv', '--set', ...set], 1, text);
		await differs('campaign_terms: was “10 %” (from --set', 'campaign_terms=12 %');
		await differs('now empty', 'campaign_terms=');
		expect((await desk.order('--set', 'campaign_terms=')).code).toBe(1);
		const { out } = await desk.order();
		expect(out).toContain('Remembered from an earlier run: --set audience=cooks\n');
	});

	test('of --where and --id replaces all, and - takes it back', async () => {
		const desk = await deskOf(STATES);
		await desk.order(...ACTIVE, '--id', 'Product Name');
		expect(await desk.comesTo('--where', 'Status!=active')).toBe('0: left_out, ready; 2 paid');
		const { out } = await desk.order('--where', '-', '--id', '-');
		expect([out.includes('Remembered'), desk.statuses()]).toEqual([false, ['ready', 'ready']]);
		expect((await desk.order()).out).not.toContain('Remembered');
	});

	test.each([
		[['--set', 'audience='], '--set audience= takes nothing back: nothing is remembered for it.'],
		[['--map', 'Who='], '--map "Who=" takes nothing back: nothing is remembered for it.'],
	])('is refused if %j takes nothing back', async (options, said) => {
		const desk = await deskOf(['Product Name,Who', 'Brush,cooks']);
		for (const name of ['plan', 'run'])
			await desk.expectEnd([name, 'products.csv', ...options], 2, said);
		desk.expectPaid(0);
	});

	test.each([
		['--where', '-'],
		['--id', '-'],
		['--delimiter', 'auto'],
	])('says so if %s %s takes nothing back', async (option, value) => {
		const desk = await deskOf(['Product Name', 'Brush']);
		await desk.expectEnd(
			['run', 'products.csv', option, value],
			0,
			`${option} ${value} takes nothing back: nothing is remembered for it.`,
		);
	});
});

describe('rows that were ordered before --id', () => {
	test('get their numbers when a run first reads them', async () => {
		const desk = await deskOf(SKUS);
		await desk.order();
		expect(await desk.comesTo('--id', 'SKU')).toBe('0: ready, ready; 2 paid');
		desk.csv('products.csv', RENAMED);
		expect(await desk.comesTo('--id', 'SKU')).toBe('1: changed, ready; 2 paid');
	});

	test('and failed, get them too: only retry orders them again', async () => {
		const desk = await deskOf(['Product Name,SKU', 'Brush (discontinued),B-1', 'Mug,M-1']);
		await desk.order();
		expect(await desk.comesTo('--id', 'SKU')).toBe('1: failed, ready; 2 paid');
		desk.csv('products.csv', ['Product Name,SKU', 'Bristle brush,B-1', 'Mug,M-1']);
		expect(await desk.comesTo()).toBe('1: failed, ready; 2 paid');
	});

	test.each(['before', 'while'])(
		'are the same rows if a spreadsheet made 471 of 00471 %s the product was renamed',
		async (when) => {
			const desk = await deskOf(SKUS);
			await desk.order();
			await desk.order('--id', 'SKU');
			desk.csv('products.csv', ['Product Name,SKU', 'Brush,471', 'Mug,M-1']);
			if (when === 'before') expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
			desk.csv('products.csv', ['Product Name,SKU', 'Bristle brush,471', 'Mug,M-1']);
			expect(await desk.comesTo()).toBe('1: changed, ready; 2 paid');
		},
	);

	test('take the numbers of another column that is named later', async () => {
		const desk = await deskOf(['Product Name,SKU,EAN', 'Brush,B-1,4001', 'Mug,M-1,4002']);
		await desk.order('--id', 'SKU');
		await desk.order('--id', 'EAN');
		desk.csv('products.csv', ['Product Name,SKU,EAN', 'Bristle brush,X-9,4001', 'Mug,M-1,4002']);
		expect(await desk.comesTo()).toBe('1: changed, ready; 2 paid');
	});
});

describe('a remembered column that the CSV lacks', () => {
	test('is a surprise; after a yes the run goes on without it, and it stays remembered', async () => {
		const desk = await deskOf(TERMS);
		await desk.order(...MAP);
		desk.csv('products.csv', ['Product Name', 'Brush', 'Mug', 'Pan']);
		const said =
			'The column “Commission”, remembered as campaign_terms, is not in products.csv (to forget it: --map Commission=).';
		await desk.expectEnd('run products.csv', 2, said, 'add --yes');
		await desk.expectEnd('status', 2, said);
		await desk.expectEnd('plan products.csv', 1, said);
		expect(await desk.comesTo('--yes')).toBe('1: changed, changed, ready; 3 paid');
		desk.csv('products.csv', [...TERMS, 'Pan,']);
		expect(await desk.comesTo()).toBe('0: ready, ready, ready; 3 paid');
	});

	test('is one also if it gave the rows their numbers', async () => {
		const desk = await deskOf(SKUS);
		await desk.order('--id', 'SKU');
		desk.csv('products.csv', ['Product Name', 'Bristle brush', 'Mug']);
		const said =
			'The column “SKU”, remembered for --id, is not in products.csv (to forget it: --id -).';
		await desk.expectEnd('run products.csv', 2, said);
		expect(await desk.comesTo('--yes')).toBe('0: ready, ready, ready; 3 paid');
		expect((await desk.order()).out).toContain('Remembered from an earlier run: --id SKU');
	});

	test('is refused if --where needs it, with --yes too', async () => {
		const desk = await deskOf(STATES);
		await desk.order(...ACTIVE);
		desk.csv('products.csv', ['Product Name', 'Brush', 'Mug']);
		const said = ['remembered --where Status=active', '--where -'];
		await desk.expectEnd('run products.csv --yes', 2, ...said);
		await desk.expectEnd('status', 2, ...said);
		await desk.expectEnd('plan products.csv', 2, ...said);
		expect(await desk.comesTo('--where', '-')).toBe('0: ready, ready; 2 paid');
		await desk.expectEnd('status', 0);
	});
});

describe('products from a column of another name', () => {
	const LINKS = ['Link', 'https://shop.example/1', 'https://shop.example/2'];
	const NAMED = ['Name,Link', 'Lamp,https://shop.example/1', 'Mug,https://shop.example/2'];

	test('are a surprise where the folder knows none of these rows', async () => {
		const desk = await deskOf(LINKS);
		await desk.order();
		desk.csv('products.csv', NAMED);
		const said = 'read from the column “Name”, and were read from “Link” before';
		await desk.expectEnd(
			'run products.csv',
			2,
			said,
			'before (to read them so again: --map Link=product_name). Nothing was ordered.',
		);
		expect(await desk.comesTo('--map', 'Link=product_name')).toBe('0: ready, ready; 2 paid');
		expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
	});

	test('are ordered after a yes', async () => {
		const desk = await deskOf(LINKS);
		await desk.order();
		desk.csv('products.csv', NAMED);
		expect(await desk.comesTo('--yes')).toMatch(/^0: ready, ready(, \w+)*; 4 paid$/);
		expect(await desk.comesTo()).toMatch(/^0: ready, ready(, \w+)*; 4 paid$/);
	});

	test('are none if the rows are known', async () => {
		const desk = await deskOf(['Title', 'Lamp']);
		await desk.order();
		desk.csv('products.csv', ['Product Name', 'Lamp', 'Mug']);
		expect(await desk.comesTo()).toBe('0: ready, ready; 2 paid');
	});
});

test('a no, a plan and a run that could not begin leave what is remembered as it was', async () => {
	const desk = await deskOf(TERMS);
	await desk.order(...MAP);
	const other = ['--set', 'campaign_terms=5 %', '--map', 'Commission='];
	await desk.run(['plan', 'products.csv', ...other]);
	desk.csv('products.csv', ['Product Name,Commission', 'Pan,10 %']);
	await desk.expectEnd(['run', 'products.csv', ...other], 2, 'Nothing was ordered');
	desk.csv('products.csv', TERMS);
	expect((await desk.order()).out).toContain('Remembered from an earlier run: --map Commission=');
	expect(desk.statuses()).toEqual(['ready', 'ready']);
});
