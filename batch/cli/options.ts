import { Option, type Command } from 'commander';
import { DEFAULT_OUT } from '../command-text';
import { Failure } from '../failure';
import { MAX_GENERATIONS } from '../run/plan/retry-worth';

/** The options as the command line gives them, unchecked. */
export interface RawOptions {
	out: string;
	batch?: string;
	max?: string;
	keep: string;
	leaveSlots: string;
	map: string[];
	set: string[];
	delimiter?: string;
	encoding?: string;
	allowDuplicates?: boolean;
	orderChanged?: boolean;
	orderAgain?: boolean;
	pollInterval?: string;
	pollIntervalMax?: string;
	timeout: string;
	baseUrl?: string;
	apiKeyFile?: string;
	json?: boolean;
	quiet?: boolean;
	color?: boolean;
	yes?: boolean;
	envFile?: string;
	knownOk?: boolean;
	notify?: string;
	/** Of run only. */
	adopt?: string[];
	/** Of retry only. */
	maxGenerations?: string;
	/** Of audit only. */
	repair?: boolean;
}

/** What is said under the options of every command. */
export const VARIABLES = `
Each option may come from a variable of its name: CREATOR_BRIEFING_LEAVE_SLOTS=1
stands for --leave-slots 1. An option without a value takes true or false, one
that may be repeated a line for each value. An argument counts before the file
of --env-file, and that before the environment.
`;

/** Its default is shown as it is typed, without the quotation marks of a string. */
function withDefault(flags: string, description: string, value: string): Option {
	return new Option(flags, description).default(value, value);
}

/** An option whose values are put into a list. */
function repeatable(flags: string, description: string): Option {
	return new Option(flags, description)
		.argParser((value: string, before: string[]) => [...before, value])
		.default([], 'none');
}

/** The options of every command. */
export function addOutputOptions(command: Command): Command {
	return command
		.addOption(withDefault('--out <DIR>', 'where the journal and the results are', DEFAULT_OUT))
		.option('--json', 'one JSON event a line on standard output')
		.option(
			'--quiet',
			'only the summary and what went wrong, and nothing at all where nothing is new',
		)
		.option('--no-color', 'no colours')
		.option(
			'--env-file <FILE>',
			'a file of variables, such as the profile of a client: they count before those of the environment',
		);
}

/** The options of the commands that read a CSV. `settings/` checks their values. */
export function addCsvOptions(command: Command): Command {
	return addOutputOptions(command)
		.option(
			'--batch <NAME>',
			'part of the idempotency key: another name means new briefs (default: the one that wrote a failed.csv or deferred.csv, else the journal’s, else the CSV’s file name)',
		)
		.option('--max <N>', 'create at most N briefs in this run')
		.addOption(withDefault('--keep <N>', 'leave N of the month’s allowance unused', '0'))
		.addOption(withDefault('--leave-slots <N>', 'leave N (0 or 1) of the two slots to others', '0'))
		.addOption(
			repeatable('--map <"Header=field">', 'which field of the API a column holds (repeatable)'),
		)
		.addOption(
			repeatable('--set <field=value>', 'a value for every row that has none (repeatable)'),
		)
		.option('--delimiter <CHAR>', 'comma, semicolon, tab or a character (default: detected)')
		.option('--encoding <NAME>', 'such as utf-8, utf-16le, windows-1252 (default: detected)')
		.option('--allow-duplicates', 'make a brief for each of several rows with the same content')
		.option('--order-changed', 'order rows anew whose content changed since they were ordered')
		.option(
			'--order-again',
			'order rows anew although the workspace has a brief of the same content, which is taken over otherwise',
		)
		.option(
			'--poll-interval <S>',
			'shortest time between two looks for each running brief, in seconds: with two running, two looks may fall into it (default: 15)',
		)
		.option(
			'--poll-interval-max <S>',
			'longest time between two looks at a brief that may soon be done, in seconds (default: 30)',
		)
		.addOption(
			withDefault(
				'--timeout <MIN>',
				'a brief still running then is parked, never started anew',
				'30',
			),
		)
		.option(
			'--base-url <URL>',
			'the service’s address with its /v1 (or the variable CREATOR_BRIEFING_BASE_URL)',
		)
		.option(
			'--api-key-file <FILE>',
			'a file that holds the API key (or the variable CREATOR_BRIEFING_API_KEY, with the key itself)',
		)
		.addOption(new Option('--yes', 'answer yes to every question'))
		.option(
			'--known-ok',
			'failed and invalid rows that an earlier run has ended with 1 for, unchanged since, do not count for the exit code',
		)
		.option(
			'--notify <URL>',
			'a webhook of Slack, Mattermost or n8n that the end of a run is posted to, where it has news',
		);
}

/** The options of `doctor`: all those of `run`, so that a whole profile is checked, of which these are its own. */
const DOCTOR_OPTIONS = new Set([
	...['--out', '--json', '--quiet', '--no-color', '--env-file', '--base-url', '--api-key-file'],
]);

export function addDoctorOptions(command: Command): Command {
	addRunOptions(addCsvOptions(command));
	for (const option of command.options) option.hideHelp(!DOCTOR_OPTIONS.has(option.long ?? ''));
	return command;
}

/** The options of `run` besides those. */
export function addRunOptions(command: Command): Command {
	return command.addOption(
		repeatable(
			'--adopt <ROW=BRIEF_ID>',
			'this brief is the row’s: it is fetched and costs nothing (repeatable)',
		),
	);
}

/** The options of `retry` besides those. */
export function addRetryOptions(command: Command): Command {
	return command.addOption(
		withDefault(
			'--max-generations <N>',
			'how often a row is ordered at most, the first time included: each may cost a brief',
			String(MAX_GENERATIONS),
		),
	);
}

/** The options of `audit` besides those. */
export function addAuditOptions(command: Command): Command {
	return command.option(
		'--repair',
		'fetch briefs and files that are missing, and write changed files anew (the changed ones are kept beside them); GETs only',
	);
}

/**
 * An option would take the one behind it for its value where its own is missing, as in `--out $OUT --quiet` with an empty
 * variable.
 * @throws {Failure} that names both
 */
export function refuseMissingValues(
	args: readonly string[],
	commands: readonly Pick<Command, 'options'>[],
): void {
	const options = commands.flatMap((command) => command.options);
	const isTaking = new Set(options.flatMap(({ required, long }) => (required ? [long] : [])));
	const end = args.indexOf('--');
	for (const [at, name] of args.entries()) {
		if (at === end) return;
		const value = args[at + 1];
		if (!isTaking.has(name) || value?.startsWith('--') !== true) continue;
		throw new Failure(
			`${name} has no value: “${value}” follows it.`,
			`Give it one. In a script, look whether the variable that it takes is set. A value that begins so is written ${name}=${value}.`,
		);
	}
}
