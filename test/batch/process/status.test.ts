import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { deskOf, JOURNAL, products, type Desk } from '../../support/batch/brief-batch';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const GONE = 'Lamp (discontinued),17290009,SKU-8';
const SET = ['--set', 'objective=sell more'];
/** A command to copy. */
const command = (name: string, options = ' --name "Acme Ltd"') =>
	`brief-batch ${name} products.csv${options}`;

const status = (desk: Desk) => desk.run('status');

test('status shows how the last run ended, without a key and without asking the service', async () => {
	const desk = await deskOf(2);
	await desk.expectEnd(
		'status --out elsewhere',
		2,
		'No run is on record in elsewhere.\nIs it another client’s folder? Name it with --out or --env-file.',
	);
	await desk.order();
	desk.env.CREATOR_BRIEFING_API_KEY = undefined;
	const asked = desk.sandbox.requests.length;
	const { out } = await desk.expectEnd(
		'status',
		0,
		/Last run: ended at \d{4}-\d\d-\d\d \d\d:\d\d UTC: it went through all rows\.\n +2 ready\n/,
	);
	expect(out).not.toContain('Needs you');
	expect(desk.sandbox.requests).toHaveLength(asked);
});

test('status shows until when rows are deferred, and the command that goes on', async () => {
	const desk = await deskOf(3, { allowance: 1 });
	// What the folder remembers is in no command.
	await desk.order(...SET, '--name', 'Acme Ltd');
	const then = new RegExp(
		`2 deferred until 1 \\w+ \\d{4} \\(UTC\\)\n(.*\n)*To go on from 1 .*\n +${command('run')}\n$`,
	);
	await desk.expectEnd('status', 3, 'it ordered what was left of the month’s allowance', then);
	expect(await desk.json('status')).toMatchObject({
		event: 'status',
		counts: { ready: 1, deferred: 2 },
		needs_person: [],
		exit_code: 3,
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
	await desk.expectEnd(
		['status', '--out', 'my briefs'],
		1,
		'Needs you:',
		/1 failed: this says why, and asks before it orders it again/,
		`${command('retry', ' --out "my briefs"')}\n`,
		/row 4 +Lamp \(discontinued\) .*product_unavailable/,
		/1 invalid: not sent\. Correct it in products\.csv, then:\n.*\n +row 5 +x .*12/,
		/1 changed: .*for 1 brief, order it again:\n/,
		`${command('run', ' --out "my briefs"')} --order-changed 3\n`,
	);
	const document = await desk.json<{ needs_person: unknown[] }>(['status', '--out', 'my briefs']);
	expect(document).toMatchObject({ exit_code: 1 });
	expect(document.needs_person).toHaveLength(3);
	expect(document.needs_person[1]).toMatchObject({ what: '1 invalid', rows: [{ row: 5 }] });
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
	const early = /Last run: ended at .*: it stopped early\.\n +.*results\.csv is a folder/;
	await desk.expectEnd('status', 2, early, / 2 ready\n/);
});

test('status shows a refused key until a run works', async () => {
	const desk = await deskOf(1);
	const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
	expect((await desk.run('run products.csv', env)).code).toBe(4);
	const refused = /The last run, at .* UTC, could not begin:\n +The API key was refused/;
	await desk.expectEnd('status', 4, refused, 'brief-batch run products.csv\n');
	await desk.order();
	await desk.expectEnd('status', 0);
});

test('after a run of another CSV that could not begin, the commands for rows are of the CSV that has them', async () => {
	const desk = await deskOf([...products(1), GONE]);
	await desk.order();
	desk.csv('other.csv', products(3));
	const env = { CREATOR_BRIEFING_API_KEY: 'no-such-key' };
	expect((await desk.run(['run', 'other.csv', ...SET], env)).code).toBe(4);
	const again = 'brief-batch run other.csv --set "objective=sell more"\n';
	await desk.expectEnd('status', 4, again, 'brief-batch retry products.csv\n', /row 3 +Lamp/);
});

test('status distinguishes a run at work from one that was cut off', async () => {
	const desk = await deskOf(2, { speed: 20 });
	const running = desk.start('run products.csv');
	await running.prints(/row \d +ordered/);
	const during = [/A run is at work: process \d+ on .*, since/, 'being written: the run at work'];
	await desk.expectEnd('status', 3, ...during);
	await running.kill();
	await desk.expectEnd('status', 5, 'The last run was cut off');
});

test('status shows for what a run at work waits, and since when', async () => {
	const desk = await deskOf(1, { speed: 20 });
	const others = ['Of somebody else', 'Another'].map((product_name) =>
		desk.sandbox.addBrief({ product_name, status: 'running' }),
	);
	const running = desk.start('run products.csv');
	// On record a moment after it is said.
	await until(() => desk.exists(JOURNAL) && desk.read(JOURNAL).includes('"waits_for_slot"'));
	await desk.expectEnd(
		'status',
		3,
		/A run is at work: .*\n +It waits since \d.* UTC, until \d.* UTC at most: both slots are taken\. Running: brief .*“Of somebody else”/,
	);
	expect(await desk.json('status')).toMatchObject({
		waiting: { cause: 'taken', running: [{ ours: false }, { ours: false }] },
	});
	for (const { id } of others) desk.sandbox.finish(id);
	await running.prints(/row 2 +ordered/);
	expect((await status(desk)).out).not.toContain('It waits');
});

test('status counts what a list has paid for in each month, and what it took over for nothing', async () => {
	const desk = await deskOf(3);
	await desk.order('--only', '2,3');
	await desk.expectEnd('status', 3, 'it went through 2 of 3 rows');
	rmSync(desk.path('briefs'), { recursive: true });
	await desk.order();
	const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });
	const now = new Date();
	const paid = `1 paid (1 in ${month.format(now)} ${now.getUTCFullYear()})`;
	await desk.expectEnd('status', 0, `Briefs: ${paid}, 2 taken over, 3 fetched.\n`);
	const paid_by_month = [{ month: now.toISOString().slice(0, 7), paid: 1 }];
	expect(await desk.json('status')).toMatchObject({
		paid: 1,
		taken_over: 2,
		fetched: 3,
		paid_by_month,
	});
});

