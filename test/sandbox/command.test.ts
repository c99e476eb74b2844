import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/arguments';
import { switchOptions } from '../../sandbox/options';

const root = join(__dirname, '../..');
const running: ChildProcess[] = [];
afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Run {
	child: ChildProcess;
	output: () => string;
	ended: Promise<{ code: number | null; output: string; errors: string }>;
}

function run(...args: string[]): Run {
	const child = spawn(process.execPath, ['sandbox', ...args], { cwd: root });
	running.push(child);
	let output = '';
	let errors = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
	const ended = new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
		child.on('close', (code) => resolve({ code, output, errors }));
	});
	return { child, output: () => output, ended };
}

async function until(condition: () => boolean): Promise<void> {
	for (let tries = 0; tries < 300 && !condition(); tries += 1) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

describe('node sandbox', () => {
	it('serves until Ctrl-C, and prints address, keys, speed and a line to start with', async () => {
		const { child, output, ended } = run('--port', '0', '--speed', '60', '--allowance', '7');
		await until(() => output().includes('export '));
		const [, url = ''] = /CREATOR_BRIEFING_BASE_URL=(\S+)/.exec(output()) ?? [];
		const [, key = ''] = /CREATOR_BRIEFING_API_KEY=(\S+)/.exec(output()) ?? [];
		expect(output()).toContain('sandbox-read-only');
		expect(output()).toContain('Speed 60');
		expect(output()).toContain(`on ${url.replace('/v1', '/mcp')}\n`);
		expect(output()).toMatch(/Seed [0-9a-f]{8}:/);
		const response = await fetch(`${url}/licences`, {
			headers: { Authorization: `Bearer ${key}` },
		});
		expect(await response.text()).toContain('"monthly_allowance":7');
		child.kill('SIGINT');
		expect((await ended).code).toBe(0);
	}, 20_000);

	it('lists its options', async () => {
		const { code, output } = await run('--help').ended;
		expect(code).toBe(0);
		for (const flag of [
			'--port',
			'--speed',
			'--third-brief',
			'--key-memory',
			'--faults',
			'--details-shape',
		]) {
			expect(output).toContain(flag);
		}
	}, 20_000);

	it('says in one line that the port is taken, with exit code 2', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => other.once('listening', resolve));
		const { port } = other.address() as AddressInfo;
		const { code, errors } = await run('--port', String(port)).ended;
		other.close();
		expect(code).toBe(2);
		expect(errors.trim()).toMatch(new RegExp(`^Port ${port} cannot be used .*--port 0$`));
	}, 20_000);

	it('says in one line that an option is wrong, with exit code 2', async () => {
		const { code, errors } = await run('--sped', '60').ended;
		expect(code).toBe(2);
		expect(errors.trim()).toMatch(/^Unknown option '--sped'.*$/);
	}, 20_000);
});

describe('its arguments', () => {
	it('have a flag for every switch', () => {
		const flags = Object.keys(switchOptions).map((name) =>
			name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
		);
		for (const flag of flags) {
			let message = '';
			try {
				readArguments([`--${flag}`, 'no such value']);
			} catch (error) {
				message = (error as Error).message;
			}
			expect(message).not.toMatch(/^Unknown option/);
		}
	});

	it('are in the README’s table of switches, each once', () => {
		const readme = readFileSync(join(root, 'sandbox', 'README.md'), 'utf8');
		const [, table = ''] = /## Switches([^]*?)\n## /.exec(readme) ?? [];
		const rows = table.split('\n').filter((line) => line.startsWith('|'));
		const listed = rows.flatMap((row) => row.match(/(?<=`)\w+(?=`)/g) ?? []);
		expect(listed.sort()).toEqual(Object.keys(switchOptions).sort());
	});

	it('become options', () => {
		expect(
			readArguments(
				'--port 0 --speed 60 --start-at 2026-01-31T23:50Z --seed x --third-brief queue --key-memory 90m --list-lag 2s --replay-status 202 --stale-cursor empty --unknown-fields --unknown-status reviewing --failure-share 0.5 --faults cut@3'.split(
					' ',
				),
			),
		).toEqual({
			port: 0,
			speed: 60,
			startAt: Date.UTC(2026, 0, 31, 23, 50),
			seed: 'x',
			thirdBrief: 'queue',
			keyMemoryMs: 5_400_000,
			listLagMs: 2000,
			replayStatus: 202,
			staleCursor: 'empty',
			unknownFields: true,
			unknownStatus: 'reviewing',
			failureShare: 0.5,
			faults: 'cut@3',
		});
	});

	it.each([
		[['--port', 'x'], '--port takes a whole number'],
		[['--port', '70000'], '--port takes a whole number from 0 to 65535'],
		[['--speed', '0'], '--speed takes a number'],
		[['--speed', ''], '--speed takes a number'],
		[['--allowance', '1.5'], '--allowance takes a whole number from 0 on'],
		[['--third-brief', 'maybe'], '--third-brief takes refuse, queue, conflict'],
		[['--key-memory', 'long'], '--key-memory takes a time'],
		[['--start-at', 'soon'], '--start-at takes a time'],
		[['--faults', 'boom:0.1'], '--faults: "boom:0.1" is not a fault'],
		[['--faults', 'cut:2'], '--faults: "cut:2": a chance is from 0 to 1'],
		[['--faults', 'cut-before:0.1'], '--faults: "cut-before:0.1": cut always comes after the work'],
		[['--faults', 'cut@0'], '--faults: "cut@0": requests are counted from 1'],
		[['--faults', 'delete_brief/cut:0.1'], '--faults: "delete_brief/cut:0.1" is not a fault'],
		[['--port'], "Option '--port <value>' argument missing"],
		[['--unknown-fields=yes'], "Option '--unknown-fields' does not take an argument"],
		[['stray'], "Unexpected argument 'stray'"],
	])('%j are refused', (args, message) => {
		let refused = '';
		try {
			readArguments(args);
		} catch (error) {
			refused = (error as Error).message;
		}
		expect(refused).toContain(message);
		expect(refused).not.toContain('\n');
	});
});
