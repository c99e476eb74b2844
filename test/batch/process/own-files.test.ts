import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'own files',
		failureShare: 0,
		requestsPerMinute: 0,
		...options,
	});
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const run = (csv: string, ...options: string[]) => desk.run(['run', csv, ...options, ...FAST]);
const path = (name: string) => join(desk.folder, name);

function copy(from: string, to: string): string {
	mkdirSync(join(path(to), '..'), { recursive: true });
	copyFileSync(path(from), path(to));
	return to;
}

/** Seven rows of which the allowance gave three: four are in deferred.csv. */
async function fourDeferred(): Promise<string> {
	await given({ allowance: 3 });
	const csv = desk.csv('products.csv', products(7));
	expect((await run(csv)).code).toBe(3);
	expect(sandbox.createdCount()).toBe(3);
	expect(desk.read('briefs/deferred.csv').split('\n')).toHaveLength(6);
	return csv;
}

/** The service has more to give, and remembers its keys still. */
const moreAllowance = () => (sandbox.options.allowance = 100);

const statuses = (outDir?: string) =>
	desk.results(outDir).map(({ brief_status: status }) => status);

/** P1: no product was paid for twice. */
function expectPaid(n: number): void {
	const names = sandbox.briefs().map(({ product_name }) => product_name);
	expect(names).toHaveLength(n);
	expect(new Set(names).size).toBe(n);
}

const READY_7 = Array<string>(7).fill('ready');

test('a results.csv that was saved in another encoding is never written again with holes in it', async () => {
	await given({ allowance: 1 });
	const csv = desk.csv('products.csv', ['Product Name,Note', 'Bürste,a', 'Käse,b']);
	expect((await run(csv)).code).toBe(3);
	const whole = desk.read('briefs/results.csv');
	const saved = Buffer.from(whole.replace(/[^\0-\xff]/g, '?'), 'latin1');
	writeFileSync(path('briefs/results.csv'), saved);
	moreAllowance();
	const refused = await run('briefs/deferred.csv');
	expect([refused.code, sandbox.createdCount()]).toEqual([2, 1]);
	expect(refused.err).toContain('in another encoding than UTF-8');
	const reported = await desk.run(['report']);
	expect(reported.out).toContain('left as it is');
	expect(readFileSync(path('briefs/results.csv'))).toEqual(saved);
	writeFileSync(path('briefs/results.csv'), whole);
	expect((await run('briefs/deferred.csv')).code).toBe(0);
	expect(desk.results().map((row) => row['Product Name'])).toEqual(['Bürste', 'Käse']);
	expect(statuses()).toEqual(['ready', 'ready']);
});

