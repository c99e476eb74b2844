import { Command, CommanderError, type Option } from 'commander';
import { EXIT, Failure, interruptedEarly, type ExitCode } from '../failure';
import { openConsole, type Console, type Streams } from './console';
import {
	addAuditOptions,
	addCsvOptions,
	addDoctorOptions,
	addOutputOptions,
	addRetryOptions,
	addRunOptions,
	refuseMissingValues,
	VARIABLES,
	type RawOptions,
} from './options';
import type { Settings } from './settings/settings';
import { takeVariables, withVariables } from './settings/variables';
import { terminalText } from './format';

const EXIT_CODES = `
Exit codes:
  0    every row is ready (plan: fit to be sent)
  1    the run is over; some rows failed, are invalid, changed or need a person
  2    command, CSV, folder or workspace of the key could not be used: running
       again does not cure it
  3    rows are left for later: next month’s allowance, or beyond --max
  4    key, scope or licence refused
  5    the service could not be reached, or the run stopped early: run again
  6    another run holds the folder: nothing more was done
  130  interrupted
`;

/** What is around a command: its streams, and what became of it. */
interface Session {
	streams: Streams;
	interruption: AbortSignal;
	version: string;
	exitCode: ExitCode;
	/** The options that come from variables; null until they are read. */
	fromVariables: readonly Option[] | null;
}

/**
 * The command line.
 * @returns the exit code. Every error that a user can cause is printed: what happened, and what to do next.
 */
export async function main(
	args: string[],
	streams: Streams,
	interruption: AbortSignal,
	version: string,
): Promise<ExitCode> {
	const session: Session = {
		streams,
		interruption,
		version,
		exitCode: EXIT.ok,
		fromVariables: null,
	};
	const program = commandLine(session);
	try {
		if (args.length === 0) program.help({ error: true });
		refuseMissingValues(args, program.commands);
		await program.parseAsync(helpArguments(program, args), { from: 'user' });
		return session.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) {
			if (error.exitCode === 0) return EXIT.ok;
			const cure = 'brief-batch run --help shows all options.';
			await endRefusedRun(new Failure(error.message.replace(/^error: /, ''), cure), args, streams);
			return EXIT.unusable;
		}
		if (interruption.aborted) {
			streams.err.write(`${interruptedEarly().message}\n`);
			return EXIT.interrupted;
		}
		if (!(error instanceof Failure)) throw error;
		const { fromVariables } = session;
		if (fromVariables === null) await endRefusedRun(error, args, streams);
		const { what, cure } = withVariables(error, fromVariables ?? []);
		streams.err.write(terminalText(`${what}\n${cure}\n`));
		return error.exitCode;
	}
}

/** A run always has a last event, also if its options could not be read. */
async function endRefusedRun(
	failure: Failure,
	[command = '', ...options]: readonly string[],
	streams: Streams,
): Promise<void> {
	const isRun = ['run', 'retry'].includes(command);
	const inVariable = /^\s*(true|1)\s*$/i.test(streams.env.CREATOR_BRIEFING_JSON ?? '');
	if (!isRun || !(options.includes('--json') || inVariable)) return;
	const { endOfRefused } = await import('./run-end.js');
	openConsole(streams, { json: true }).emit(endOfRefused(failure));
}

function commandLine(session: Session): Command {
	const { streams, version } = session;
	const program = new Command('brief-batch')
		.description(
			'Takes product CSVs through the Creator Briefing service: two briefs at a time, within the month’s allowance, none paid twice.',
		)
		.version(version, '--version', 'print the version')
		.helpOption('-h, --help', 'print this help')
		.helpCommand('help [command]', 'show the options of a command')
		.addHelpText('after', EXIT_CODES)
		.addHelpText('afterAll', VARIABLES)
		.showHelpAfterError('(--help shows all options)')
		.configureOutput({
			writeOut: (text) => void streams.out.write(text),
			writeErr: (text) => void streams.err.write(text),
		})
		.exitOverride()
		.hook('preAction', (_, command) => {
			session.fromVariables = takeVariables(command, streams.env);
		});
	// The order is that of the help.
	addCommandsOnCsv(program, session);
	addCommandsOnFolder(program, session);
	return program;
}

// A command is loaded when it is asked for: axios and the libraries of the report take longer than all the rest.

function addCommandsOnCsv(program: Command, session: Session): void {
	const command = (name: string, description: string) =>
		addCsvOptions(
			program
				.command(name)
				.description(description)
				.argument('<FILE.csv>', 'the products, one a row; - reads standard input'),
		);
	command('plan', 'check every row, price the run, spend nothing, write nothing').action(
		onCsv(session, async () => (await import('./plan.js')).plan, { mayBeOffline: true }),
	);
	addRunOptions(command('run', 'create, wait, write; the same command resumes')).action(
		onCsv(session, async () => (await import('./run.js')).run, { isRun: true }),
	);
	addRetryOptions(command('retry', 'give failed rows a new generation, then run')).action(
		onCsv(session, async () => (await import('./retry.js')).retry, { isRun: true }),
	);
	addAuditOptions(
		command('audit', 'compare journal, files and service; with --repair fetch what is missing'),
	).action(onCsv(session, async () => (await import('./audit.js')).audit));
}

function addCommandsOnFolder(program: Command, session: Session): void {
	const { streams, interruption, version } = session;
	const command = (name: string, description: string) =>
		addOutputOptions(program.command(name).description(description));
	command('status', 'what the journal says').action((options: RawOptions) =>
		withConsole(session, options, async (console) => {
			const { status } = await import('./status.js');
			return status(options.out, console);
		}),
	);
	command('report', 'write results.csv and report.html anew').action((options: RawOptions) =>
		withConsole(session, options, async (console) => {
			const { report } = await import('./report.js');
			return report(options.out, console);
		}),
	);
	command('unlock', 'say whose the lock is, and remove that of a dead run')
		.option('--yes', 'the run of an earlier version has surely ended')
		.action((options: RawOptions) =>
			withConsole(session, options, async (console) => {
				const { unlock } = await import('./unlock.js');
				return unlock(options.out, console, interruption, options);
			}),
		);
	addDoctorOptions(
		program
			.command('doctor')
			.description('try address, key, scopes, licence, clocks, folder and lock; spend nothing'),
	).action((options: RawOptions) =>
		withConsole(session, options, async (console) => {
			const { doctor } = await import('./doctor/doctor.js');
			return doctor(options, console, { env: streams.env, interruption, version });
		}),
	);
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

type CsvCommand = (
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
) => Promise<ExitCode>;

/** @param isRun whether it is a run, which always has a last event */
function onCsv(
	session: Session,
	load: () => Promise<CsvCommand>,
	{ mayBeOffline = false, isRun = false } = {},
) {
	const { streams, interruption } = session;
	return (csv: string, options: RawOptions) =>
		withConsole(session, options, async (outer) => {
			const work = async (console: Console) => {
				const { readSettings } = await import('./settings/settings.js');
				const settings = readSettings(options, streams.env, { mayBeOffline });
				return (await load())(csv, settings, console, interruption);
			};
			if (!isRun) return work(outer);
			const { withRunEnd } = await import('./run-end.js');
			const warn = (text: string) => void streams.err.write(`${text}\n`);
			return withRunEnd(outer, csv, options, { interruption, warn }, work);
		});
}

/** `help fly` is answered as `fly` is: an unknown command, and which one is near. */
function helpArguments(program: Command, args: string[]): string[] {
	const [first, name] = args;
	const isKnown = program.commands.some((command) => command.name() === name);
	return first !== 'help' || name === undefined || isKnown ? args : [name];
}
