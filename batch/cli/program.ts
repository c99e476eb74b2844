import { Command, CommanderError } from 'commander';
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
import { takeVariables, type Sources } from './settings/variables';
import { terminalText } from './format';

const EXIT_CODES = `
Exit codes:
  0    every row is ready (plan: fit to be sent)
  1    the run is over; some rows failed, are invalid, changed or need a person
  2    the command or the CSV could not be used; nothing was begun
  3    rows are left for later: next month’s allowance, or beyond --max
  4    key, scope or licence refused
  5    the service could not be reached, or the run stopped early: run again
  6    another run holds the folder
  130  interrupted
`;

function endsAsItIs(
	console: Console,
	_csv: string,
	_options: RawOptions,
	work: (console: Console) => Promise<ExitCode>,
): Promise<ExitCode> {
	return work(console);
}

/** Whether the options that could not be read are those of a run whose reader waits for its last event. */
function isRunInJson(
	[command = '', ...options]: readonly string[],
	{ CREATOR_BRIEFING_JSON: json = '' }: NodeJS.ProcessEnv,
): boolean {
	const isJson = options.includes('--json') || /^\s*(true|1)\s*$/i.test(json);
	return ['run', 'retry'].includes(command) && isJson;
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
	let exitCode: ExitCode = EXIT.ok;
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
		.exitOverride();
	let sources: Sources | undefined;
	program.hook('preAction', (_, command) => {
		sources = takeVariables(command, streams.env);
	});

	const withConsole = async (
		options: RawOptions,
		work: (console: Console) => Promise<ExitCode>,
	) => {
		const console = openConsole(streams, options);
		try {
			exitCode = await work(console);
		} finally {
			console.close();
		}
	};
	// A command is loaded when it is asked for: axios and the libraries of the report take longer than all the rest.
	type Work = (
		csv: string,
		settings: Settings,
		console: Console,
		interruption: AbortSignal,
	) => Promise<ExitCode>;
	const onCsv = (
		name: string,
		description: string,
		load: () => Promise<Work>,
		{
			mayBeOffline = false,
			/** What goes around the work: a run always has a last event. */
			around = endsAsItIs,
		}: { mayBeOffline?: boolean; around?: typeof endsAsItIs } = {},
	) =>
		addCsvOptions(
			program
				.command(name)
				.description(description)
				.argument('<FILE.csv>', 'the products, one a row; - reads standard input'),
		).action((csv: string, options: RawOptions) =>
			withConsole(options, (console) =>
				around(console, csv, options, async (inner) => {
					const { readSettings } = await import('./settings/settings.js');
					const settings = readSettings(options, streams.env, { mayBeOffline });
					return (await load())(csv, settings, inner, interruption);
				}),
			),
		);
	const endsAsRun: typeof endsAsItIs = async (console, csv, options, work) => {
		const { withRunEnd } = await import('./run-end.js');
		const warn = (text: string) => void streams.err.write(`${text}\n`);
		return withRunEnd(console, csv, options, { interruption, warn }, work);
	};
	onCsv(
		'plan',
		'check every row, price the run, spend nothing, write nothing',
		async () => (await import('./plan.js')).plan,
		{ mayBeOffline: true },
	);
	addRunOptions(
		onCsv(
			'run',
			'create, wait, write; the same command resumes',
			async () => (await import('./run.js')).run,
			{ around: endsAsRun },
		),
	);
	addRetryOptions(
		onCsv(
			'retry',
			'give failed rows a new generation, then run',
			async () => (await import('./retry.js')).retry,
			{ around: endsAsRun },
		),
	);
	addAuditOptions(
		onCsv(
			'audit',
			'compare journal, files and service; with --repair fetch what is missing',
			async () => (await import('./audit.js')).audit,
		),
	);
	const onFolder = (
		name: string,
		description: string,
		load: () => Promise<(outDir: string, console: Console) => Promise<ExitCode>>,
	) =>
		addOutputOptions(program.command(name).description(description)).action((options: RawOptions) =>
			withConsole(options, async (console) => (await load())(options.out, console)),
		);
	onFolder('status', 'what the journal says', async () => (await import('./status.js')).status);
	onFolder(
		'report',
		'write results.csv and report.html anew',
		async () => (await import('./report.js')).report,
	);
	addOutputOptions(
		program.command('unlock').description('say whose the lock is, and remove that of a dead run'),
	)
		.option('--yes', 'the run of an earlier version has surely ended')
		.action((options: RawOptions) =>
			withConsole(options, async (console) => {
				const { unlock } = await import('./unlock.js');
				return unlock(options.out, console, interruption, options);
			}),
		);

	addDoctorOptions(
		program
			.command('doctor')
			.description('try address, key, scopes, licence, clocks, folder and lock; spend nothing'),
	).action((options: RawOptions) =>
		withConsole(options, async (console) => {
			const { doctor } = await import('./doctor/doctor.js');
			return doctor(options, console, { env: streams.env, interruption, version, sources });
		}),
	);

	/** A run always has a last event, also where its options could not be read. */
	const endRefusedRun = async (failure: Failure) => {
		if (!isRunInJson(args, streams.env)) return;
		const { endOfRefused } = await import('./run-end.js');
		openConsole(streams, { json: true }).emit(endOfRefused(failure));
	};

	try {
		if (args.length === 0) program.help({ error: true });
		refuseMissingValues(args, program.commands);
		await program.parseAsync(helpArguments(program, args), { from: 'user' });
		return exitCode;
	} catch (error) {
		if (error instanceof CommanderError) {
			if (error.exitCode === 0) return EXIT.ok;
			const cure = 'brief-batch run --help shows all options.';
			await endRefusedRun(new Failure(error.message.replace(/^error: /, ''), cure));
			return EXIT.unusable;
		}
		if (interruption.aborted) {
			streams.err.write(`${interruptedEarly().message}\n`);
			return EXIT.interrupted;
		}
		if (!(error instanceof Failure)) throw error;
		const areOptionsRefused = sources === undefined;
		if (areOptionsRefused) await endRefusedRun(error);
		const { what, cure } = sources?.addedTo(error) ?? error;
		streams.err.write(terminalText(`${what}\n${cure}\n`));
		return error.exitCode;
	}
}

/** `help fly` is answered as `fly` is: an unknown command, and which one is near. */
function helpArguments(program: Command, args: string[]): string[] {
	const [first, name] = args;
	const isKnown = program.commands.some((command) => command.name() === name);
	return first !== 'help' || name === undefined || isKnown ? args : [name];
}
