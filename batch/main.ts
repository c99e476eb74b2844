#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '../core/api/sleep';
import { runProgram, type Commands, type Invocation } from './cli/program';
import { EXIT, type ExitCode } from './exit-codes';
import type { CommandContext } from './session';
import { Console } from './terminal/console';

/*
 * brief-batch: the process. Signals, streams and exit code; the commands are in commands/. Each command, and what
 * describes errors of the service, is loaded when it is needed, because loading axios would take longer than a short command.
 */

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.on(signal, () => {
		// The second Ctrl-C does not wait for the create request that is on its way.
		if (interruption.signal.aborted && signal === 'SIGINT') process.exit(EXIT.interrupted);
		interruption.abort();
	});

const streams = { in: process.stdin, out: process.stdout, err: process.stderr, env: process.env };
// A run continues after the reader of its output has ended, as with `| head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

type Command = (context: CommandContext) => Promise<ExitCode>;

/** Returns a command that is loaded when it is run. */
function load(loadCommand: () => Promise<Command>): (invocation: Invocation) => Promise<ExitCode> {
	return async (invocation) => {
		const { quiet, json } = invocation.settings;
		const { signal } = interruption;
		const console = Console.open(streams, { quiet, json });
		try {
			const command = await loadCommand();
			const { openPorts } = await import('./ports.js');
			return await command({ invocation, console, ports: openPorts(), signal });
		} catch (error) {
			// Errors such as a full disk are reported although the user has pressed Ctrl-C.
			if (signal.aborted && isAbort(error)) return EXIT.interrupted;
			const { toCliError } = await import('./to-cli-error.js');
			throw toCliError(error, Date.now());
		}
	};
}

const run = load(async () => (await import('./commands/run.js')).runCommand);

const COMMANDS: Commands = {
	plan: load(async () => (await import('./commands/plan.js')).planCommand),
	run,
	retry: run,
	status: load(async () => (await import('./commands/status.js')).statusCommand),
	report: load(async () => (await import('./commands/report.js')).reportCommand),
	doctor: load(async () => (await import('./commands/doctor.js')).doctorCommand),
};

void runProgram(process.argv.slice(2), COMMANDS, streams, readVersion()).then((exitCode) => {
	process.exitCode = exitCode;
});

function readVersion(): string {
	// Two folders above the compiled file, dist/batch/main.js.
	const manifest = readFileSync(join(__dirname, '../../package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}