test('status of several folders and profiles has a line for each, their sum, and the worst code', async () => {
	const desk = await deskOf([...products(2), GONE]);
	for (const client of ['acme', 'bolt', 'cole']) mkdirSync(desk.path(client));
	await desk.run('run products.csv --out acme/briefs --only 2,3');
	await desk.run('run products.csv --out bolt/briefs');
	desk.write('bolt/bolt.env', 'CREATOR_BRIEFING_OUT=briefs\nCREATOR_BRIEFING_NAME=Bolt Ltd\n');
	await desk.expectEnd('status acme/briefs', 3, 'in acme/briefs, at');

	const both = await desk.expectEnd('status acme/briefs bolt/bolt.env', 3);
	expect(both.out.split('\n')).toEqual([
		expect.stringMatching(
			/^acme {6}products\.csv {2}2 ready {15}1 left {2}2 paid this month {2}\d.* UTC went through$/,
		),
		expect.stringMatching(
			/^Bolt Ltd {2}products\.csv {2}2 ready {2}1 needs you {10}1 paid this month {2}\d.* UTC went through$/,
		),
		expect.stringMatching(/^Sum {21}4 ready {2}1 needs you {2}1 left {2}3 paid this month$/),
		'',
	]);

	const none = /\ncole {6}.*No run is on record in cole\./;
	await desk.expectEnd('status acme/briefs bolt/bolt.env cole', 2, none);
	const documents = (await desk.run('status acme/briefs cole --json')).out.trim().split('\n');
	expect(documents.map((line) => JSON.parse(line) as object)).toMatchObject([
		{ event: 'status', name: 'acme', exit_code: 3 },
		{ event: 'status', name: 'cole', exit_code: 2 },
	]);
});

