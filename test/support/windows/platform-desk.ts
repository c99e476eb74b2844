import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { PRELOAD } from '../fast-clock/fast-sandbox';
import { BIN, deskOf, type Desk } from '../batch/brief-batch';
import type { Ended, Running } from '../started';
import { platformNode } from './platform-node';

const node = platformNode();
let begun = 0;

/** A desk whose commands run on the Node of the platform. */
export async function platformDeskOf(rows: number, options: SandboxOptions = {}): Promise<Desk> {
	return await deskOf(rows, options, (args, env, cwd) =>
		startNode(['--import', urlOf(PRELOAD), node.pathOf(BIN), ...args], env, cwd),
	);
}

/** The Node of Windows imports no path with a drive. */
function urlOf(file: string): string {
	return new URL(`file:///${node.pathOf(file)}`).href;
}

/** Starts the Node of the platform. Its outputs go to files, because wine hands node.exe no pipe. */
export function startNode(args: string[], env: Desk['env'], cwd: string): Running {
	const [command = '', ...rest] = node.command;
	begun += 1;
	const out = join(cwd, `${begun}.out`);
	const err = join(cwd, `${begun}.err`);
	const files = [openSync(out, 'w'), openSync(err, 'w')];
	const child = spawn(command, [...rest, ...args], {
		cwd,
		env: { ...process.env, ...node.env, ...env },
		stdio: ['ignore', ...files],
	});
	for (const file of files) closeSync(file);
	return followed(child, {
		get out() {
			return readFileSync(out, 'utf8');
		},
		get err() {
			return readFileSync(err, 'utf8');
		},
	});
}

/** A process that was just started, as its outputs show it. */
function followed(child: ChildProcess, printed: Running['printed']): Running {
	const ended = new Promise<Ended>((done) =>
		child.on('close', (code) => done({ code, out: printed.out, err: printed.err })),
	);
	const kill = () => {
		child.kill('SIGKILL');
		return ended;
	};
	const prints = async (text: string | RegExp) => {
		while (printed.out.search(text) === -1) {
			if ((child.exitCode ?? child.signalCode) !== null)
				throw new Error(`It ended without saying ${String(text)}:\n${printed.out}${printed.err}`);
			await sleep(20);
		}
	};
	return { child, printed, ended, kill, prints };
}
