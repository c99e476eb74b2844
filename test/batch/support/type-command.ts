import { runProgram, type Commands, type Invocation } from '../../../batch/cli/program';
import { COMMAND_NAMES, type CommandName } from '../../../batch/cli/options';
import { toCliError } from '../../../batch/commands/to-cli-error';

interface TypedCommand {
	readonly exitCode: number;
	/** The arguments of the command; null if it was refused. */
	readonly invocation: Invocation | null;
	/** The command that was carried out; `plan` for --dry-run. */
	readonly action: CommandName | null;
	readonly output: string;
	readonly errors: string;
	/** The environment after the command. */
	readonly env: NodeJS.ProcessEnv;
}

/** Runs the command line with commands that do nothing. Words are separated by spaces, or given as a list. */
export async function typeCommand(
	line: string | readonly string[],
	env: NodeJS.ProcessEnv = {},
): Promise<TypedCommand> {
	const seen: Pick<TypedCommand, 'invocation' | 'action'> = { invocation: null, action: null };
	const text = { output: '', errors: '' };
	const record = (action: CommandName) => async (invocation: Invocation) => {
		Object.assign(seen, { invocation, action });
		return 0 as const;
	};
	const commands = Object.fromEntries(
		COMMAND_NAMES.map((name) => [name, record(name)]),
	) as unknown as Commands;
	const streams = {
		out: { write: (part: string) => (text.output += part) },
		err: { write: (part: string) => (text.errors += part) },
		env: { ...env },
	};
	const words = typeof line === 'string' ? line.split(' ') : line;
	const describeError = async (error: unknown) => toCliError(error, Date.now());
	const exitCode = await runProgram(words, { commands, version: '1.2.3', describeError }, streams);
	return { exitCode, ...seen, ...text, env: streams.env };
}

/** Returns the arguments that the command gets. */
export async function typeInvocation(
	line: string | readonly string[],
	env?: NodeJS.ProcessEnv,
): Promise<Invocation> {
	const { invocation, errors } = await typeCommand(line, env);
	if (invocation === null) throw new Error(errors);
	return invocation;
}

/** Returns the settings that the command gets. */
export async function typeSettings(
	line: string | readonly string[],
	env?: NodeJS.ProcessEnv,
): Promise<Invocation['settings']> {
	return (await typeInvocation(line, env)).settings;
}

/** Returns the exit code and the first line of the message. */
export async function getUsageError(
	line: string | readonly string[],
	env?: NodeJS.ProcessEnv,
): Promise<string> {
	const { exitCode, errors } = await typeCommand(line, env);
	return `${exitCode} ${errors.split('\n')[0] ?? ''}`;
}
