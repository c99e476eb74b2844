import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { deskOf, products, type Desk } from '../../support/batch/brief-batch';

jest.setTimeout(120_000);

const DEFERRED = 'briefs/deferred.csv';
const FAILED = 'briefs/failed.csv';
const RESULTS = 'briefs/results.csv';

function copy(desk: Desk, from: string, to: string): string {
	copyFileSync(desk.path(from), desk.path(to));
	return to;
}

/** Five rows, of which three are in deferred.csv; now the service has more to give. */
async function deferred(): Promise<Desk> {
	const desk = await deskOf(5, { allowance: 2 });
	expect((await desk.order()).code).toBe(3);
	expect(desk.read(DEFERRED).split('\n')).toHaveLength(5);
	desk.sandbox.options.allowance = 100;
	return desk;
}

const READY = (n: number) => Array<string>(n).fill('ready');
const LOST = 'Lamp (discontinued),17290009,SKU-3';

describe('deferred.csv', () => {
	test('can be copied, renamed and saved by a spreadsheet, and each row is paid once', async () => {
		const desk = await deferred();
		// As a cron job does, in a folder of its own.
		copy(desk, DEFERRED, 'deferred.csv');
		const alone = await desk.run('run deferred.csv --out december');
		expect(alone.out).toContain('Batch “products.csv”: 3 rows, 3 to order');
		expect([alone.code, desk.statuses('december')]).toEqual([0, READY(3)]);
		copy(desk, DEFERRED, 'december.csv');
		expect((await desk.run('run december.csv --out january')).code).toBe(0);
		const rows = desk.read(DEFERRED).trim().split('\n');
		const moved = rows.map((line) => line.split(',').reverse());
		const saved = moved.map((cells) => cells.map((cell) => `"${cell}"`).join(';'));
		desk.write('saved.csv', `\ufeff${saved.join('\r\n')}\r\n`);
		expect((await desk.run('run saved.csv')).code).toBe(0);
		expect(desk.statuses()).toEqual(READY(5));
		expect((await desk.order()).code).toBe(0);
		desk.expectPaid(5);
	});

	test('can be run in its place, killed and run again, and the other rows stay in results.csv', async () => {
		const desk = await deferred();
		// Keys are of no use here: the journal knows what was paid.
		desk.sandbox.options.keyMemoryMs = 0;
		const before = desk.read(DEFERRED);
		await desk.killed(/ready/, `run ${DEFERRED}`);
		expect(desk.read(DEFERRED)).toBe(before);
		for (let times = 0; times < 2; times += 1) {
			expect((await desk.run(`run ${DEFERRED}`)).code).toBe(0);
			expect(desk.statuses()).toEqual(READY(5));
			const skus = desk.results().map(({ SKU }) => SKU);
			expect(skus).toEqual([1, 2, 3, 4, 5].map((n) => `SKU-${n}`));
			expect(desk.read(DEFERRED)).toBe(before);
		}
		expect((await desk.order()).code).toBe(0);
		desk.expectPaid(5);
		expect(desk.exists(DEFERRED)).toBe(false);
	});

	test('orders nothing if --batch, the folder or its own rows name another batch', async () => {
		const desk = await deferred();
		desk.csv('other.csv', ['Name', 'Lamp']);
		await desk.run('run other.csv --batch autumn --out autumn');
		desk.write('mixed.csv', desk.read(DEFERRED).replace('SKU-4,batch: pro', 'SKU-4,batch: x'));
		for (const [args, message] of [
			[`${DEFERRED} --batch autumn --out d`, 'the batch “products.csv”, not to “autumn”'],
			[`${DEFERRED} --out autumn`, 'and the folder autumn to the batch “autumn”'],
			['mixed.csv --out d', '“products.csv” in rows 2 and 4; “xducts.csv” in row 3'],
		]) {
			await desk.expectEnd(`run ${args}`, 2, message!);
		}
		desk.expectPaid(3);
	});
});

test('failed.csv: run pays nothing, retry orders its rows, and a corrected row is ordered', async () => {
	const desk = await deskOf([...products(2), LOST]);
	expect((await desk.order()).code).toBe(1);
	const before = desk.read(FAILED);
	await desk.expectEnd(`run ${FAILED}`, 1, `To order it again: brief-batch retry ${FAILED}`);
	expect(desk.sandbox.createdCount()).toBe(3);
	await desk.run(`retry ${FAILED} --yes`);
	expect([desk.sandbox.createdCount(), desk.read(FAILED)]).toEqual([4, before]);
	expect(desk.statuses()).toEqual(['ready', 'ready', 'failed']);
	desk.write(FAILED, before.replace(' (discontinued)', ''));
	for (let times = 0; times < 2; times += 1) {
		expect((await desk.run(`run ${FAILED}`)).code).toBe(0);
		expect(desk.statuses()).toEqual(['ready', 'ready', 'failed', 'ready']);
	}
	expect(desk.sandbox.createdCount()).toBe(5);
});

