import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { commandLine } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { openConsole, type Console } from '../screen/console';
import type { Streams } from '../screen/question';
import {
	addOptions,
	refuseMissingValues,
	typedOptions,
	VARIABLES,
	type RawOptions,
} from '../settings/options';
import type { Settings } from '../settings/settings';
import { takeVariables } from '../settings/variables';
import { printable } from '../screen/format';
import { shownOn } from '../screen/wrap';
import { Stop, interruptedEarly } from '../stop';
import { stopOf } from '../stop-of';

const EXIT_CODES = `
Exit codes:
  0    every row is ready (plan: fit to be sent)
  1    the run is over; some rows failed, or are invalid, changed or parked
  2    command, CSV, folder or workspace of the key could not be used: running
       again does not cure it
  3    rows are left for later: next month’s allowance, beyond --max, or being written
  4    key, scope or licence refused
  5    the service could not be reached, or the run stopped early: run again
  6    another run holds the folder: nothing more was done
  130  interrupted
`;

/** A command and its surroundings. */
interface Session {
	streams: Streams;
	version: string;
	exitCode: ExitCode;
	/** Also those that come from variables. */
	hasReadOptions: boolean;
}

/** A command in the help. It is loaded when it is asked for: axios and the report take longest. */
interface CommandEntry {
	does: string;
	/** The words behind its name. */
	examples: readonly [string, string];
	onCsv?: () => Promise<(csv: string, settings: Settings, console: Console) => Promise<ExitCode>>;
	onFolder?: (
		options: RawOptions,
		console: Console,
		session: Session,
		command: Command,
	) => Promise<ExitCode>;
	/** The folder need not be that of --out: it can be named, and several can. */
	canNameFolders?: true;
	/** Address and key may be missing. */
	mayBeOffline?: true;
	/** A run always has a last event. */
	isRun?: true;
}

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
	plan: {
		does: 'check every row, price the run, spend nothing, write nothing',
		examples: ['products.csv', 'products.csv --out briefs/acme --keep 10'],
		onCsv: async () => (await import('./plan.js')).plan,
		mayBeOffline: true,
	},
	run: {
		does: 'create, wait, write; the same command resumes',
		examples: ['products.csv --max 5', 'products.csv --env-file acme.env --quiet'],
		onCsv: async () => (await import('./run.js')).run,
		isRun: true,
	},
	retry: {
		does: 'order failed rows once more, after asking, and then run',
		examples: ['products.csv', 'products.csv --yes'],
		onCsv: async () => (await import('./run.js')).retry,
		isRun: true,
	},
	status: {
		does: 'how the last run ended, and what needs you; of several folders a line each',
		examples: ['', 'clients/*/client.env'],
		onFolder: async (options, console, _, { args }) =>
			(await import('./status/status.js')).status(args, options, console),
		canNameFolders: true,
	},
	report: {
		does: 'write results.csv and report.html again; with --share also briefs.html, to pass on',
		examples: ['', '--share --only 3,5-9 --name Acme'],
		onFolder: async (options, console) => (await import('./report.js')).report(options, console),
	},
	unlock: {
		does: 'say whose the lock is, and remove that of a dead run',
		examples: ['', '--out briefs/acme'],
		onFolder: async ({ out }, console) => (await import('./unlock.js')).unlock(out, console),
	},
	doctor: {
		does: 'try address, key, scopes, licence, clocks, folder, lock and webhook; spend nothing',
		examples: ['', '--env-file acme.env'],
		onFolder: async (options, console, { streams: { env }, version }, command) => {
			const { typedToBegin: typed } = typedOptions(command);
			return (await import('./doctor/doctor.js')).doctor(options, console, { env, version }, typed);
		},
	},
};

/**
 * Runs the command that was typed.
 * @returns the exit code. Every error is printed: what happened, and what to do next.
 */
export async function main(args: string[], streams: Streams, version: string): Promise<ExitCode> {
	const session: Session = { streams, version, exitCode: EXIT.ok, hasReadOptions: false };
	const program = programOf(session);
	try {
		if (args.length === 0) program.help({ error: true });
		refuseMissingValues(args, program.commands);
		await program.parseAsync(argsMeant(args), { from: 'user' });
		return session.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) {
			if (error.exitCode === 0) return EXIT.ok;
			const cure = 'brief-batch run --help shows all options.';
			await endRefusedRun(new Stop(error.message.replace(/^error: /, ''), cure), args, streams);
			return EXIT.unusable;
		}
		if (streams.interruption.aborted) {
			streams.err.write(`${interruptedEarly().message}\n`);
			return EXIT.interrupted;
		}
		const failure = stopOf(error);
		if (!session.hasReadOptions) await endRefusedRun(failure, args, streams);
		for (const paragraph of [failure.what, ...failure.next])
			streams.err.write(`${shownOn(streams.err, paragraph)}\n`);
		return failure.exitCode;
	}
}

