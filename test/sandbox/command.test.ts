import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/arguments';
import { switchOptions } from '../../sandbox/switches';
import { listening } from '../support/listening';
import { START, startBench as start } from '../support/sandbox/bench';
import { started, type Running } from '../support/started';
import { DAY } from '../support/time';
import { until } from '../support/until';

const root = join(__dirname, '../..');
const running: ChildProcess[] = [];
afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]): Running {
	const child = spawn(process.execPath, ['sandbox', ...args], { cwd: root });
	running.push(child);
	return started(child);
}

describe('node sandbox', () => {
	it('serves until Ctrl-C, and prints address, keys, speed and a line to start with', async () => {
		const { child, prints, printed, ended } = run(
			...['--port', '0', '--speed', '60', '--allowance', '7'],
		);
		await prints('export ');
		const [, url = ''] = /CREATOR_BRIEFING_BASE_URL=(\S+)/.exec(printed.out) ?? [];
		const [, key = ''] = /CREATOR_BRIEFING_API_KEY=(\S+)/.exec(printed.out) ?? [];
		for (const part of ['sandbox-read-only', 'Speed 60', `on ${url.replace('/v1', '/mcp')}\n`]) {
			expect(printed.out).toContain(part);
		}
		expect(printed.out).toMatch(/Seed [0-9a-f]{8}:/);
		const headers = { Authorization: `Bearer ${key}` };
		const response = await fetch(`${url}/licences`, { headers });
		expect(await response.text()).toContain('"monthly_allowance":7');
		child.kill('SIGINT');
		expect((await ended).code).toBe(0);
	});

	it('says in one line that the port is taken, with exit code 2', async () => {
		const port = await listening(createServer());
		const { code, err } = await run('--port', String(port)).ended;
		expect(code).toBe(2);
		expect(err.trim()).toMatch(new RegExp(`^Port ${port} cannot be used .*--port 0$`));
	});

	it('says in one line that an option is wrong, with exit code 2', async () => {
		const { code, err } = await run('--sped', '60').ended;
		expect(code).toBe(2);
		expect(err.trim()).toMatch(/^Unknown option '--sped'.*$/);
	});
});

describe('its arguments', () => {
	it('become options, and each switch has a flag', () => {
		const given =
			'--port 0 --speed 60 --start-at 2026-01-31T23:50Z --seed x --third-brief queue --key-memory 90m --list-lag 2s --replay-status 202 --stale-cursor first-page --unknown-fields --unknown-status reviewing --failure-share 0.5 --faults cut@3';
		expect(readArguments(given.split(' '))).toEqual({
			port: 0,
			speed: 60,
			startAt: Date.UTC(2026, 0, 31, 23, 50),
			seed: 'x',
			thirdBrief: 'queue',
			keyMemoryMs: 5_400_000,
			listLagMs: 2000,
			replayStatus: 202,
			staleCursor: 'first-page',
			unknownFields: true,
			unknownStatus: 'reviewing',
			failureShare: 0.5,
			faults: 'cut@3',
		});
		for (const name of Object.keys(switchOptions)) {
			const flag = name.replace(/Ms$/, '').replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`);
			expect(() => readArguments([`--${flag}`])).not.toThrow(/^Unknown option/);
		}
	});

	it.each([
		[['--port', 'x'], '--port takes a whole number'],
		[['--speed', '0'], '--speed takes a number'],
		[['--allowance', '1.5'], '--allowance takes a whole number from 0 on'],
		[['--third-brief', 'maybe'], '--third-brief takes refuse, queue, conflict'],
		[['--key-memory', 'long'], '--key-memory takes a time'],
		[['--start-at', 'soon'], '--start-at takes a time'],
		[['--faults', 'boom:0.1'], '--faults: "boom:0.1" is not a fault'],
		[['--faults', 'cut:2'], '--faults: "cut:2": a chance is from 0 to 1'],
		[['--faults', 'cut-before:0.1'], '--faults: "cut-before:0.1": cut always comes after the work'],
		[['stray'], "Unexpected argument 'stray'"],
	])('%j are refused in one line', (args, message) => {
		expect(() => readArguments(args)).toThrow(message);
		expect(() => readArguments(args)).not.toThrow('\n');
	});
});

describe('the clock', () => {
	const itsOwn = { clock: undefined };

	it('runs as fast as its speed says', async () => {
		const bench = await start({ ...itsOwn, startAt: START, speed: 1000 });
		const { body } = await bench.create();
		expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(START);
		expect(Date.parse(body.created_at)).toBeLessThanOrEqual(bench.sandbox.now());
		await until(() => bench.sandbox.briefs()[0]?.status === 'ready');
		expect(bench.sandbox.now() - START).toBeGreaterThan(180_000);
	});

	it.each([
		['seconds', 60, 1],
		['date', 12, 3],
	] as const)(
		'hints at waits in the client’s seconds: %s at speed %i',
		async (retryAfter, speed, wait) => {
			const bench = await start({ ...itsOwn, startAt: START, speed, retryAfter });
			for (let slot = 0; slot < 2; slot += 1) bench.sandbox.addBrief({ durationMs: 365 * DAY });
			const { status, headers } = await bench.create();
			const hint = headers.get('retry-after') ?? '';
			const until = Date.parse(hint) - Date.parse(headers.get('date') ?? '');
			expect([status, retryAfter === 'date' ? until / 1000 : Number(hint)]).toEqual([429, wait]);
			expect(headers.get('ratelimit-reset')).toBe(String(wait));
		},
	);
});
