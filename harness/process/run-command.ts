import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { keepTrackOf, killProcessGroup } from './process-groups';

export interface RunOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** npm has been seen to think about peer dependencies for ever, so nothing runs without an end. */
	timeoutMs: number;
	/** Everything the command prints is added to this file. */
	logFile?: string;
}

export class CommandError extends Error {
	constructor(
		message: string,
		readonly output: string,
	) {
		super(message);
	}
}

const kept = 200_000;

/** Runs a command to its end and returns what it printed on standard output. Kills its whole group when time is up. */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const log = options.logFile ? createWriteStream(options.logFile, { flags: 'a' }) : undefined;
	let stdout = '';
	let both = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout = (stdout + chunk.toString()).slice(-kept);
	});
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			both = (both + chunk.toString()).slice(-kept);
			log?.write(chunk);
		});
	}
	const forget = keepTrackOf(child.pid);

	const name = [command, ...args].join(' ');
	try {
		return await new Promise<string>((resolve, reject) => {
			const timer = setTimeout(() => {
				killProcessGroup(child.pid, 'SIGKILL');
				const minutes = Math.round(options.timeoutMs / 6_000) / 10;
				reject(new CommandError(`"${name}" was still running after ${minutes} minutes.`, both));
			}, options.timeoutMs);
			child.once('error', (error) => {
				clearTimeout(timer);
				reject(new CommandError(`"${name}" could not be started: ${error.message}`, both));
			});
			child.once('close', (code, signal) => {
				clearTimeout(timer);
				if (code === 0) resolve(stdout);
				else reject(new CommandError(`"${name}" ended with ${String(code ?? signal)}.`, both));
			});
		});
	} finally {
		forget();
		log?.end();
	}
}
