import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';
import { problemsOf } from '../../support/batch/page-check';
import { textOf } from '../../support/batch/report-fixtures';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: 1000,
		seed: 'commands',
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

describe('brief-batch plan', () => {
	test('sends nothing but GETs and writes nothing', async () => {
		await given();
		const csv = desk.csv('products.csv', products(5));
		const before = readdirSync(desk.folder);
		const { code, out } = await desk.run(['plan', csv]);
		expect(code).toBe(0);
		expect(out).toMatch(/ready to go +5/);
		expect(sandbox.requests.map(({ method }) => method)).not.toContain('POST');
		expect(readdirSync(desk.folder)).toEqual(before);
	});

	test('prices the run: what it takes, what is deferred and until when, and how long it takes', async () => {
		await given({ allowance: 3, usedThisMonth: 'zero', speed: 1 });
		sandbox.addBrief({ status: 'running' });
		const csv = desk.csv('products.csv', [
			...products(4),
			'x,12,short id',
			'Product 1,1729000000,again',
		]);
		const { code, out } = await desk.run(['plan', csv, '--keep', '1']);
		expect(code).toBe(3);
		expect(out).toMatch(/row 6 .*invalid/);
		expect(out).toMatch(/row 7 .*duplicate +same content as row 2/);
		expect(out).toMatch(/ready to go +4\n/);
		expect(out).toMatch(/invalid +1 /);
		expect(out).toMatch(/duplicates +1 /);
		expect(out).toMatch(/used +1\n/);
		expect(out).toMatch(/this run takes +1\n/);
		expect(out).toMatch(/deferred +3 +can go on from 1 \w+ \d{4}, over 2 months/);
		expect(out).toMatch(/running now +1 +of 2 slots/);
	});

	test('is honest about a thousand briefs: two slots write some six hundred a day', async () => {
		await given({ allowance: 5000 });
		const csv = desk.csv('products.csv', products(1240));
		const { out } = await desk.run(['plan', csv]);
		expect(out).toMatch(/this run +about 2 days/);
	});

	test('a CSV that cannot be used is named, with what to do, and ends with 2', async () => {
		await given();
		const missing = await desk.run(['plan', 'nowhere.csv']);
		expect(missing.code).toBe(2);
		expect(missing.err).toContain('nowhere.csv');
		const csv = desk.csv('orders.csv', ['Order,Amount', '1,2']);
		const headless = await desk.run(['plan', csv]);
		expect(headless.code).toBe(2);
		expect(headless.err).toContain('--map');
		expect(headless.err).not.toMatch(/\n\s+at /);
	});
});

describe('brief-batch report --share', () => {
	const lines = [
		'Product Name,SKU,"Owner, shop",Margin',
		'Mug <script>,S-1,Mara,12',
		'Lamp (discontinued),S-2,Jonas,34',
		'x,S-3,Jonas,56',
		'Vase,S-4,Jonas,78',
	];
	const share = (...options: string[]) => desk.run(['report', '--share', ...options]);

	test('writes the finished briefs with product, title and the columns that are named, and nothing else', async () => {
		await given();
		const csv = desk.csv('products.csv', lines);
		await desk.run(['run', csv, ...FAST]);
		const { code, out } = await share('--columns', 'sku, "Owner, shop"', '--name', 'Acme GmbH');
		expect([code, out]).toEqual([
			0,
			expect.stringMatching(/To pass on: .*briefs\.html, with 2 briefs\.\n$/),
		]);
		const page = desk.read('briefs/briefs.html');
		expect(problemsOf(page)).toEqual([]);
		const text = textOf(page);
		expect(text).toMatch(/Acme GmbH 2 briefs, .* Mug <script> · SKU S-1 · Owner, shop Mara/);
		for (const { brief_title = '', brief_status } of desk.results())
			if (brief_status === 'ready') expect(text).toContain(brief_title);
		expect(text).not.toMatch(/Lamp|S-2|S-3|Margin|12|allowance|failed|brief-batch|Row/i);
		expect(page).not.toContain('results/');
	});

	test('names a column that is not there, and one that is asked for without --share', async () => {
		await given();
		const csv = desk.csv('products.csv', lines);
		await desk.run(['run', csv, ...FAST]);
		const wrong = await share('--columns', 'SKU,Ownr');
		expect([wrong.code, wrong.err]).toEqual([
			2,
			'--columns: the list has no column “Ownr”.\nIt has: Product Name, SKU, Owner, shop, Margin.\n',
		]);
		expect((await share('--columns', 'SKU,"Owner')).code).toBe(2);
		const alone = await desk.run(['report', '--columns', 'SKU']);
		expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('Add --share')]);
		expect(desk.exists('briefs/briefs.html')).toBe(false);
	});

	test('leaves out a brief whose file is gone, and says so; with none there is no page', async () => {
		await given();
		const csv = desk.csv('products.csv', lines);
		await desk.run(['run', csv, ...FAST]);
		rmSync(join(desk.folder, 'briefs', desk.results()[0]!.brief_file!.replace('.md', '.json')));
		expect((await share()).out).toMatch(
			/with 1 brief\. The files of 1 brief are gone from results\/: the next run fetches them/,
		);
		rmSync(join(desk.folder, 'briefs'), { recursive: true });
		await desk.run(['run', desk.csv('products.csv', lines.slice(0, 1).concat(lines[3]!)), ...FAST]);
		const none = await share();
		expect([none.code, none.out]).toEqual([0, expect.stringContaining('No brief is finished')]);
		expect(desk.exists('briefs/briefs.html')).toBe(false);
	});
});

