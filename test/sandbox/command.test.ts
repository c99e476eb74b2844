import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArguments } from '../../sandbox/command-line';
import { listenOnFreePort } from '../support/listen-on-free-port';
import { START, startTestApi } from '../support/sandbox/test-api';
import { followProcess, type RunningProcess } from '../support/running-process';
import { DAY } from '../support/time';
import { waitUntil } from '../support/wait-until';

const root = join(__dirname, '../..');
const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
});

function run(...args: string[]): RunningProcess {
	const child = spawn(process.execPath, ['sandbox', ...args], { cwd: root });
	children.push(child);
	return followProcess(child);
}

describe('node sandbox', () => {
	test('serves until Ctrl-C, and prints address, keys, speed and a line to paste', async () => {
		const { child, waitForOutput, output, ended } = run(
			...['--port', '0', '--speed', '60', '--allowance', '7'],
		);
		await waitForOutput('export ');
		const [, url = ''] = /CREATOR_BRIEFING_BASE_URL=(\S+)/.exec(output.out) ?? [];
		const [, key = ''] = /CREATOR_BRIEFING_API_KEY=(\S+)/.exec(output.out) ?? [];
		for (const text of ['sandbox-read-only', 'Speed 60', `on ${url.replace('/v1', '/mcp')}\n`]) {
			expect(output.out).toContain(text);
		}
		expect(output.out).toMatch(/Seed [0-9a-f]{8}:/);
		const headers = { Authorization: `Bearer ${key}` };
		const response = await fetch(`${url}/licences`, { headers });
		expect(await response.text()).toContain('"monthly_allowance":7');
		child.kill('SIGINT');
		expect((await ended).code).toBe(0);
	});

	test('ends with 2 and one line if another process has the port', async () => {
		const port = await listenOnFreePort(createServer());
		const { code, err } = await run('--port', String(port)).ended;
		expect(code).toBe(2);
		expect(err.trim()).toMatch(new RegExp(`^Cannot use port ${port} .*--port 0$`));
	});

	test('ends with 2 and one line if an option is unknown', async () => {
		const { code, err } = await run('--sped', '60').ended;
		expect(code).toBe(2);
		expect(err.trim()).toMatch(/^Unknown option '--sped'.*--help$/);
	});
});

test('parses each argument into the value of its option', () => {
	const args =
		'--port 0 --speed 60 --start-at 2026-01-31T23:50Z --seed x --third-brief 409 --key-memory-ms 90 --failure-share 0.5 --faults cut@3';
	expect(parseArguments(args.split(' '))).toEqual({
		port: 0,
		speed: 60,
		startAt: Date.UTC(2026, 0, 31, 23, 50),
		seed: 'x',
		thirdBrief: 409,
		keyMemoryMs: 90,
		failureShare: 0.5,
		faults: 'cut@3',
	});
	expect(parseArguments(['-h'])).toBe('help');
});

test.each([
	['--port x', '--port takes a whole number'],
	['--speed 0', '--speed takes a number from 0.001'],
	['--allowance 1.5', '--allowance takes a whole number from 0'],
	['--failure-share 2', '--failure-share takes a number from 0 to 1'],
	['--third-brief maybe', '--third-brief takes refuse, queue, 400'],
	['--start-at soon', '--start-at takes a time'],
	['--faults boom:0.1', '--faults: "boom:0.1" is not a fault'],
	['stray', "Unexpected argument 'stray'"],
])('the arguments %s are refused in one line', (args, message) => {
	const parse = () => parseArguments(args.split(' '));
	expect(parse).toThrow(message);
	expect(parse).not.toThrow('\n');
});

describe('the clock of a sandbox', () => {
	const real = { clock: undefined, startAt: START };

	test('runs as fast as its speed says', async () => {
		const { sandbox } = await startTestApi({ ...real, speed: 1000 });
		expect(sandbox.now()).toBeGreaterThanOrEqual(START);
		expect(sandbox.now()).toBeLessThan(START + DAY);
		sandbox.addBrief();
		await waitUntil(() => sandbox.briefs()[0]?.status === 'ready');
		expect(sandbox.now() - START).toBeGreaterThan(180_000);
	});

	test('names waits in seconds of the client', async () => {
		const api = await startTestApi({ ...real, speed: 12 });
		for (let slot = 0; slot < 2; slot += 1) api.sandbox.addBrief({ durationMs: DAY });
		const { status, headers } = await api.create();
		const wait = headers.get('ratelimit-reset');
		expect([status, wait, headers.get('retry-after')]).toEqual([429, '3', '3']);
	});
});
