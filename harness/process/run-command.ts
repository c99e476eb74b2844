import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { trackProcessGroup, killProcessGroup } from './process-groups';

interface CommandOptions {
	cwd: string;
	env: NodeJS.ProcessEnv;
	/** npm may resolve peer dependencies forever, so every command has a limit. */
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

const LONGEST_OUTPUT = 2_000_000;

/** Runs a command to its end and returns its standard output. When time is up, it is killed with all its children. */
export async function runCommand(
	command: string,
	args: string[],
	options: CommandOptions,
): Promise<string> {
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
		stdout = (stdout + chunk.toString()).slice(-LONGEST_OUTPUT);
	});
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			both = (both + chunk.toString()).slice(-LONGEST_OUTPUT);
			log?.write(chunk);
		});
	}
	const forget = trackProcessGroup(child.pid);

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