describe('deferred.csv', () => {
	test.each([
		['under another name', 'elsewhere/december.csv'],
		['in the folder of a cron job', 'deferred.csv'],
	])(
		'copied, %s, orders just its rows, and the usual command pays for none again',
		async (_, to) => {
			const csv = await fourDeferred();
			moreAllowance();
			const alone = await run(copy('briefs/deferred.csv', to), '--out', 'december');
			expect(alone.out).toContain('Batch “products.csv”: 4 rows, 4 to order');
			expect(alone.code).toBe(0);
			expect(statuses('december')).toEqual(['ready', 'ready', 'ready', 'ready']);
			expectPaid(7);
			const usual = await run(csv);
			expect(usual.code).toBe(0);
			expect(statuses()).toEqual(READY_7);
			expectPaid(7);
		},
	);

	test('run where it lies, keeps the other rows of results.csv, stays there, and may be run again', async () => {
		const csv = await fourDeferred();
		moreAllowance();
		// Keys are of no use here: the journal knows what was paid.
		sandbox.options.keyMemoryMs = 0;
		const before = desk.read('briefs/deferred.csv');
		const first = await run('briefs/deferred.csv', '--max', '1');
		expect(first.code).toBe(3);
		expect(statuses().filter((status) => status === 'ready')).toHaveLength(4);
		expect(statuses()).toHaveLength(7);
		expect(desk.read('briefs/deferred.csv')).toBe(before);
		for (let times = 0; times < 2; times += 1) {
			expect((await run('briefs/deferred.csv')).code).toBe(0);
			expect(statuses()).toEqual(READY_7);
			expect(desk.results().map(({ SKU }) => SKU)).toEqual(
				[1, 2, 3, 4, 5, 6, 7].map((n) => `SKU-${n}`),
			);
			expect(desk.read('briefs/deferred.csv')).toBe(before);
		}
		expect((await run(csv)).code).toBe(0);
		expectPaid(7);
		expect(desk.exists('briefs/deferred.csv')).toBe(false);
	});

	test('killed while it is run where it lies, has all its rows, and goes on', async () => {
		await fourDeferred();
		moreAllowance();
		const before = desk.read('briefs/deferred.csv');
		const running = desk.start(['run', 'briefs/deferred.csv', ...FAST]);
		await running.said(/ready/);
		running.child.kill('SIGKILL');
		await running.ended;
		expect(desk.read('briefs/deferred.csv')).toBe(before);
		expect((await run('briefs/deferred.csv')).code).toBe(0);
		expect(statuses()).toEqual(READY_7);
		expectPaid(7);
	});

	test('saved by a spreadsheet in another form, with columns moved, has the same keys', async () => {
		const csv = await fourDeferred();
		moreAllowance();
		const rows = desk
			.read('briefs/deferred.csv')
			.trim()
			.split('\n')
			.map((line) => line.split(',').reverse());
		const saved = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(';'));
		writeFileSync(path('saved.csv'), `\ufeff${saved.join('\r\n')}\r\n`);
		await run('saved.csv', '--out', 'december');
		await run('saved.csv');
		expect(statuses()).toEqual(READY_7);
		expect((await run(csv)).code).toBe(0);
		expectPaid(7);
	});

	test('orders nothing where --batch, the folder or its own rows say another batch', async () => {
		await fourDeferred();
		moreAllowance();
		const asked = await run('briefs/deferred.csv', '--batch', 'autumn', '--out', 'december');
		expect(asked.code).toBe(2);
		expect(asked.err).toContain('belongs to the batch “products.csv”, not to “autumn”');
		await run(desk.csv('other.csv', ['Name', 'Lamp']), '--batch', 'autumn', '--out', 'autumn');
		const folder = await run('briefs/deferred.csv', '--out', 'autumn');
		expect(folder.code).toBe(2);
		expect(folder.err).toContain('and the folder autumn to the batch “autumn”');
		const mixed = desk
			.read('briefs/deferred.csv')
			.replace('SKU-6,batch: products', 'SKU-6,batch: x');
		writeFileSync(path('mixed.csv'), mixed);
		const several = await run('mixed.csv', '--out', 'december');
		expect(several.code).toBe(2);
		expect(several.err).toContain('“products.csv” in rows 2, 3 and 5; “x.csv” in row 4');
		expectPaid(4);
	});
});

describe('failed.csv', () => {
	test('is told of and not paid by a run, and ordered again by retry', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(2), 'Lamp (discontinued),17290009,SKU-3']);
		expect((await run(csv)).code).toBe(1);
		const before = desk.read('briefs/failed.csv');
		const again = await run('briefs/failed.csv');
		expect(again.code).toBe(1);
		expect(again.out).toContain('To order it again: brief-batch retry briefs/failed.csv');
		expect(sandbox.createdCount()).toBe(3);
		expect(statuses()).toEqual(['ready', 'ready', 'failed']);
		await desk.run(['retry', 'briefs/failed.csv', '--yes', ...FAST]);
		expect(sandbox.createdCount()).toBe(4);
		expect(statuses()).toEqual(['ready', 'ready', 'failed']);
		expect(desk.read('briefs/failed.csv')).toBe(before);
	});

	test('with a row corrected orders that, and lists it behind the others once', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), 'Lamp (discontinued),17290009,SKU-3']);
		await run(csv);
		const mended = desk.read('briefs/failed.csv').replace(' (discontinued)', '');
		writeFileSync(path('briefs/failed.csv'), mended);
		for (let times = 0; times < 2; times += 1) {
			expect((await run('briefs/failed.csv')).code).toBe(0);
			expect(statuses()).toEqual(['ready', 'failed', 'ready']);
		}
		expect(sandbox.createdCount()).toBe(3);
	});
});

