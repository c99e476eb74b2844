#!/usr/bin/env node
import { version } from './node-version';
import { runProgram, type Commands, type Invocation } from './cli/program';
import { EXIT, type ExitCode } from './exit-codes';
import type { Command } from './commands/execute';

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

const streams = { out: process.stdout, err: process.stderr, env: process.env };
// A run continues after the reader of its output has ended, as with `| head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

/** Returns a command that is loaded when it is run. */
function load(loadCommand: () => Promise<Command>): (invocation: Invocation) => Promise<ExitCode> {
	return async (invocation) => {
		const { executeCommand } = await import('./commands/execute.js');
		const command = await loadCommand();
		const { openPorts } = await import('./commands/ports.js');
		const { signal } = interruption;
		return await executeCommand(command, invocation, {
			streams: { ...streams, in: process.stdin },
			ports: openPorts(),
			signal,
		});
	};
}

const run = load(async () => (await import('./commands/run.js')).runCommand);

const COMMANDS: Commands = {
	plan: load(async () => (await import('./commands/plan.js')).planCommand),
	run,
	retry: run,
	status: load(async () => (await import('./commands/status.js')).statusCommand),
	doctor: load(async () => (await import('./commands/doctor.js')).doctorCommand),
};

/** A reader that takes no output, such as a pager, gets this time. */
const MAX_OUTPUT_MS = 60_000;

/** Ends the process once its output is written. An open socket, such as that of a silent proxy, would keep it alive. */
async function exit(exitCode: ExitCode): Promise<void> {
	const written = [process.stdout, process.stderr].map(
		(stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
	);
	const limit = new Promise((resolve) =>
		AbortSignal.timeout(MAX_OUTPUT_MS).addEventListener('abort', resolve),
	);
	await Promise.race([Promise.all(written), limit]);
	process.exit(exitCode);
}

// Until the command has a result, every other end is an error.
process.exitCode = EXIT.stoppedEarly;
process.once('beforeExit', () => {
	process.stderr.write(
		'The command ended without a result.\nThis is a bug in brief-batch. No order is lost: run the command again.\n',
	);
	void exit(EXIT.stoppedEarly);
});
void runProgram(
	process.argv.slice(2),
	{
		commands: COMMANDS,
		version,
		describeError: async (error) => {
			const { toCliError } = await import('./commands/to-cli-error.js');
			return toCliError(error, Date.now());
		},
	},
	streams,
).then(exit);
