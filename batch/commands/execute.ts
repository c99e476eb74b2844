import { isAbort } from '../../core/api/sleep';
import type { Invocation } from '../cli/program';
import { EXIT, type ExitCode } from '../exit-codes';
import { Console } from '../terminal/console';
import type { CommandContext, Ports } from './session';

export type Command = (
	context: CommandContext,
) => Promise<ExitCode | { readonly exitCode: ExitCode }>;

interface Process {
	readonly streams: Parameters<typeof Console.open>[0];
	readonly ports: Ports;
	/** Aborted by Ctrl-C. */
	readonly signal: AbortSignal;
}

/** Carries out a command with the streams of a process. Returns the exit code. */
export async function executeCommand(
	command: Command,
	invocation: Invocation,
	{ streams, ports, signal }: Process,
): Promise<ExitCode> {
	const { quiet, json } = invocation.settings;
	const console = Console.open(streams, { quiet, json });
	try {
		const end = await command({ invocation, console, ports, signal });
		return typeof end === 'number' ? end : end.exitCode;
	} catch (error) {
		// Errors such as a full disk are reported although the user has pressed Ctrl-C.
		if (signal.aborted && isAbort(error)) return EXIT.interrupted;
		throw error;
	}
}