test('status calls profiles after their folders, and those that would have one name by their paths', async () => {
	const desk = await deskOf(1);
	const profiles = ['acme', 'bolt'].map((client) => {
		mkdirSync(desk.path(client));
		desk.write(`${client}/client.env`, 'CREATOR_BRIEFING_OUT=briefs\n');
		return `${client}/client.env`;
	});
	desk.write('acme/summer.env', 'CREATOR_BRIEFING_OUT=summer\n');
	const namesOf = async (...places: string[]) => {
		const { out } = await desk.run(['status', '--json', ...places]);
		return out
			.trim()
			.split('\n')
			.map((line) => (JSON.parse(line) as { name: string }).name);
	};
	expect(await namesOf(...profiles)).toEqual(['acme', 'bolt']);
	const paths = ['acme/client.env', 'acme/summer.env'];
	expect(await namesOf(...paths, 'bolt/client.env')).toEqual([...paths, 'bolt']);
});

test('status names files from the folder in which it is called, and follows them when all are moved', async () => {
	const desk = await deskOf();
	mkdirSync(desk.path('acme'));
	desk.csv('acme/list.csv', [...products(2), GONE]);
	const inFolder = (folder: string) => ['bash', '-c', `cd "${folder}" && "$@" < list.csv`, 'bash'];
	desk.write('acme/acme.env', 'CREATOR_BRIEFING_NAME=Acme\n');
	const ran = await desk.start('run list.csv --env-file acme.env', {}, inFolder('acme')).ended;
	expect(ran.code).toBe(1);
	renameSync(desk.path('acme'), desk.path('Acme Ltd'));
	const retry =
		'brief-batch retry "Acme Ltd/list.csv" --out "Acme Ltd/briefs" --env-file "Acme Ltd/acme.env"';
	const texts = [`orders it again:\n         ${retry}\n`, /row 4 +Lamp/];
	await desk.expectEnd(['status', 'Acme Ltd/briefs'], 1, ...texts);
	expect((await desk.paste(`${retry} --yes`)).code).toBe(1);
	expect(desk.sandbox.createdCount()).toBe(4);
	await desk.start('run - --batch list.csv', {}, inFolder('Acme Ltd')).ended;
	const piped = 'brief-batch retry - --out "Acme Ltd/briefs" --batch list.csv\n';
	await desk.expectEnd(['status', 'Acme Ltd/briefs'], 1, piped);
});

test('a command to copy repeats no limit that was meant for one run', async () => {
	const desk = await deskOf(2);
	await desk.order('--max', '1', '--expect-at-most', '9', '--only', '2-3', '--name', 'Acme');
	const command = 'brief-batch run products.csv --name Acme';
	await desk.expectEnd(
		'status',
		3,
		/1 pending, not ordered yet\n/,
		`To go on:\n         ${command}\n`,
	);
});

test('status shows no command for all changed rows if the CSV cannot be read', async () => {
	const desk = await deskOf(2);
	await desk.order();
	desk.csv('products.csv', [
		...products(1),
		...products(2)
			.slice(1)
			.map((line) => line.replace('Product 2,', 'Product Two,')),
	]);
	await desk.order();
	await desk.expectEnd('status', 1, '--order-changed');
	renameSync(desk.path('products.csv'), desk.path('gone.csv'));
	const { out } = await desk.expectEnd(
		'status',
		1,
		/1 changed: products\.csv cannot be read: put it/,
	);
	expect(out).not.toContain('--order-changed');
});

test('the end of a run for some rows, and then status, go on with all', async () => {
	const desk = await deskOf(3);
	const { out } = await desk.order('--only', '2');
	expect(out).toMatch(/2 pending: to go on:\n +brief-batch run products\.csv\n/);
});