describe('results.csv', () => {
	let desk: Desk;
	const NAMES = ['Bürste 1', 'Bürste 2'];
	const names = () => desk.results().map((row) => row['Product Name']);

	beforeAll(async () => {
		const rows = NAMES.map((name, at) => `${name},1729000${at},SKU-${at}`);
		desk = await deskOf(['Product Name,Product ID,SKU', ...rows]);
		await desk.order();
	});

	test.each<[string, (csv: string) => string | Buffer, string]>([
		[
			'with a column moved to the front',
			(csv) => csv.replace(/^(.*?),(.*?),(.*?),(.*?),(.*?),/gm, '$5,$1,$2,$3,$4,'),
			'',
		],
		[
			'with a column added at the end',
			(csv) => csv.replace(/$/gm, ',').replace(/,$/, '').replace(/,$/m, ',Note'),
			'',
		],
		[
			'in another encoding that --encoding names',
			(csv) => Buffer.from(csv, 'latin1'),
			' --encoding windows-1252',
		],
		['with a line above its header', (csv) => `sep=,\n${csv}`, ''],
	])('saved %s is not run in its place, but a copy is', async (_, saved, options) => {
		const before = Buffer.from(saved(desk.read(RESULTS).replace('\ufeff', '')));
		desk.write(RESULTS, before);
		for (const name of ['plan', 'run']) {
			const said = ['another layout', 'Save it under another name'];
			await desk.expectEnd(`${name} ${RESULTS}${options}`, 2, ...said);
		}
		expect(readFileSync(desk.path(RESULTS))).toEqual(before);
		copy(desk, RESULTS, 'my-rows.csv');
		await desk.expectEnd(`run my-rows.csv${options}`, 0);
		expect([names(), desk.statuses()]).toEqual([NAMES, READY(2)]);
		desk.expectPaid(2);
	});

	test('copied elsewhere is not run, because all its rows would be paid again', async () => {
		copy(desk, RESULTS, 'copy.csv');
		const said = 'is the results.csv of an earlier run';
		await desk.expectEnd('run copy.csv --out elsewhere', 2, said);
		await desk.expectEnd(`run ${RESULTS} --out again`, 0);
		desk.expectPaid(2);
	});

	test('is run in its place with rows added to it, also through a link', async () => {
		symlinkSync(desk.path('briefs'), desk.path('link'));
		const whole = desk.read(RESULTS);
		const commas = whole.split('\n')[0]!.split(',').length - 3;
		desk.write(RESULTS, `${whole}Lamp,1729000009,SKU-9${','.repeat(commas)}\n`);
		expect((await desk.run('run link/results.csv')).code).toBe(0);
		expect(names()).toEqual([...NAMES, 'Lamp']);
		desk.expectPaid(3);
		desk.write('briefs/results-new.csv', `sep=,\n${desk.read(RESULTS)}`);
		expect((await desk.run('run link/results-new.csv')).code).toBe(2);
	});
});

test('a results.csv in another encoding is never written again with holes in it', async () => {
	const desk = await deskOf(['Product Name,Note', 'Bürste,a', 'Käse,b'], { allowance: 1 });
	expect((await desk.order()).code).toBe(3);
	const whole = desk.read(RESULTS);
	const saved = Buffer.from(whole.replace(/[^\0-\xff]/g, '?'), 'latin1');
	desk.write(RESULTS, saved);
	desk.sandbox.options.allowance = 100;
	await desk.expectEnd(`run ${DEFERRED}`, 2, 'in another encoding than UTF-8');
	await desk.expectEnd('report', 0, 'left as it is');
	expect(readFileSync(desk.path(RESULTS))).toEqual(saved);
	desk.write(RESULTS, whole);
	expect((await desk.run(`run ${DEFERRED}`)).code).toBe(0);
	expect(desk.results().map((row) => row['Product Name'])).toEqual(['Bürste', 'Käse']);
});

test('a list with the name of a file that a run writes is not run in that folder', async () => {
	const desk = await deskOf();
	const lists = ['failed.csv', 'deferred.csv', 'results.csv', 'failed-new.csv', 'results-new.csv'];
	for (const name of lists) {
		desk.csv(name, products(1));
		for (const command of ['plan', 'run']) {
			const said = [`writes or removes a ${name} there by itself`, 'Save it under another name'];
			await desk.expectEnd(`${command} ${name} --out .`, 2, ...said);
		}
		expect(desk.read(name)).toBe(`${products(1).join('\n')}\n`);
	}
	expect(desk.exists('journal.jsonl')).toBe(false);
	mkdirSync(desk.path('elsewhere'));
	expect((await desk.run('run failed.csv --out elsewhere')).code).toBe(0);
	desk.expectPaid(1);
});

describe('an encoding', () => {
	const LINES = [
		'Product Name;Product ID',
		...['ü', 'ö'].map((v, i) => `B${v}rste – 5 €;17290${i}`),
	];
	const windows1252 = (text: string) =>
		Buffer.from(text.replaceAll('–', '\x96').replaceAll('€', '\x80'), 'latin1');

	test.each([
		['windows-1252', windows1252, ' --encoding windows-1252'],
		['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), ''],
		['UTF-8 with its mark', (text: string) => Buffer.from(`\ufeff${text}`), ''],
	])(
		'of %s is kept, and the same command orders the same products',
		async (_, bytesOf, options) => {
			const desk = await deskOf([], { allowance: 1 });
			desk.write('p.csv', bytesOf(`${LINES.join('\r\n')}\r\n`));
			expect((await desk.run(`run p.csv${options}`)).code).toBe(3);
			const [header, , last] = LINES;
			const ours = `${header};brief_batch\r\n${last};batch: p.csv\r\n`;
			expect(readFileSync(desk.path(DEFERRED))).toEqual(bytesOf(ours));
			desk.sandbox.options.allowance = 100;
			for (const csv of [DEFERRED, RESULTS])
				expect((await desk.run(`run ${csv}${options}`)).code).toBe(0);
			const names = desk.sandbox.briefs().map(({ product_name }) => product_name);
			expect(names).toEqual(['Bürste – 5 €', 'Börste – 5 €']);
		},
	);

	test('is not used if the mark of the file contradicts it, and the output says so', async () => {
		const desk = await deskOf();
		desk.write('p.csv', '\ufeffName\nBürste\n');
		const said = 'byte order mark of utf-8: it is read as that, not as windows-1252';
		await desk.expectEnd('plan p.csv --encoding windows-1252', 0, said, /row 2 +new +Bürste/);
	});
});
