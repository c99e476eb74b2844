import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/sandbox';
import { Desk, FAST, products } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

let sandbox: Sandbox;
let desk: Desk;

async function given(options: SandboxOptions = {}): Promise<void> {
	const calm = { failureShare: 0, requestsPerMinute: 0 };
	sandbox = await startSandbox({ speed: 1000, seed: 'status', ...calm, ...options });
	desk = new Desk(sandbox);
}

afterEach(async () => {
	await sandbox.close();
	desk.remove();
});

const run = (...options: string[]) => desk.run(['run', 'products.csv', ...FAST, ...options]);
const status = (...options: string[]) => desk.run(['status', ...options]);

describe('brief-batch status', () => {
	test('of a batch that is done says how the last run ended, and needs nobody', async () => {
		await given();
		desk.csv('products.csv', products(2));
		await run();
		const { code, out } = await status();
		expect(code).toBe(0);
		expect(out).toMatch(
			/Last run: ended at \d{4}-\d\d-\d\d \d\d:\d\d UTC: it went through all rows\.\n +2 ready\n/,
		);
		expect(out).not.toContain('Needs attention');
	});

	test('says what is deferred until when, and the command that goes on', async () => {
		await given({ allowance: 1 });
		desk.csv('products.csv', products(3));
		await run('--set', 'objective=sell more');
		const { code, out } = await status();
		expect(code).toBe(0);
		expect(out).toMatch(/it ordered what was left of the month’s allowance/);
		const command = `brief-batch run products.csv --set "objective=sell more" ${FAST.join(' ')}`;
		expect(out).toMatch(new RegExp(`2 deferred until 1 \\w+ \\d{4} \\(UTC\\), then: ${command}\n`));
		const json = await status('--json');
		expect(JSON.parse(json.out)).toMatchObject({
			event: 'status',
			counts: { ready: 1, deferred: 2 },
			needs_person: [],
			exit_code: 0,
			run: command,
			deferred_until: expect.stringMatching(/-01T00:00:00\.000Z$/) as string,
		});
	});

	test('names what needs a person with the command for it, and ends with 1', async () => {
		await given();
		desk.csv('products.csv', [
			...products(2),
			'Product 3 (discontinued),17290009,SKU-3',
			'x,12,SKU-4',
		]);
		await run('--out', 'my briefs');
		const edited = products(2).map((line) =>
			line.replace('Product 2,1729000001', 'Product Two,1729000001'),
		);
		desk.csv('products.csv', [...edited, 'Product 3 (discontinued),17290009,SKU-3', 'x,12,SKU-4']);
		await run('--out', 'my briefs');
		const { code, out } = await status('--out', 'my briefs');
		expect(code).toBe(1);
		expect(out).toContain('Needs attention:');
		expect(out).toMatch(/1 failed\. The row is in .*failed\.csv\. .* orders it again/);
		expect(out).toContain(`brief-batch retry products.csv --out "my briefs" ${FAST.join(' ')}\n`);
		expect(out).toMatch(/row 4 +Product 3 \(discontinued\) .*product_unavailable/);
		expect(out).toMatch(/1 invalid\. It was not sent\. .*correct it in products\.csv, then:\n/);
		expect(out).toMatch(/1 changed\. .*at 1 brief, order it again:\n/);
		expect(out).toContain(
			`brief-batch run products.csv --out "my briefs" ${FAST.join(' ')} --order-changed 3\n`,
		);
		const { out: json } = await status('--json', '--out', 'my briefs');
		const document = JSON.parse(json) as { needs_person: unknown[]; exit_code: number };
		expect([document.needs_person.length, document.exit_code]).toEqual([3, 1]);
		expect(document.needs_person[0]).toMatchObject({
			what: '1 failed',
			command: `brief-batch retry products.csv --out "my briefs" ${FAST.join(' ')}`,
			rows: [{ row: 4, why: expect.stringContaining('product_unavailable') as string }],
		});
	});

	test('says why the last run ended that could not write its results, and how many rows it has', async () => {
		await given();
		desk.csv('products.csv', products(2));
		await run('--max', '1');
		rmSync(join(desk.folder, 'briefs', 'results.csv'));
		mkdirSync(join(desk.folder, 'briefs', 'results.csv', 'mine'), { recursive: true });
		expect((await run()).code).toBe(2);
		const { code, out } = await status();
		expect(code).toBe(1);
		expect(out).toMatch(/Last run: ended at .*: it stopped early\.\n +.*results\.csv is a folder/);
		expect(out).toMatch(/ 2 ready\n/);
	});

	test('names what the whole CSV has left after a run of deferred.csv alone', async () => {
		await given({ allowance: 2 });
		const whole = ['Lamp (discontinued),17290009,SKU-8', 'x,12,SKU-9', ...products(4).slice(1)];
		desk.csv('products.csv', ['Product Name,Product ID,SKU', ...whole]);
		expect((await run('--set', 'objective=sell more')).code).toBe(3);
		sandbox.options.allowance = 100;
		const part = ['run', 'briefs/deferred.csv', '--set', 'objective=sell more', ...FAST];
		expect((await desk.run(part)).code).toBe(0);
		const { code, out } = await status();
		expect(code).toBe(1);
		expect(out).not.toContain('deferred until');
		const command = (name: string) =>
			`brief-batch ${name} products.csv --set "objective=sell more" ${FAST.join(' ')}`;
		expect(out).toMatch(/1 failed\. The row is in .*failed\.csv\./);
		expect(out).toContain(`${command('retry')}\n`);
		expect(out).toMatch(/1 invalid\. It was not sent\. .*correct it in products\.csv, then:\n/);
		expect(out).toContain(`${command('run')}\n`);
		// A run of the whole CSV, from which they were taken, forgets them.
		desk.csv('products.csv', products(4));
		await run('--set', 'objective=sell more');
		expect((await status()).code).toBe(0);
	});

	test('says what is deferred still after a run of failed.csv alone', async () => {
		await given({ allowance: 2 });
		const whole = ['Lamp (discontinued),17290009,SKU-8', ...products(4).slice(1)];
		desk.csv('products.csv', ['Product Name,Product ID,SKU', ...whole]);
		await run();
		const before = (await status()).out.split('\n').find((line) => line.includes('deferred until'));
		expect(before).toContain('3 deferred until');
		await desk.run(['run', 'briefs/failed.csv', ...FAST]);
		expect((await status()).out).toContain(before);
	});

	test('says why the last run could do nothing: a refused key is for a person', async () => {
		await given();
		desk.csv('products.csv', products(1));
		const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
		expect(await desk.run(['run', 'products.csv', ...FAST], env)).toMatchObject({ code: 4 });
		const { code, out } = await status();
		expect(code).toBe(1);
		expect(out).toMatch(/The last run, at .* UTC, could not begin:\n +The API key was refused/);
		expect(out).toContain('brief-batch run products.csv\n');
		// The next run that works forgets it.
		await run();
		expect((await status()).code).toBe(0);
	});

	test('tells a run that is at work from one that was cut off', async () => {
		await given({ speed: 20 });
		desk.csv('products.csv', products(2));
		const running = desk.start(['run', 'products.csv', ...FAST]);
		await running.said(/row \d +ordered/);
		const during = await status();
		expect([during.code, during.out]).toEqual([
			0,
			expect.stringMatching(/A run is at work: process \d+ on .*, since/),
		]);
		expect(during.out).toMatch(/being written: the run that is at work/);
		running.child.kill('SIGKILL');
		await running.ended;
		const after = await status();
		expect([after.code, after.out]).toEqual([0, expect.stringMatching(/The last run was cut off/)]);
	});
});
