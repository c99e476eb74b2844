import { mkdirSync, rmSync } from 'node:fs';
import { deskOf, products, type Desk } from '../../support/batch/brief-batch';

jest.setTimeout(60_000);

const GONE = 'Lamp (discontinued),17290009,SKU-8';
const HEADER = 'Product Name,Product ID,SKU';
const SET = ['--set', 'objective=sell more'];
/** A command to copy. */
const command = (name: string, options = ' --set "objective=sell more"') =>
	`brief-batch ${name} products.csv${options}`;

const status = (desk: Desk, ...options: string[]) => desk.run(['status', ...options]);

test('status shows how the last run ended, without a key and without asking the service', async () => {
	const desk = await deskOf(2);
	const none = await desk.run('status --out elsewhere');
	expect([none.code, none.err]).toEqual([
		2,
		expect.stringContaining(
			'No run is on record in elsewhere.\nIs it another client’s folder? Name it with --out or --env-file.',
		),
	]);
	await desk.order();
	desk.env.CREATOR_BRIEFING_API_KEY = undefined;
	const asked = desk.sandbox.requests.length;
	const { code, out } = await status(desk);
	expect(code).toBe(0);
	expect(out).toMatch(
		/Last run: ended at \d{4}-\d\d-\d\d \d\d:\d\d UTC: it went through all rows\.\n +2 ready\n/,
	);
	expect(out).not.toContain('Needs attention');
	expect(desk.sandbox.requests).toHaveLength(asked);
});

test('status shows until when rows are deferred, and the command that goes on', async () => {
	const desk = await deskOf(3, { allowance: 1 });
	await desk.order(...SET);
	const { code, out } = await status(desk);
	expect(code).toBe(0);
	expect(out).toMatch(/it ordered what was left of the month’s allowance/);
	const then = new RegExp(`2 deferred until 1 \\w+ \\d{4} \\(UTC\\), then: ${command('run')}\n`);
	expect(out).toMatch(then);
	expect(await desk.json('status')).toMatchObject({
		event: 'status',
		counts: { ready: 1, deferred: 2 },
		needs_person: [],
		exit_code: 0,
		run: command('run'),
		deferred_until: expect.stringMatching(/-01T00:00:00\.000Z$/) as string,
	});
});

test('status names what needs a person with its command, and ends with 1', async () => {
	const more = [GONE, 'x,12,SKU-4'];
	const desk = await deskOf([...products(2), ...more]);
	await desk.order('--out', 'my briefs');
	const edited = products(2).map((line) => line.replace('Product 2,', 'Product Two,'));
	desk.csv('products.csv', [...edited, ...more]);
	await desk.order('--out', 'my briefs');
	const { code, out } = await status(desk, '--out', 'my briefs');
	expect(code).toBe(1);
	expect(out).toContain('Needs attention:');
	expect(out).toMatch(/1 failed\. The row is in .*failed\.csv\. .* orders it again/);
	expect(out).toContain(`${command('retry', ' --out "my briefs"')}\n`);
	expect(out).toMatch(/row 4 +Lamp \(discontinued\) .*product_unavailable/);
	expect(out).toMatch(/1 invalid\. It was not sent\. .*correct it in products\.csv, then:\n/);
	expect(out).toMatch(/1 changed\. .*at 1 brief, order it again:\n/);
	expect(out).toContain(`${command('run', ' --out "my briefs"')} --order-changed 3\n`);
	const document = await desk.json<{ needs_person: unknown[] }>(['status', '--out', 'my briefs']);
	expect(document).toMatchObject({ exit_code: 1 });
	expect(document.needs_person).toHaveLength(3);
	expect(document.needs_person[0]).toMatchObject({
		what: '1 failed',
		command: command('retry', ' --out "my briefs"'),
		rows: [{ row: 4, why: expect.stringContaining('product_unavailable') as string }],
	});
});

test('status shows why the last run could not write its results', async () => {
	const desk = await deskOf(2);
	await desk.order('--max', '1');
	rmSync(desk.path('briefs/results.csv'));
	mkdirSync(desk.path('briefs/results.csv/mine'), { recursive: true });
	expect((await desk.order()).code).toBe(2);
	const { code, out } = await status(desk);
	expect(code).toBe(1);
	expect(out).toMatch(/Last run: ended at .*: it stopped early\.\n +.*results\.csv is a folder/);
	expect(out).toMatch(/ 2 ready\n/);
});

test('status counts the whole list after a run of deferred.csv or failed.csv alone', async () => {
	const whole = [GONE, 'x,12,SKU-9', ...products(3).slice(1)];
	const desk = await deskOf([HEADER, ...whole], { allowance: 2 });
	await desk.order(...SET);
	const deferred = (text: string) => text.split('\n').find((line) => line.includes('deferred'));
	const before = deferred((await status(desk)).out);
	expect(before).toContain('2 deferred until');
	await desk.run(['run', 'briefs/failed.csv', ...SET]);
	expect((await status(desk)).out).toContain(before);

	desk.sandbox.options.allowance = 100;
	await desk.run(['run', 'briefs/deferred.csv', ...SET]);
	const { code, out } = await status(desk);
	expect(code).toBe(1);
	expect(out).not.toContain('deferred until');
	expect(out).toMatch(/1 failed\. The row is in .*failed\.csv\./);
	expect(out).toMatch(/1 invalid\. It was not sent\. .*correct it in products\.csv, then:\n/);
	for (const name of ['retry', 'run']) expect(out).toContain(`${command(name)}\n`);
	// A run of the whole list without them forgets them.
	desk.csv('products.csv', products(3));
	await desk.order(...SET);
	expect((await status(desk)).code).toBe(0);
});

test('status shows a refused key until a run works', async () => {
	const desk = await deskOf(1);
	const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
	expect((await desk.run('run products.csv', env)).code).toBe(4);
	const { code, out } = await status(desk);
	expect(code).toBe(1);
	expect(out).toMatch(/The last run, at .* UTC, could not begin:\n +The API key was refused/);
	expect(out).toContain('brief-batch run products.csv\n');
	await desk.order();
	expect((await status(desk)).code).toBe(0);
});

test('status distinguishes a run at work from one that was cut off', async () => {
	const desk = await deskOf(2, { speed: 20 });
	const running = desk.start('run products.csv');
	await running.said(/row \d +ordered/);
	const during = await status(desk);
	expect(during.code).toBe(0);
	expect(during.out).toMatch(/A run is at work: process \d+ on .*, since/);
	expect(during.out).toMatch(/being written: the run that is at work/);
	await running.kill();
	const after = await status(desk);
	expect([after.code, after.out]).toEqual([0, expect.stringMatching(/The last run was cut off/)]);
});

test('a command to copy repeats no limit that was meant for one run', async () => {
	const desk = await deskOf(2);
	await desk.order('--max', '1', '--expect-at-most', '9', '--set', 'objective=Sell');
	expect((await status(desk)).out).toContain(
		'1 pending, to be ordered with: brief-batch run products.csv --set objective=Sell\n',
	);
});