describe('results.csv', () => {
	test('where nothing says its batch is not run: all of its rows would be paid again', async () => {
		await given();
		await run(desk.csv('products.csv', products(2)));
		const beside = await run('briefs/results.csv', '--out', 'again');
		expect(beside).toMatchObject({ code: 0 });
		const alone = await run(copy('briefs/results.csv', 'copy.csv'), '--out', 'elsewhere');
		expect(alone.code).toBe(2);
		expect(alone.err).toContain('is the results.csv of an earlier run');
		expectPaid(2);
	});

	const LAYOUTS: Array<[string, (csv: string) => string | Buffer, string[], string]> = [
		[
			'a column moved to the front',
			(csv) => csv.replace(/^(.*?),(.*?),(.*?),(.*?),(.*?),/gm, '$5,$1,$2,$3,$4,'),
			[],
			'Its columns from brief_id to brief_finished_at are not the last ones, in this order.',
		],
		[
			'a column added at the end',
			(csv) => csv.replace(/$/gm, ',').replace(/,$/, '').replace(/,$/m, ',Note'),
			[],
			'are not the last ones',
		],
		[
			'another encoding, which --encoding names',
			(csv) => Buffer.from(csv, 'latin1'),
			['--encoding', 'windows-1252'],
			'It is read as windows-1252, not as UTF-8.',
		],
		['a line above its header', (csv) => `sep=,\n${csv}`, [], 'Its header is row 2, not row 1.'],
	];

	test.each(LAYOUTS)(
		'saved with %s is not run in its place; a copy is, and nothing is lost or paid again',
		async (_, saved, options, why) => {
			await given();
			const names = ['Bürste 1', 'Bürste 2'];
			const lines = names.map((name, at) => `${name},1729000${at},SKU-${at}`);
			await run(desk.csv('products.csv', ['Product Name,Product ID,SKU', ...lines]));
			const before = Buffer.from(saved(desk.read('briefs/results.csv').replace('\ufeff', '')));
			writeFileSync(path('briefs/results.csv'), before);
			const journal = desk.read('briefs/journal.jsonl');
			for (const command of ['plan', 'run']) {
				const refused = await desk.run([command, 'briefs/results.csv', ...options]);
				expect(refused.code).toBe(2);
				expect(refused.err).toContain(why);
				expect(refused.err).toContain('Save it under another name');
			}
			expect(readFileSync(path('briefs/results.csv'))).toEqual(before);
			expect(desk.read('briefs/journal.jsonl')).toBe(journal);

			copy('briefs/results.csv', 'my-rows.csv');
			await run('my-rows.csv', ...options);
			expect(desk.results().map((row) => row['Product Name'])).toEqual(names);
			expect(statuses()).toEqual(['ready', 'ready']);
			expectPaid(2);
		},
	);

	test('with rows added in the layout that a run writes is run in its place, also through a link', async () => {
		await given();
		await run(desk.csv('products.csv', products(2)));
		symlinkSync(path('briefs'), path('link'));
		const results = desk.read('briefs/results.csv');
		writeFileSync(path('briefs/results.csv'), `${results}Lamp,1729000009,SKU-9,,,,,,,,,\n`);
		expect((await run('link/results.csv')).code).toBe(0);
		expect(desk.results().map((row) => row['Product Name'])).toEqual([
			...['Product 1', 'Product 2', 'Lamp'],
		]);
		expectPaid(3);
		writeFileSync(path('briefs/results.csv'), `sep=,\n${desk.read('briefs/results.csv')}`);
		expect((await run('link/results.csv')).code).toBe(2);
	});

	test('under its other name is held to the same', async () => {
		await given();
		await run(desk.csv('products.csv', products(1)));
		writeFileSync(path('briefs/results-new.csv'), `sep=,\n${desk.read('briefs/results.csv')}`);
		const refused = await run('briefs/results-new.csv');
		expect(refused.code).toBe(2);
		expect(refused.err).toContain('Its header is row 2');
	});
});

describe('a list of one’s own under --out', () => {
	test.each(['failed.csv', 'deferred.csv', 'results.csv', 'failed-new.csv', 'results-new.csv'])(
		'called %s is not run where a run would write or remove it',
		async (name) => {
			await given();
			const csv = desk.csv(name, products(2));
			const before = desk.read(csv);
			for (const command of ['plan', 'run']) {
				const refused = await desk.run([command, csv, '--out', '.']);
				expect(refused.code).toBe(2);
				expect(refused.err).toContain(`writes or removes a ${name} there by itself`);
				expect(refused.err).toContain('Save it under another name');
			}
			expect(desk.read(csv)).toBe(before);
			expect(desk.exists('journal.jsonl')).toBe(false);
			expectPaid(0);
			// The same name elsewhere is nobody's.
			expect((await run(csv, '--out', 'elsewhere')).code).toBe(0);
			expect(desk.read(csv)).toBe(before);
		},
	);
});

