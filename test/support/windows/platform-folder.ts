import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { briefBatch } from '../../../harness/paths';
import type { SandboxOptions } from '../../../sandbox/sandbox';
import { FAST_CLOCK_FILE } from '../fast-clock/fast-sandbox';
import { openClientFolder, type ClientFolder } from '../client-folder';
import type { ProcessResult, RunningProcess } from '../running-process';
import { findPlatformNode } from './platform-node';

const node = findPlatformNode();
/** Numbers the output files. */
let startedCount = 0;

/** Opens a client's folder whose commands run on the platform's Node.js. */
export async function openPlatformFolder(
	rows: number,
	options: SandboxOptions = {},
): Promise<ClientFolder> {
	return await openClientFolder(rows, options, (args, env, cwd) =>
		startNode(['--import', toUrl(FAST_CLOCK_FILE), node.toPath(briefBatch), ...args], env, cwd),
	);
}

/** Node.js for Windows does not import a path with a drive. */
function toUrl(file: string): string {
	return new URL(`file:///${node.toPath(file)}`).href;
}

/** Starts the platform's Node.js. It prints into files, because wine passes no pipe to node.exe. */
export function startNode(args: string[], env: ClientFolder['env'], cwd: string): RunningProcess {
	const [command = '', ...rest] = node.command;
	startedCount += 1;
	const out = join(cwd, `${startedCount}.out`);
	const err = join(cwd, `${startedCount}.err`);
	const files = [openSync(out, 'w'), openSync(err, 'w')];
	const child = spawn(command, [...rest, ...args], {
		cwd,
		env: { ...process.env, ...node.env, ...env },
		stdio: ['ignore', ...files],
	});
	for (const file of files) closeSync(file);
	return followFiles(child, {
		get out() {
			return readFileSync(out, 'utf8');
		},
		get err() {
			return readFileSync(err, 'utf8');
		},
	});
}

/** Reads the output of a process that was just started from its files. */
function followFiles(child: ChildProcess, output: RunningProcess['output']): RunningProcess {
	const ended = new Promise<ProcessResult>((done) =>
		child.on('close', (code) => done({ code, out: output.out, err: output.err })),
	);
	const kill = () => {
		child.kill('SIGKILL');
		return ended;
	};
	const waitForOutput = async (text: string | RegExp) => {
		while (output.out.search(text) === -1) {
			if ((child.exitCode ?? child.signalCode) !== null)
				throw new Error(
					`The process ended without printing ${String(text)}:\n${output.out}${output.err}`,
				);
			await sleep(20);
		}
	};
	return { child, output, ended, kill, waitForOutput };
}
