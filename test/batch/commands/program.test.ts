import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PassThrough } from 'node:stream';
import { openConsole, type ConsoleOptions } from '../../../batch/screen/console';
import type { RunEvent } from '../../../batch/events';
import { startSandbox, type Sandbox } from '../../../sandbox/sandbox';
import { reported } from '../../support/batch/run-events';
import { command, streamsOf } from '../../support/batch/streams';

const folder = mkdtempSync(join(tmpdir(), 'program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the command line', () => {
	test.each([
		['nothing', [], 'Usage: brief-batch'],
		['an unknown command', ['fly'], "unknown command 'fly'"],
		['a command with a typing error', ['stauts'], 'Did you mean status?'],
		['an unknown option', ['run', 'x.csv', '--fast'], "unknown option '--fast'"],
		['no file', ['run'], "missing required argument 'FILE.csv'"],
		['two files', ['plan', 'a.csv', 'b.csv'], 'too many arguments'],
		['an option without its value', ['run', 'x.csv', '--out'], 'argument missing'],
		['no command', ['README.md', '--max', '5'], '\nbrief-batch plan README.md --max 5\n'],
		[
			'--dry-run',
			['run', 'a b.csv', '--dry-run', '--max', '5'],
			'\nbrief-batch plan "a b.csv" --max 5\n',
		],
		['--dry-run alone', ['--dry-run'], '\nbrief-batch plan FILE.csv\n'],
		['the key as an argument', ['run', 'x.csv', '--api-key', 'cb'], "unknown option '--api-key'"],
	])('with %s ends with 2 and shows the way', async (_, args, text) => {
		const { code, out, err } = await command(args);
		expect(code).toBe(2);
		expect(out).toBe('');
		expect(err).toContain(text);
	});

	test('an option for the value of another, which a script left empty, is refused', async () => {
		for (const option of ['--out', '--api-key-file', '--set', '--env-file']) {
			const { code, out, err } = await command(['plan', 'x.csv', option, '--quiet']);
			expect([code, out]).toEqual([2, '']);
			expect(err).toContain(`${option} has no value: “--quiet” follows it.\n`);
			expect(err).toContain(`${option}=--quiet`);
		}
		const { out } = await command(['run', 'x.csv', '--out', '--json']);
		expect(JSON.parse(out)).toMatchObject({ event: 'run_ended', exit_code: 2 });
	});

	test.each([
		[['status', '--out=--nowhere'], 'No run is on record in --nowhere.'],
		[['plan', '--max', '1', '--', '--out'], 'There is no file “--out”.'],
		[['plan', '--', '--out', '--quiet'], 'too many arguments'],
		[['plan', 'none.csv', '--notify', 'https://x', '--known-ok'], 'There is no file “none.csv”.'],
		[['doctor', '--max', '5', '--fast'], "unknown option '--fast'"],
		[['status', '--out', join(folder, 'none')], 'No run is on record in'],
	])('%j ends with 2: %s', async (args, text) => {
		const { code, err } = await command(args);
		expect([code, err]).toEqual([2, expect.stringContaining(text)]);
	});
});

describe('help', () => {
	const NAMES = ['plan', 'run', 'retry', 'audit', 'status', 'report', 'unlock', 'doctor'];
	const help = async (name: string) => (await command(['help', name])).out;

	test('names the commands and exit codes, as batch/README does, and the version ends with 0', async () => {
		const { code, out } = await command(['--help']);
		expect(code).toBe(0);
		const readme = readFileSync(resolve(__dirname, '../../../batch/README.md'), 'utf8');
		for (const name of NAMES) {
			expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
			expect(readme).toContain(`\`brief-batch ${name}`);
		}
		for (const exit of [0, 1, 2, 3, 4, 5, 6, 130])
			expect(out).toMatch(new RegExp(`^ {2}${exit} +\\S`, 'm'));
		expect((await command(['help'])).out).toBe(out);
		for (const word of ['--version', '-V', '-v', 'version'])
			expect(await command([word])).toMatchObject({ code: 0, out: '1.2.3\n' });
		expect((await command(['run', '-h'])).out).toBe(await help('run'));
	});

	test.each(NAMES)(
		'of %s fits 80 columns, names the variables and has two examples',
		async (name) => {
			const out = await help(name);
			expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
			// Defaults as they are typed.
			expect(out.replace(/\s+/g, ' ')).not.toMatch(/default: ["[]/);
			expect(out).toContain('CREATOR_BRIEFING_LEAVE_SLOTS=1');
			const examples = out.match(/^ {2}brief-batch .*$/gm) ?? [];
			expect(examples).toHaveLength(2);
			for (const example of examples) {
				const { err } = await command(example.trim().split(' ').slice(1));
				expect(err).not.toMatch(/unknown|missing|argument/);
			}
		},
	);

	test('of run has groups, and each command shows its own options only', async () => {
		expect((await help('run')).match(/^[A-Z][\w ]+:$/gm)).toEqual([
			...['Arguments:', 'What to order:', 'How the CSV is read:', 'Where:', 'When to look:'],
			...['Exit code and messages:', 'Examples:'],
		]);
		expect(await help('run')).toContain('--leave-slots <N>');
		expect(await help('doctor')).toContain('--base-url');
		for (const [name, hidden] of [
			...[['plan', '--notify'] as const, ['plan', '--timeout'] as const],
			...[['audit', '--max'] as const, ['run', '--repair'] as const],
			...[['report', '--quiet'] as const, ['status', '--base-url'] as const],
			...[['retry', '--adopt'] as const, ['doctor', '--order-again'] as const],
		])
			expect(await help(name)).not.toContain(hidden);
	});
});

describe('plan', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ allowance: 6, failureShare: 0, requestsPerMinute: 0 });
		sandbox.addBrief({ status: 'ready' });
		sandbox.addBrief({ status: 'running' });
	});
	afterAll(() => sandbox.close());

	async function plan(...options: string[]) {
		const csv = join(folder, 'products.csv');
		const rows = Array.from({ length: 14 }, (_, i) => `Product ${i}`);
		writeFileSync(csv, ['Product', ...rows, 'x', 'Product 1'].join('\n'));
		return await command(['plan', csv, '--out', join(folder, 'new'), ...options], {
			CREATOR_BRIEFING_BASE_URL: sandbox.url,
			CREATOR_BRIEFING_API_KEY: sandbox.keys.allScopes,
		});
	}

	test('prices a run, spends nothing and writes nothing', async () => {
		const { code, out } = await plan();
		expect(code).toBe(3);
		expect(out).toMatch(/row 16 +invalid/);
		expect(out).toMatch(/row 17 +duplicate +same content as row 3/);
		for (const count of [
			...['rows 16', 'ready to go 14', 'invalid 1', 'duplicates 1', 'used 2', 'left 4'],
			...['this run takes 4', 'deferred 10', 'running now 1'],
		])
			expect(out).toMatch(new RegExp(`^ {2}${count.replace(/ (\d+)$/, ' +$1')}\\b`, 'm'));
		expect(out).toMatch(/deferred +10 +can go on from 1 \w+ \d{4}, over 2 months/);
		expect(out).toContain('Nothing was ordered and nothing was written.');
		expect(sandbox.createdCount()).toBe(0);
		expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true);
	});

	test.each([
		[['--keep', '3'], { takes: 1, deferred: 13, beyond_max: 0 }],
		[['--max', '2'], { takes: 2, deferred: 10, beyond_max: 2 }],
		[['--allow-duplicates'], { takes: 4, deferred: 11, beyond_max: 0 }],
	])('with %j has %j in its --json', async (options, numbers) => {
		const { out, err } = await plan('--json', ...options);
		expect(JSON.parse(out)).toMatchObject({ event: 'plan', exit_code: 3, ...numbers });
		expect(err).toBe('');
	});
});

