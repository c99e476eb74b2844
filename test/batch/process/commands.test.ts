import { rmSync } from 'node:fs';
import { deskOf, products, type Desk } from '../../support/batch/brief-batch';
import { problemsOf } from '../../support/batch/page-check';
import { textOf } from '../../support/batch/report-fixtures';

jest.setTimeout(60_000);

describe('report --share', () => {
	let desk: Desk;
	const LINES = [
		'Product Name,SKU,Shop owner,Margin',
		'Mug <script>,S-1,Mara,12',
		'Lamp (discontinued),S-2,Jonas,34',
		'x,S-3,Jonas,56',
		'Vase,S-4,Jonas,78',
	];
	const share = (options: string[], said: string | RegExp) =>
		desk.expectEnd(['report', '--share', ...options], 0, said);

	beforeAll(async () => {
		desk = await deskOf(LINES);
		// The tag is a sign of damage.
		await desk.order('--yes');
	});

	test('writes the finished briefs, and nothing else', async () => {
		await share(['--name', 'Acme GmbH'], /To pass on: .*briefs\.html, with 2 briefs\.\n$/);
		const page = desk.read('briefs/briefs.html');
		expect(problemsOf(page)).toEqual([]);
		const text = textOf(page);
		expect(text).toMatch(/Acme GmbH 2 briefs, .* Mug <script> /);
		const ready = desk.results().filter(({ brief_status }) => brief_status === 'ready');
		expect(ready).toHaveLength(2);
		for (const { brief_title = '' } of ready) expect(text).toContain(brief_title);
		expect(text).not.toMatch(/Lamp|S-1|Mara|Margin|12|allowance|failed|brief-batch|Row/i);
		expect(page).not.toContain('results/');
	});

	test('takes only the rows that are named, by their own numbers too', async () => {
		const titleOf = (sku: string) => {
			const row = desk.results().find(({ SKU }) => SKU === sku);
			return row?.brief_title ?? '';
		};
		const only = (rows: string, code: number, said: string) =>
			desk.expectEnd(['report', '--share', '--only', rows], code, said);
		await only('5', 0, 'briefs.html, with 1 brief.\n');
		expect(textOf(desk.read('briefs/briefs.html'))).toContain(titleOf('S-4'));
		expect(textOf(desk.read('briefs/briefs.html'))).not.toContain(titleOf('S-1'));
		await only('2-3', 0, 'with 1 brief. 1 row of --only has no finished brief.\n');
		expect(textOf(desk.read('briefs/briefs.html'))).toContain(titleOf('S-1'));
		await only('3', 0, 'nothing to pass on. 1 row of --only has no finished brief.\n');
		await only('9', 2, '--only names row 9, and the CSV has rows 2 to 5.');
		await only('@S-4', 2, 'no row has this number');
		await desk.expectEnd('report --only 2', 2, 'Add --share');
		await desk.order('--id', 'SKU');
		await only('@s-4', 0, 'with 1 brief.\n');
		expect(textOf(desk.read('briefs/briefs.html'))).toContain(titleOf('S-4'));
	});

	test('leaves out a brief without its file, and writes no empty page', async () => {
		const files = desk.results().map(({ brief_file = '' }) => brief_file.replace('.md', '.json'));
		rmSync(desk.path(`briefs/${files[0]}`));
		const said = 'The files of 1 brief are gone from results/: the next run fetches them';
		await share([], `with 1 brief. ${said}`);
		rmSync(desk.path('briefs'), { recursive: true });
		await desk.order('--only', '4');
		await share([], 'No brief is finished');
		expect(desk.exists('briefs/briefs.html')).toBe(false);
	});
});

describe('report', () => {
	let desk: Desk;
	beforeAll(async () => {
		desk = await deskOf(['What we sell,Note', 'Lamp,a', 'Mug,b']);
		await desk.order('--map', 'What we sell=product_name', '--max', '1');
	});
	const report = () => desk.run('report', { CREATOR_BRIEFING_API_KEY: undefined });

	test('writes its files again without a key, from the CSV as it is now and the journal', async () => {
		const whole = desk.read('briefs/results.csv');
		for (const name of ['report.html', 'results.csv']) rmSync(desk.path(`briefs/${name}`));
		expect((await report()).code).toBe(0);
		expect(desk.read('briefs/results.csv')).toBe(whole);
		expect(desk.read('briefs/report.html')).toContain('Mug');
		desk.write('briefs/results.csv', 'a;b\n1;2\n');
		expect((await report()).code).toBe(0);
		expect(desk.read('briefs/results.csv')).toBe(whole);
	});

	test('leaves results.csv as it is if the CSV cannot be read, and makes the page from the journal', async () => {
		const whole = desk.read('briefs/results.csv');
		rmSync(desk.path('products.csv'));
		const said = 'products.csv cannot be read: briefs/results.csv is left as it is';
		await desk.expectEnd('report', 0, said);
		expect(desk.read('briefs/results.csv')).toBe(whole);
		expect(desk.read('briefs/report.html')).toContain('The CSV could not be read');
		await desk.expectEnd('report --share --only 2', 2, 'Put the file back');
	});
});

test('retry orders a failed row again under another key, three times at most by itself', async () => {
	const desk = await deskOf([...products(1), 'Product 2 (discontinued),17290009,SKU-2']);
	const { sandbox } = desk;
	await desk.order();
	await desk.expectEnd('retry products.csv', 2, '--yes');
	await desk.expectEnd(
		'status',
		2,
		/could not go on\. [^\n]*\n +brief-batch retry products\.csv\n/,
	);
	expect(sandbox.createdCount()).toBe(2);
	const retry = async () => (await desk.expectEnd('retry products.csv --yes', 1)).out;
	const [second, third, none] = [await retry(), await retry(), await retry()];
	expect(second).toMatch(
		/\(product_unavailable\)\. Without a change, a retry will probably fail again/,
	);
	expect(second).toContain(
		'asks before it orders it again:\n         brief-batch retry products.csv\n',
	);
	const bound =
		/row 3 +Product 2 .discontinued. +has had 3 tries without a brief: [^\n]* add --max-tries 4\n/;
	expect([second, third, none].map((out) => bound.test(out))).toEqual([false, false, true]);
	expect(sandbox.createdCount()).toBe(4);
	await desk.expectEnd('status', 1, '1 failed', /1 failed: this says why/);
	await desk.expectEnd('retry products.csv --json', 1, /"event":"row_not_retried",.*"row":3,/);
	await desk.run('retry products.csv --yes --max-tries 4');
	const keys = sandbox.briefs().flatMap(({ idempotencyKeys }) => idempotencyKeys);
	expect([new Set(keys).size, sandbox.createdCount()]).toEqual([5, 5]);
});

test('control characters of arguments and paths do not reach the terminal', async () => {
	const evil = 'e\u001b[31mv\u001b]0;il\u0007\u009b2J\u202e';
	const desk = await deskOf();
	const csv = desk.csv(`${evil}.csv`, products(1));
	for (const args of [
		['plan', `--${evil}`],
		['plan', `no-${evil}`],
		['plan', csv, '--map', evil],
		['plan', csv, '--max', evil],
		['run', csv, '--out', evil],
		['status', '--out', evil],
		['report', '--out', evil],
		['doctor', '--out', evil],
	]) {
		const { out, err } = await desk.run(args);
		const shown = (out + err).replaceAll('\n', '');
		expect([args, shown.match(/[\p{Cc}\u202e]/gu)]).toEqual([args, null]);
		expect(shown).not.toBe('');
	}
});