describe('brief-batch status', () => {
	test('says what the journal says, without a key and without asking the service', async () => {
		await given();
		const csv = desk.csv('products.csv', [
			...products(2),
			'Product 3 (discontinued),17290009,SKU-4',
		]);
		await desk.run(['run', csv, ...FAST]);
		const asked = sandbox.requests.length;
		const { code, out } = await desk.run(['status'], { CREATOR_BRIEFING_API_KEY: undefined });
		// The failed row waits for somebody who says what becomes of it.
		expect(code).toBe(1);
		expect(out).toMatch(/2 ready/);
		expect(out).toMatch(/1 failed/);
		expect(out).toContain('product_unavailable');
		expect(sandbox.requests).toHaveLength(asked);
	});

	test('where nothing was run, says so and ends with 2', async () => {
		await given();
		const { code, err } = await desk.run(['status', '--out', 'elsewhere']);
		expect(code).toBe(2);
		expect(err).toContain('There is no journal in elsewhere');
	});
});

describe('brief-batch retry', () => {
	test('orders a failed row again under another key, but only when told to', async () => {
		await given();
		const csv = desk.csv('products.csv', [
			...products(1),
			'Product 2 (discontinued),17290009,SKU-2',
		]);
		await desk.run(['run', csv, ...FAST]);
		const unasked = await desk.run(['retry', csv, ...FAST]);
		expect(unasked.code).toBe(2);
		expect(unasked.err).toContain('--yes');
		expect(sandbox.createdCount()).toBe(2);
		const { code, out } = await desk.run(['retry', csv, '--yes', ...FAST]);
		expect(out).toContain('row 3     Product 2 (discontinued)');
		expect(out).toMatch(
			/1 row: the service could not write the brief \(product_unavailable\)\. A retry is unlikely to help/,
		);
		expect(code).toBe(1);
		expect(sandbox.createdCount()).toBe(3);
		const keys = sandbox.briefs().flatMap(({ idempotencyKeys }) => idempotencyKeys);
		expect(new Set(keys).size).toBe(3);
	});
});

describe('brief-batch retry --yes, as a schedule repeats it', () => {
	test('orders a failing row three times at most, says so, and still ends with 1', async () => {
		await given();
		const csv = desk.csv('products.csv', [
			...products(1),
			'Product 2 (discontinued),17290009,SKU-2',
		]);
		await desk.run(['run', csv, ...FAST]);
		for (let day = 0; day < 4; day += 1) {
			const { code, out } = await desk.run(['retry', csv, '--yes', ...FAST]);
			expect(code).toBe(1);
			const isBound = /row 3 +Product 2 \(discontinued\) +has had 3 tries without a brief/.test(
				out,
			);
			expect([day, isBound]).toEqual([day, day >= 2]);
			// The third start was the last one that it gives by itself.
			const bound = day === 0 ? '' : ' --max-generations 4';
			expect(out).toContain(
				`to order it again: brief-batch retry products.csv ${FAST.join(' ')}${bound}\n`,
			);
		}
		expect(sandbox.createdCount()).toBe(4);
		expect(desk.results()[1]?.brief_status).toBe('failed');
		expect((await desk.run(['status'])).out).toMatch(
			/1 failed\. The row .*\n +brief-batch retry products\.csv .*--max-generations 4\n/,
		);

		const told = await desk.run(['retry', csv, '--json', ...FAST]);
		expect(told.out).toContain('{"event":"row_not_restarted","row":3,');
		expect(told.code).toBe(1);
		await desk.run(['retry', csv, '--yes', '--max-generations', '4', ...FAST]);
		expect(sandbox.createdCount()).toBe(5);
		const wrong = await desk.run(['retry', csv, '--max-generations', '0', ...FAST]);
		expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('--max-generations')]);
	});
});

