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
		await desk.order();
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

	test('writes its files again without a key, from the journal and the rows there are', async () => {
		const whole = desk.read('briefs/results.csv');
		rmSync(desk.path('briefs/report.html'));
		const { code, out } = await report();
		expect([code, desk.read('briefs/results.csv')]).toEqual([0, whole]);
		expect(out).not.toContain('another program');
		expect(desk.read('briefs/report.html')).toContain('Mug');
	});

	test('makes results.csv from the journal if it is gone, and keeps one that it cannot read', async () => {
		rmSync(desk.path('briefs/results.csv'));
		expect((await report()).code).toBe(0);
		expect(desk.statuses()).toEqual(['ready']);
		desk.write('briefs/results.csv', 'a;b\n1;2\n');
		await desk.expectEnd('report', 0, 'left as it is');
		expect(desk.read('briefs/results.csv')).toBe('a;b\n1;2\n');
		expect(desk.read('briefs/report.html')).toContain('results.csv is not there or was changed');
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
	expect(second).toContain('to order it again:\n         brief-batch retry products.csv\n');
	const bound =
		/row 3 +Product 2 .discontinued. +has had 3 tries without a brief: [^\n]* add --max-tries 4\n/;
	expect([second, third, none].map((out) => bound.test(out))).toEqual([false, false, true]);
	expect(sandbox.createdCount()).toBe(4);
	await desk.expectEnd('status', 1, '1 failed', /1 failed\. This says why/);
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
