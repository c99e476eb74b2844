import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';
import { inCapitalsAndSmallLetters, startFront, withLicence } from '../../support/front';

/** 3 to 6 minutes become 0.18 to 0.36 seconds. */
const SPEED = 1000;

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox({
		speed: SPEED,
		seed: 'process',
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

/** P1: no idempotency key, and no product, was paid for twice. */
function expectNothingPaidTwice(): void {
	const names = sandbox.briefs().map(({ product_name }) => product_name);
	expect(new Set(names).size).toBe(names.length);
}

function statuses(): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { brief_status: status = '' } of desk.results())
		counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}

describe('brief-batch run', () => {
	test('makes a brief of every row, two at a time, and ends with 0', async () => {
		await given();
		const csv = desk.csv('products.csv', products(8));
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(out).toContain('8 ready');
		expect(code).toBe(0);
		expect(sandbox.createdCount()).toBe(8);
		expect(sandbox.maxRunning()).toBe(2);
		const [first] = desk.results();
		expect(first).toMatchObject({
			'Product Name': 'Product 1',
			SKU: 'SKU-1',
			brief_status: 'ready',
		});
		expect(desk.read(`briefs/${first?.brief_file ?? ''}`)).toContain('Product 1');
		expect(desk.exists('briefs/report.html')).toBe(true);
		expect(desk.exists('briefs/.lock')).toBe(false);
	});

	test('run again, it orders nothing, and ends with 0', async () => {
		await given();
		const csv = desk.csv('products.csv', products(3));
		await desk.run(['run', csv, ...FAST]);
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(0);
		expect(out).toContain('3 finished before');
		expect(sandbox.createdCount()).toBe(3);
	});

	test('names an invalid row and a failed one, makes the others, and ends with 1', async () => {
		await given();
		const csv = desk.csv('products.csv', [
			...products(2),
			'Product 3,1.73E+18,SKU-3',
			'Product 4 (discontinued),17290009,SKU-4',
		]);
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(1);
		expect(out).toMatch(/row 4 +invalid +Product ID is “1\.73E\+18”/);
		expect(out).toMatch(/row 5 +failed +Product 4 \(discontinued\)/);
		expect(statuses()).toEqual({ ready: 2, invalid: 1, failed: 1 });
		expect(desk.read('briefs/failed.csv')).toBe(
			'Product Name,Product ID,SKU,brief_batch\nProduct 4 (discontinued),17290009,SKU-4,batch: products.csv\n',
		);
	});

	test('makes the same content once, and says which rows share it', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), 'Product 1,1729000000,other SKU']);
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(0);
		expect(out).toMatch(/row 3 +duplicate +same content as row 2/);
		expect(sandbox.createdCount()).toBe(1);
		const [first, second] = desk.results();
		expect(second?.brief_id).toBe(first?.brief_id);
	});

	test('with --allow-duplicates makes a brief for each', async () => {
		await given();
		const csv = desk.csv('products.csv', [...products(1), 'Product 1,1729000000,other SKU']);
		const { code } = await desk.run(['run', csv, '--allow-duplicates', ...FAST]);
		expect(code).toBe(0);
		expect(sandbox.createdCount()).toBe(2);
		const [first, second] = desk.results();
		expect(second?.brief_id).not.toBe(first?.brief_id);
	});

	test.each([
		['what is used reads true', { usedThisMonth: 'true-count' as const }],
		['what is used reads 0', { usedThisMonth: 'zero' as const }],
	])('stays within the allowance when %s, defers the rest, and ends with 3', async (_, options) => {
		await given({ allowance: 5, ...options });
		sandbox.addBrief({ status: 'ready' });
		const csv = desk.csv('products.csv', products(7));
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(3);
		expect(out).toMatch(
			/3 deferred: the allowance is used up, run the same command again from 1 \w+ \d{4} \(UTC\)/,
		);
		expect(sandbox.createdCount()).toBe(4);
		expect(statuses()).toEqual({ ready: 4, deferred: 3 });
		expect(desk.read('briefs/deferred.csv').split('\n')).toHaveLength(5);
		expect(sandbox.requests.filter(({ status }) => status === 429)).toHaveLength(0);
	});

	test.each([
		['a renewal that has passed', { renews_or_ends_at: '2020-01-01' }, 'was to renew or end at'],
		['no channel api', { channels: ['web'] }, 'does not list the channel “api”'],
		['no licence', { product: 'briefs' }, 'lists no licence for creator briefs'],
		['an allowance of -1', { monthly_allowance: -1 }, 'allowance is not known'],
	])('goes on with %s, and plan, doctor and run say so', async (_, shown, notice) => {
		await given();
		const url = await startFront(sandbox, withLicence(shown));
		desk = new Desk({ url, keys: sandbox.keys });
		const csv = desk.csv('products.csv', products(3));
		for (const command of [['plan', csv], ['doctor'], ['run', csv, ...FAST]]) {
			const { code, out } = await desk.run(command);
			expect(code).toBe(0);
			expect(out).toContain(notice);
		}
		expect(statuses()).toEqual({ ready: 3 });
	});

	test('ends with 4 if the service itself refuses for the licence', async () => {
		await given({ licence: 'no-api-channel' });
		const csv = desk.csv('products.csv', products(3));
		const { code, err } = await desk.run(['run', csv, ...FAST]);
		expect([code, err]).toEqual([4, expect.stringContaining('no Business licence')]);
	});

	test('knows a brief whose ID is in capitals but for the list, and keeps the ID as it came', async () => {
		await given();
		const url = await startFront(sandbox, inCapitalsAndSmallLetters);
		desk = new Desk({ url, keys: sandbox.keys });
		const csv = desk.csv('products.csv', products(4));
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
		const ids = desk.results().map(({ brief_id }) => brief_id);
		const made = sandbox.briefs().map(({ id }) => id.toUpperCase());
		expect([...ids].sort()).toEqual(made.sort());
		expect((await desk.run(['audit', csv])).code).toBe(0);
		const again = await desk.run(['run', csv, ...FAST]);
		expect([again.code, sandbox.createdCount()]).toEqual([0, 4]);
		expect(again.out).toContain('4 finished before. Allowance: 4 of 100 used');
	});

	test('ends with 2 if the service is not at the address, and runs in the same folder with the right one', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const wrong = { CREATOR_BRIEFING_BASE_URL: sandbox.url.replace('/v1', '/v2') };
		for (const command of ['plan', 'run', 'audit', 'doctor']) {
			const { code, out, err } = await desk.run(
				[command, ...(command === 'doctor' ? [] : [csv])],
				wrong,
			);
			expect([command, code]).toEqual([command, 2]);
			expect(`${out}${err}`).toContain(
				`The service is not at ${wrong.CREATOR_BRIEFING_BASE_URL}: `,
			);
			expect(`${out}${err}`).toContain(`Try ${sandbox.url}`);
		}
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
	});

	test('sends campaign terms as they are written, and links as URIs; another line end is no other row', async () => {
		await given();
		const lines = (end: string) => [
			'Product Name,Terms,Reference URLs',
			`Lamp," 10 %${end}until May ",https://a.example/größe?x[]="1"`,
		];
		const csv = desk.csv('products.csv', lines('\r\n'));
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
		const file = desk.results()[0]?.brief_file?.replace(/md$/, 'json') ?? '';
		expect(JSON.parse(desk.read(`briefs/${file}`))).toMatchObject({
			input: {
				campaign_terms: ' 10 %\r\nuntil May ',
				reference_urls: ['https://a.example/gr%C3%B6%C3%9Fe?x%5B%5D=%221%22'],
			},
		});
		desk.csv('products.csv', lines('\n'));
		expect((await desk.run(['run', csv, ...FAST])).out).toContain('1 finished before');
		expect(sandbox.createdCount()).toBe(1);
	});

	test('leaves what --keep and --max say', async () => {
		await given({ allowance: 5 });
		const csv = desk.csv('products.csv', products(4));
		const first = await desk.run(['run', csv, '--max', '1', ...FAST]);
		expect(first.code).toBe(3);
		expect(sandbox.createdCount()).toBe(1);
		expect(statuses()).toEqual({ ready: 1, pending: 3 });
		expect(first.out).toContain(
			'3 pending: left for the next run (--max 1), run the same command again',
		);
		const second = await desk.run(['run', csv, '--keep', '2', ...FAST]);
		expect(second.code).toBe(3);
		expect(sandbox.createdCount()).toBe(3);
		expect(statuses()).toEqual({ ready: 3, deferred: 1 });
		expect(second.out).toMatch(/1 deferred: the rest of the allowance is kept \(--keep 2\), run/);
		expect(desk.results().at(-1)?.brief_error).toMatch(
			/^Not ordered: the rest of the allowance is kept \(--keep 2\)\. Run/,
		);
	});

	test('counts the briefs of others, and waits until they leave a slot', async () => {
		await given();
		sandbox.addBrief({ status: 'running', durationMs: 2_000_000 });
		const csv = desk.csv('products.csv', products(4));
		const { code } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(0);
		expect(sandbox.maxRunning()).toBe(2);
		expect(sandbox.requests.filter(({ status }) => status === 429)).toHaveLength(0);
	});

	test('with --leave-slots 1 runs one of its own at a time', async () => {
		await given();
		const csv = desk.csv('products.csv', products(3));
		const { code } = await desk.run(['run', csv, '--leave-slots', '1', ...FAST]);
		expect(code).toBe(0);
		expect(sandbox.maxRunning()).toBe(1);
	});

	test('parks a brief that runs for too long, never orders it again, and fetches it later', async () => {
		await given({ speed: 100 });
		const csv = desk.csv('products.csv', products(1));
		const first = await desk.run(['run', csv, '--timeout', '0.005', ...FAST]);
		expect(first.code).toBe(1);
		expect(first.out).toMatch(/parked.*still \w+ after/);
		sandbox.advance(600_000);
		const second = await desk.run(['run', csv, ...FAST]);
		expect(second.code).toBe(0);
		expect(sandbox.createdCount()).toBe(1);
	});

	test('ends with 4 and orders nothing when the key is refused, or may not do it', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		for (const key of ['revoked', 'noProducts', 'noLicence'] as const) {
			const { code, err, out } = await desk.run(['run', csv, ...FAST], {
				CREATOR_BRIEFING_API_KEY: sandbox.keys[key],
			});
			expect(code).toBe(4);
			expect(err).toMatch(/40[13]/);
			expect(out + err).not.toContain(sandbox.keys[key]);
		}
		const readOnly = await desk.run(['run', csv, ...FAST], {
			CREATOR_BRIEFING_API_KEY: sandbox.keys.readOnly,
		});
		expect(readOnly.code).toBe(4);
		expect(readOnly.out).toContain('creator-briefs:execute');
		expect(statuses()).toEqual({ pending: 1 });
		expect(sandbox.createdCount()).toBe(0);
	});

	test('says of pending rows only that they are not ready where two were ordered before it stopped', async () => {
		await given({ speed: 20 });
		const csv = desk.csv('products.csv', products(4));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row 3 +ordered/);
		sandbox.revoke('allScopes');
		const { code, out } = await running.ended;
		expect([code, sandbox.createdCount()]).toEqual([4, 2]);
		expect(out).toContain('4 pending: not ready yet, see below\n');
		expect(out).not.toContain('not ordered');
	});

	test('ends with 5 when nothing answers, having spent nothing', async () => {
		await given();
		const csv = desk.csv('products.csv', products(1));
		const { code, err } = await desk.run([
			'run',
			csv,
			...FAST,
			'--base-url',
			'http://127.0.0.1:9/v1',
		]);
		expect(code).toBe(5);
		expect(err).toContain('nothing listens at this address');
	});

	test('SIGINT: orders nothing more, says what is still being written, ends with 130, and can go on', async () => {
		// Slow enough that the briefs are still being written when the second run begins.
		await given({ speed: 30 });
		const csv = desk.csv('products.csv', products(4));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/row 3 +ordered/);
		running.child.kill('SIGINT');
		const { code, out } = await running.ended;
		expect(code).toBe(130);
		expect(out).toContain('Interrupted: nothing more is ordered.');
		expect(out).toMatch(/row 2 +running +Product 1/);
		expect(out).toContain('Run the same command again');
		expect(desk.exists('briefs/.lock')).toBe(false);
		const again = await desk.run(['run', csv, ...FAST]);
		expect(again.code).toBe(0);
		expect(again.out).toContain('resumed');
		expect(sandbox.createdCount()).toBe(4);
		expectNothingPaidTwice();
	});

	test.each(['before the first order', 'in mid-run'])(
		'a rate limit of ten minutes is told of at once, and can be interrupted: %s',
		async (when) => {
			await given({ speed: 100 });
			const csv = desk.csv('products.csv', products(2));
			const limit = () => sandbox.faults.add({ kind: '429', retryAfter: 600 });
			if (when !== 'in mid-run') limit();
			const running = desk.start(['run', csv, ...FAST]);
			if (when === 'in mid-run') {
				await running.said(/row 3 +ordered/);
				limit();
			}
			await running.said(/The service asked to slow down \(429\)\. Waiting 10 minutes/);
			running.child.kill('SIGINT');
			expect((await running.ended).code).toBe(130);
			expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
			expectNothingPaidTwice();
		},
	);

	test.each(['SIGINT', 'SIGTERM'] as const)(
		'%s before anything was ordered: says how to go on, and ends with 130',
		async (signal) => {
			await given();
			// So many that reading them takes a while.
			const csv = desk.csv('products.csv', products(300_000));
			const running = desk.start(['run', csv, ...FAST]);
			await running.said(/Columns read/);
			running.child.kill(signal);
			const { code, err } = await running.ended;
			expect(err).toBe(
				'Interrupted before anything was ordered. Run the same command again to go on.\n',
			);
			expect([code, sandbox.createdCount()]).toEqual([130, 0]);
			expect(desk.exists('briefs/.lock')).toBe(false);
		},
	);

	test('briefs whose files were deleted are fetched again, with GETs only, and told', async () => {
		await given();
		const csv = desk.csv('products.csv', products(4));
		await desk.run(['run', csv, ...FAST]);
		const files = desk.results().map(({ brief_file: file = '' }) => join('briefs', file));
		const texts = files.map((file) => desk.read(file));
		const remove = (path: string) => rmSync(join(desk.folder, path));
		remove(files[0]!);
		remove(files[1]!.replace('.md', '.json'));
		const start = sandbox.requests.length;
		const { code, out } = await desk.run(['run', csv, ...FAST]);
		expect(out).toContain('Files of 2 finished briefs are gone from results/: fetched again');
		expect(code).toBe(0);
		expect(files.map((file) => desk.read(file))).toEqual(texts);
		expect(desk.exists(files[1]!.replace('.md', '.json'))).toBe(true);
		const gets = sandbox.requests.slice(start).filter(({ operation }) => operation === 'get_brief');
		expect(gets).toHaveLength(2);
		expect(sandbox.requests.slice(start).every(({ method }) => method === 'GET')).toBe(true);
		expect((await desk.run(['audit', csv])).code).toBe(0);

		// The whole folder, for whoever tidies up.
		rmSync(join(desk.folder, 'briefs', 'results'), { recursive: true });
		await desk.run(['run', csv, ...FAST]);
		expect(files.map((file) => desk.read(file))).toEqual(texts);
		const again = await desk.run(['run', csv, ...FAST]);
		expect(again.out).not.toContain('gone from results/');
	});

	test('a second run on the same folder is refused, and told who holds it', async () => {
		await given({ speed: 100 });
		const csv = desk.csv('products.csv', products(2));
		const running = desk.start(['run', csv, ...FAST]);
		await running.said(/ordered/);
		const { code, err } = await desk.run(['run', csv, ...FAST]);
		expect(code).toBe(6);
		expect(err).toContain(`process ${running.child.pid ?? 0} on`);
		running.child.kill('SIGKILL');
		await running.ended;
		expect((await desk.run(['run', csv, ...FAST])).code).toBe(0);
		expect(sandbox.createdCount()).toBe(2);
	});

	test('--json gives one event a line and nothing else', async () => {
		await given();
		const csv = desk.csv('products.csv', products(2));
		const { code, out, err } = await desk.run(['run', csv, '--json', ...FAST]);
		const events = out
			.trimEnd()
			.split('\n')
			.map((line) => JSON.parse(line) as { event: string });
		expect(events.filter(({ event }) => event === 'brief_ready')).toHaveLength(2);
		expect(events.at(-1)).toMatchObject({ event: 'run_ended', exit_code: code, ready: 2 });
		expect(err).toBe('');
	});

	test('fifty rows through every fault the sandbox has end as they should, none paid twice', async () => {
		await given({ faults: 'default', usedThisMonth: 'zero', listLagMs: 2000 });
		const csv = desk.csv('products.csv', products(50));
		let ended = await desk.run(['run', csv, ...FAST]);
		for (let tries = 0; ended.code === 5 && tries < 5; tries += 1)
			ended = await desk.run(['run', csv, ...FAST]);
		expect(ended.out + ended.err).toContain('50 ready');
		expect(ended.code).toBe(0);
		expect(sandbox.createdCount()).toBe(50);
		expectNothingPaidTwice();
		expect(sandbox.maxRunning()).toBe(2);
	});

	test('killed at ten random points and run again, it pays no brief twice', async () => {
		await given({ faults: 'reset-after:0.2' });
		const csv = desk.csv('products.csv', products(24));
		for (let kills = 0; kills < 10; kills += 1) {
			const running = desk.start(['run', csv, ...FAST]);
			const wait = 250 + Math.random() * 700;
			await new Promise((done) => setTimeout(done, wait));
			running.child.kill('SIGKILL');
			await running.ended;
		}
		const { code, out, err } = await desk.run(['run', csv, ...FAST]);
		expect(out + err).toContain('24 ready');
		expect(code).toBe(0);
		expect(sandbox.createdCount()).toBe(24);
		expectNothingPaidTwice();
		expect(sandbox.maxRunning()).toBe(2);
	});
});