describe('what a run says', () => {
	const events = [reported.accepted(2, 'A'), reported.failed(3, 'B', 'No')];

	async function said(
		options: ConsoleOptions,
		env: NodeJS.ProcessEnv = {},
		columns?: number,
		given = events,
	) {
		const { streams, text } = streamsOf(env, columns);
		const console = openConsole(streams, options);
		for (const event of given) console.events.emit(event);
		console.say('Done.');
		console.json({ event: 'done' });
		console.close();
		await new Promise(setImmediate);
		return text.out;
	}

	test.each([
		[undefined, '12 minutes'],
		['1', '24 minutes'],
	])(
		'on a terminal with the time left, for the slots it may use: --leave-slots %s',
		async (leaveSlots, left) => {
			const started = reported.started({ rows: 9, to_create: 9, to_resume: 0, done: 0 });
			const given = [started, ...[2, 3, 4].map((row) => reported.ready(row))];
			expect(await said({ leaveSlots }, {}, 160, given)).toContain(`about ${left} left`);
		},
	);

	test('into a log as lines with the time and its zone', async () => {
		const out = await said({});
		expect(out).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}row 2 +ordered +A/);
		expect(out).toMatch(/^Done\.$/m);
		expect(out).not.toContain('\u001b');
	});

	test('with --json of an order that the service took, and of none that it refused', async () => {
		const ordered = (row: number): RunEvent => ({
			event: 'brief_ordered',
			row,
			product_name: 'A',
			key: 'k',
		});
		const adopted = { ...reported.accepted(4, 'A', true), taken_over: true } as RunEvent;
		const given = [
			...[ordered(2), ordered(3), reported.failed(2), reported.accepted(3)],
			...[ordered(4), adopted, ordered(5)],
		];
		const lines = (await said({ json: true }, {}, undefined, given)).trimEnd().split('\n');
		const events = lines.map((line) => JSON.parse(line) as { event: string; row?: number });
		expect(events.map(({ event, row }) => `${event} ${row}`)).toEqual([
			...['row_failed 2', 'brief_ordered 3', 'brief_accepted 3', 'brief_accepted 4'],
			'done undefined',
		]);
	});

	test('onto a terminal in colours, unless it is asked for none', async () => {
		const red = '\u001b[31m';
		expect(await said({}, {}, 80)).toContain(red);
		expect(await said({}, { NO_COLOR: '1' }, 80)).not.toContain(red);
		expect(await said({ color: false }, {}, 80)).not.toContain(red);
		expect(await said({}, { NO_COLOR: '' }, 80)).toContain(red);
		expect(await said({}, { TERM: 'dumb' }, 80)).not.toContain('\u001b');
	});
});

describe('a question on a terminal', () => {
	async function answer(keys: string, controller = new AbortController()) {
		const { streams } = streamsOf({}, 80);
		Object.assign(streams.in, { isTTY: true });
		const { signal: interruption } = controller;
		const console = openConsole({ ...streams, interruption }, { quiet: true });
		const onInterrupt = () => controller.abort();
		process.once('SIGINT', onInterrupt);
		const asked = console.confirm('Go on?');
		(streams.in as unknown as PassThrough).write(keys);
		return await asked.finally(() => process.off('SIGINT', onInterrupt));
	}

	test.each([
		['y\n', true],
		['Yes\n', true],
		['n\n', false],
		['\n', false],
		['\u0004', false],
	])('answered with %j is %s', async (keys, is) => {
		expect(await answer(keys)).toBe(is);
	});

	test('is interrupted by Ctrl-C, and by a signal', async () => {
		await expect(answer('\u0003')).rejects.toMatchObject({ name: 'AbortError' });
		const controller = new AbortController();
		setImmediate(() => controller.abort());
		await expect(answer('', controller)).rejects.toMatchObject({ name: 'AbortError' });
	});
});