describe('brief-batch audit', () => {
	test('ends with 0 when journal, files and service agree', async () => {
		await given();
		const csv = desk.csv('products.csv', products(2));
		await desk.run(['run', csv, ...FAST]);
		const { code, out } = await desk.run(['audit', csv]);
		expect(code).toBe(0);
		expect(out).toContain('agree on 2 orders');
	});

	test('names a file that is gone and one that was changed; a brief of others is told, and is no finding', async () => {
		await given();
		const csv = desk.csv('products.csv', products(3));
		await desk.run(['run', csv, ...FAST]);
		const stranger = sandbox.addBrief({ product_name: 'Product 3', status: 'ready' });
		const before = await desk.run(['audit', csv]);
		expect(before.code).toBe(0);
		expect(before.out).toContain(
			`1 brief of these products was not ordered by this journal (${stranger.id})`,
		);
		const [first, second] = desk.results();
		rmSync(join(desk.folder, 'briefs', first?.brief_file ?? ''));
		writeFileSync(join(desk.folder, 'briefs', second?.brief_file ?? ''), 'changed');
		const { code, out } = await desk.run(['audit', csv]);
		expect(code).toBe(1);
		expect(out).toMatch(/row 2 .*is gone.*--repair/);
		expect(out).toMatch(/row 3 .*was changed since it was written.*--repair/);
		expect(out).toContain('2 differences in 3 orders');
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
	});
});

test('brief-batch audit blames no brief that is older than the journal', async () => {
	await given();
	const csv = desk.csv('products.csv', products(1));
	sandbox.addBrief({ product_name: 'Product 1', status: 'ready' });
	// Without the option the row waits for a person, because that brief may be its own.
	await desk.run(['run', csv, '--order-again', '--yes', ...FAST]);
	const { code, out } = await desk.run(['audit', csv]);
	expect(out).toContain('agree on 1 order');
	expect(code).toBe(0);
});

describe('brief-batch report', () => {
	test('writes results.csv and report.html again from the journal', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		await desk.run(['run', csv, ...FAST]);
		rmSync(join(desk.folder, 'briefs', 'report.html'));
		const before = desk.read('briefs/results.csv');
		await desk.run(['report'], { CREATOR_BRIEFING_API_KEY: undefined });
		expect(desk.read('briefs/results.csv')).toBe(before);
		rmSync(join(desk.folder, 'briefs', 'results.csv'));
		const { code } = await desk.run(['report'], { CREATOR_BRIEFING_API_KEY: undefined });
		expect(code).toBe(0);
		expect(desk.read('briefs/report.html')).toContain('Product 1');
		expect(desk.results().map((row) => row.brief_status)).toEqual(['ready']);
	});

	test('takes the rows from the file beside a results.csv that could not be replaced', async () => {
		await given();
		const csv = desk.csv('products.csv', products(2));
		await desk.run(['run', csv, ...FAST]);
		const whole = desk.read('briefs/results.csv');
		writeFileSync(join(desk.folder, 'briefs', 'results-new.csv'), whole);
		const [header, first] = whole.split('\n');
		writeFileSync(join(desk.folder, 'briefs', 'results.csv'), `${header}\n${first}\n`);
		await desk.run(['report']);
		expect(desk.read('briefs/results.csv')).toBe(whole);
		expect(desk.exists('briefs/results-new.csv')).toBe(false);
	});

	test('reads results.csv by the columns that the run read, whatever --map named', async () => {
		await given();
		const csv = desk.csv('products.csv', ['What we sell,Note', 'Lamp,a', 'Mug,b']);
		await desk.run(['run', csv, '--map', 'What we sell=product_name', '--max', '1', ...FAST]);
		const before = desk.read('briefs/results.csv');
		const { code, out } = await desk.run(['report']);
		expect(code).toBe(0);
		expect(out).not.toContain('another program');
		expect(desk.read('briefs/results.csv')).toBe(before);
		expect(desk.read('briefs/report.html')).toContain('Mug');
	});

	test('leaves a results.csv alone that it cannot read, and says so', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		await desk.run(['run', csv, ...FAST]);
		writeFileSync(join(desk.folder, 'briefs', 'results.csv'), 'a;b\n1;2\n');
		const { code, out } = await desk.run(['report']);
		expect(code).toBe(0);
		expect(out).toContain('left as it is');
		expect(desk.read('briefs/results.csv')).toBe('a;b\n1;2\n');
		expect(desk.read('briefs/report.html')).toContain('results.csv is not there or was changed');
	});
});

test('control characters of arguments and paths do not reach the terminal', async () => {
	await given();
	const evil = 'e\u001b[31mv\u001b]0;il\u0007\u009b2J\u202e';
	desk.csv(`${evil}.csv`, products(1));
	const csv = `${evil}.csv`;
	const tries = [
		...[[evil], ['plan', `--${evil}`], ['plan', `no-${evil}`], ['plan', csv, '--map', evil]],
		...[
			['plan', csv, '--set', `audience=${evil}`, '--max', evil],
			['status', '--out', evil],
		],
		...[
			['plan', csv, '--batch', evil, '--out', evil],
			['run', csv, '--out', evil, ...FAST],
		],
		...[
			['report', '--out', evil],
			['doctor', '--out', evil],
			['audit', csv, '--out', evil],
		],
	];
	for (const args of tries) {
		const { out, err } = await desk.run(args);
		expect([args, (out + err).replaceAll('\n', '').match(/[\p{Cc}\u202e]/gu)]).toEqual([
			args,
			null,
		]);
		expect(out + err).not.toBe('');
	}
});
