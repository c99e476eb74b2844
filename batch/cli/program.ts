import { Command, CommanderError, Option } from 'commander';
import { realDisk } from '../disk';
import { EXIT, Failure, type ExitCode } from '../failure';
import { writeReport } from '../results/report';
import { audit } from './audit';
import { openConsole, type Console, type Streams } from './console';
import { readRecords } from './environment';
import { plan } from './plan';
import { retry } from './retry';
import { run } from './run';
import { readSettings, type RawOptions, type Settings } from './settings';
import { status } from './status';
import { terminalText } from './format';

/** Puts repeated options into a list. */
const collect = (value: string, before: string[]) => [...before, value];

/**
 * The command line. Gives back the exit code; whatever a user can cause ends as a text that says what happened and
 * what to do next.
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
		.helpCommand(false)
		.showHelpAfterError('(--help shows all options)')
		.configureOutput({
			writeOut: (text) => void streams.out.write(text),
			writeErr: (text) => void streams.err.write(text),
		})
		.exitOverride();

	const withConsole = async (
		options: RawOptions,
		work: (console: Console) => Promise<ExitCode>,
	) => {
		const console = await openConsole(streams, options);
		try {
			exitCode = await work(console);
		} finally {
			console.close();
		}
	};
	type Work = (
		csv: string,
		settings: Settings,
		batch: string | undefined,
		console: Console,
		interruption: AbortSignal,
	) => Promise<ExitCode>;
	const onCsv = (name: string, description: string, work: Work) =>
		withOptions(
			program
				.command(name)
				.description(description)
				.argument('<FILE.csv>', 'the products, one a row'),
		).action((csv: string, options: RawOptions) =>
			withConsole(options, (console) =>
				work(csv, readSettings(options, streams.env), options.batch, console, interruption),
			),
		);
	onCsv('plan', 'check every row, price the run, spend nothing, write nothing', plan);
	onCsv('run', 'create, wait, write; the same command resumes', run);
	onCsv('retry', 'give failed rows a new generation, then run', retry);
	onCsv('audit', 'compare journal, files and service, change nothing', audit);
	withOutput(program.command('status').description('what the journal says')).action(
		(options: RawOptions) => withConsole(options, (console) => status(options.out, console)),
	);
	withOutput(program.command('report').description('write report.html anew')).action(
		(options: RawOptions) =>
			withConsole(options, async (console) => {
				const records = await readRecords(realDisk, options.out);
				if (records.batch === null)
					throw new Failure(
						`There is no journal in ${options.out}.`,
						'Name the folder of a run with --out.',
					);
				await writeReport(realDisk, options.out, records, { now: Date.now() });
				console.say(`Written: ${options.out}/report.html`);
				return EXIT.ok;
			}),
	);

	try {
		if (args.length === 0) program.help({ error: true });
		await program.parseAsync(args, { from: 'user' });
		return exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unusable;
		if (interruption.aborted) {
			streams.err.write('Interrupted before anything was ordered.\n');
			return EXIT.interrupted;
		}
		if (!(error instanceof Failure)) throw error;
		streams.err.write(terminalText(`${error.what}\n${error.cure}\n`));
		return error.exitCode;
	}
}

function withOutput(command: Command): Command {
	return command
		.option('--out <DIR>', 'where the journal and the results are', 'briefs')
		.option('--json', 'one JSON event a line on standard output')
		.option('--quiet', 'only the summary and what went wrong')
		.option('--no-color', 'no colours');
}

function withOptions(command: Command): Command {
	return withOutput(command)
		.option(
			'--batch <NAME>',
			'part of the idempotency key: another name means new briefs (default: the journal’s, else the CSV’s file name)',
		)
		.option('--max <N>', 'create at most N briefs in this run')
		.option('--keep <N>', 'leave N of the month’s allowance unused', '0')
		.option('--leave-slots <N>', 'leave N (0 or 1) of the two slots to others', '0')
		.option(
			'--map <"Header=field">',
			'which field of the API a column holds (repeatable)',
			collect,
			[],
		)
		.option('--set <field=value>', 'a value for every row that has none (repeatable)', collect, [])
		.option('--delimiter <CHAR>', 'comma, semicolon, tab or a character (default: detected)')
		.option('--encoding <NAME>', 'such as utf-8, utf-16le, windows-1252 (default: detected)')
		.option('--allow-duplicates', 'make a brief for each of several rows with the same content')
		.option(
			'--poll-interval <S>',
			'shortest time between two looks at a running brief, in seconds (default: 15)',
		)
		.option('--poll-interval-max <S>', 'longest time between two looks, in seconds (default: 30)')
		.option('--timeout <MIN>', 'a brief still running then is parked, never started anew', '30')
		.option(
			'--base-url <URL>',
			'the service’s address with its /v1 (default: CREATOR_BRIEFING_BASE_URL)',
		)
		.option(
			'--api-key-file <FILE>',
			'a file that holds the API key (default: the variable CREATOR_BRIEFING_API_KEY)',
		)
		.addOption(new Option('--yes', 'answer yes to every question'));
}