/** Gives a run its last event even if its options could not be read. */
async function endRefusedRun(
	failure: Stop,
	[command = '', ...options]: readonly string[],
	streams: Streams,
): Promise<void> {
	const inVariable = /^\s*(true|1)\s*$/i.test(streams.env.CREATOR_BRIEFING_JSON ?? '');
	if (COMMANDS[command]?.isRun !== true || !(options.includes('--json') || inVariable)) return;
	const { endedBy } = await import('./last-event.js');
	const { events } = openConsole(streams, { json: true });
	events.tell({ outcome: 'not_begun', ...endedBy(failure) });
}

function programOf(session: Session): Command {
	const { streams, version } = session;
	const program = new Command('brief-batch')
		.description(
			'Takes product CSVs through the Creator Briefing service: two briefs at a time, within the month’s allowance, none paid twice.',
		)
		.version(version, '-V, --version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.helpCommand('help [command]', 'show the options of a command')
		.addHelpText('after', EXIT_CODES)
		.addHelpText('after', VARIABLES)
		.showHelpAfterError('(--help shows all options)')
		.configureOutput({
			writeOut: (text) => void streams.out.write(text),
			writeErr: (text) => void streams.err.write(printable(text)),
		})
		.exitOverride()
		.hook('preAction', (_, command) => {
			takeVariables(command, streams.env);
			session.hasReadOptions = true;
		});
	for (const [name, entry] of Object.entries(COMMANDS)) addCommand(program, name, entry, session);
	return program;
}

function addCommand(program: Command, name: string, entry: CommandEntry, session: Session): void {
	const { does, examples, onCsv, onFolder, canNameFolders = false } = entry;
	const lines = examples.map((words) => `  ${`brief-batch ${name} ${words}`.trimEnd()}`).join('\n');
	const command = addOptions(program.command(name).description(does))
		.addHelpText('after', `\nExamples:\n${lines}`)
		.addHelpText('after', VARIABLES.trimEnd());
	if (canNameFolders)
		command.argument(
			'[DIR...]',
			'folders of results, or the profiles of clients (files of --env-file)',
		);
	if (onFolder !== undefined)
		command.action(() => {
			const options = command.opts<RawOptions>();
			return withConsole(session, options, (console) =>
				onFolder(options, console, session, command),
			);
		});
	if (onCsv !== undefined)
		command
			.argument('<FILE.csv>', 'the products, one a row; - reads standard input')
			.action(csvAction(session, entry, onCsv));
}

async function withConsole(
	session: Session,
	options: RawOptions,
	work: (console: Console) => Promise<ExitCode>,
): Promise<void> {
	const console = openConsole(session.streams, options);
	try {
		session.exitCode = await work(console);
	} finally {
		console.close();
	}
}

function csvAction(
	session: Session,
	{ mayBeOffline, isRun }: CommandEntry,
	load: NonNullable<CommandEntry['onCsv']>,
) {
	return (csv: string, options: RawOptions, command: Command) =>
		withConsole(session, options, async (console) => {
			const work = async () => {
				const { readSettings } = await import('../settings/settings.js');
				const { env } = session.streams;
				const settings = readSettings(options, env, typedOptions(command), mayBeOffline);
				return (await load())(csv, settings, console);
			};
			if (isRun !== true) return work();
			const { withLastEvent } = await import('./last-event.js');
			return withLastEvent(console, csv, options, work);
		});
}

/**
 * Gives the arguments as they were meant.
 * @throws {Stop} that shows the command to type, if it is plain what was meant
 */
function argsMeant(args: string[]): string[] {
	const [first = ''] = args;
	if (first === '-v' || first === 'version') return ['--version'];
	const isCommand = Object.hasOwn(COMMANDS, first);
	if (!isCommand && first !== '' && existsSync(first)) {
		throw new Stop(`“${first}” is a file, and the command in front of it is missing.`, [
			{
				text: 'Check it first, which costs nothing:',
				command: commandLine('brief-batch', 'plan', ...args),
			},
			{ text: 'Then order its briefs:', command: commandLine('brief-batch', 'run', ...args) },
		]);
	}
	return args;
}