describe('an encoding', () => {
	const LINES = [
		'Product Name;Product ID',
		...['ü', 'ö', 'ä'].map((v, i) => `B${v}rste – 5 €;1729000${i}`),
	];
	const windows1252 = (text: string) =>
		Buffer.from(text.replaceAll('–', '\x96').replaceAll('€', '\x80'), 'latin1');
	const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

	test.each([
		['windows-1252', windows1252, ['--encoding', 'windows-1252']],
		['UTF-16', utf16, []],
		['UTF-16 of the other kind', (text: string) => utf16(text).swap16(), []],
		['UTF-8 with its mark', (text: string) => Buffer.from(`\ufeff${text}`), []],
	])(
		'of %s is kept, and the same command orders the same products',
		async (_, bytesOf, options) => {
			await given({ allowance: 1 });
			writeFileSync(path('p.csv'), bytesOf(`${LINES.join('\r\n')}\r\n`));
			expect((await run('p.csv', ...options)).code).toBe(3);
			const [header, , ...rest] = LINES;
			const ours = [`${header ?? ''};brief_batch`, ...rest.map((line) => `${line};batch: p.csv`)];
			expect(readFileSync(path('briefs/deferred.csv'))).toEqual(
				bytesOf(`${ours.join('\r\n')}\r\n`),
			);
			moreAllowance();
			expect((await run('briefs/deferred.csv', ...options)).code).toBe(0);
			expect((await run('briefs/results.csv', ...options)).code).toBe(0);
			const names = sandbox.briefs().map(({ product_name }) => product_name);
			expect(names.sort()).toEqual(['Bärste – 5 €', 'Börste – 5 €', 'Bürste – 5 €']);
		},
	);

	test('that the mark of the file contradicts is not used, and a person is told', async () => {
		await given();
		writeFileSync(path('p.csv'), '\ufeffName\nBürste\n');
		const { code, out } = await run('p.csv', '--encoding', 'windows-1252');
		expect(code).toBe(0);
		expect(out).toContain('byte order mark of utf-8: it is read as that, not as windows-1252');
		expect(sandbox.briefs()[0]?.product_name).toBe('Bürste');
	});
});

describe('a product ID that a spreadsheet has rounded', () => {
	test('is not sent', async () => {
		await given();
		const csv = desk.csv('p.csv', [
			'Name,Product ID',
			'Soap,1729384756123450000',
			'Mug,1729384756102938475',
		]);
		const { code, out } = await run(csv);
		expect(code).toBe(1);
		expect(out).toMatch(/row 2 +invalid +Product ID is “1729384756123450000”.*rounded the ID/);
		expect(out).toContain('give the product’s link as its name');
		expect(sandbox.briefs().map(({ product_name }) => product_name)).toEqual(['Mug']);
	});

	test('of 16 digits is sent with a notice where it is the only one, and not sent where all end so', async () => {
		await given();
		const one = desk.csv('one.csv', ['Name,Product ID', 'Soap,1005006123456780', 'Mug,17290001']);
		const plan = await desk.run(['plan', one]);
		expect(plan.code).toBe(0);
		expect(plan.out).toContain('Check the product ID 1005006123456780');
		const ids = ['1005006123456780', '1005006123456790', '1005006123456700'];
		const all = desk.csv('all.csv', ['Name,Product ID', ...ids.map((id, i) => `Soap ${i},${id}`)]);
		const { code, out } = await desk.run(['plan', all]);
		expect(code).toBe(1);
		expect(out).toMatch(/invalid +3/);
		const [first] = ids;
		const sound = desk.csv('sound.csv', [
			'Name,Product ID',
			`Soap,${first ?? ''}`,
			'Mug,1005006123456781',
		]);
		expect((await desk.run(['plan', sound])).out).not.toContain('Check the product ID');
	});
});
