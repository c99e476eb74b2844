import { Option, type Command } from 'commander';
import { DEFAULT_OUT } from '../command-text';
import { MAX_TRIES } from '../plan/retryable';
import { Stop } from '../stop';

/** The options that say where a batch is, and whose. */
export interface FolderOptions {
	out: string;
	name?: string | undefined;
	envFile?: string;
}

export interface ReportOptions extends FolderOptions {
	share?: boolean;
}

export interface ConsoleOptions {
	json?: boolean;
	quiet?: boolean;
	color?: boolean;
	leaveSlots?: string;
}

/** The options as the command line gives them, unchecked. */
export interface RawOptions extends ReportOptions, ConsoleOptions {
	batch?: string;
	max?: string;
	keep: string;
	leaveSlots: string;
	map: string[];
	set: string[];
	delimiter?: string;
	encoding?: string;
	orderChanged?: string | boolean;
	orderAgain?: string | boolean;
	only?: string;
	where?: string[];
	pollInterval?: string;
	pollIntervalMax?: string;
	timeout: string;
	baseUrl?: string;
	apiKeyFile?: string;
	yes?: boolean;
	knownOk?: boolean;
	notify?: string;
	/** The column with the row's own number. */
	id?: string;
	expectAtMost?: string;
	/** Of run only. */
	adopt?: string[];
	/** Of retry only. */
	maxTries?: string;
}

/** Options that say how something is shown, or have their own place in a command to copy. */
const NEVER_COPIED = new Set('out json quiet color yes notify'.split(' '));
/** Options that are meant for one run. */
const FOR_ONE_RUN = new Set(
	'max only orderAgain orderChanged adopt expectAtMost maxTries'.split(' '),
);
/** Options that the folder remembers from the beginning of a run on. */
const REMEMBERED = new Set('map set where id delimiter encoding'.split(' '));

/** What was typed, as the words of a command to copy. */
export interface TypedOptions {
	/** Those of each further run too. */
	typed: readonly string[];
	/** The same, and what the folder remembers only once a run has begun. */
	typedToBegin: readonly string[];
	/** Those of this run alone. They count as long as it has not begun. */
	typedForOnce: readonly string[];
}

/** Gives what was typed as the words of a command to copy. An address of --notify may hold a secret. */
export function typedOptions(command: Command): TypedOptions {
	const isCopied = (name: string) => !NEVER_COPIED.has(name) && !FOR_ONE_RUN.has(name);
	return {
		typed: wordsTyped(command, (name) => isCopied(name) && !REMEMBERED.has(name)),
		typedToBegin: wordsTyped(command, isCopied),
		typedForOnce: wordsTyped(command, (name) => FOR_ONE_RUN.has(name)),
	};
}

function wordsTyped(command: Command, isCopied: (name: string) => boolean): string[] {
	return command.options.flatMap((option) => {
		const name = option.attributeName();
		if (!isCopied(name) || command.getOptionValueSource(name) !== 'cli') return [];
		const value: unknown = command.getOptionValue(name);
		const flag = option.long ?? option.flags;
		if (value === true) return [flag];
		return [value].flat().flatMap((one) => [flag, String(one)]);
	});
}

/** Stands under the options of every command. */
export const VARIABLES = `
Each option may come from a variable of its name: CREATOR_BRIEFING_LEAVE_SLOTS=1
is --leave-slots 1. An option without a value takes true or false; one that can
be repeated takes a line for each value. An argument counts before the file of
--env-file, and that file before the environment.
`;

interface OptionEntry {
	flags: string;
	does: string;
	/** Shown as it is typed, without the quotation marks of a string. */
	value?: string;
	isRepeatable?: true;
	/** The commands whose help lists it. */
	of: readonly string[];
	/** Other commands refuse it. Otherwise each command on a CSV takes it, so that `plan` can replace `run` in any line. */
	isOfTheseOnly?: true;
}

const ORDERING = ['run', 'retry'];
const PRICED = ['plan', ...ORDERING];
const ASKING = [...PRICED, 'doctor'];
const EVERY = [...ASKING, 'status', 'report', 'unlock'];

const GROUPS: Readonly<Record<string, readonly OptionEntry[]>> = {
	'What to order:': [
		{ flags: '--max <N>', does: 'create at most N briefs in this run', of: PRICED },
		{
			flags: '--keep <N>',
			does: 'leave N of the month’s allowance unused',
			value: '0',
			of: PRICED,
		},
		{
			flags: '--leave-slots <N>',
			does: 'leave N (0 or 1) of the two slots to others',
			value: '0',
			of: PRICED,
		},
		{
			flags: '--expect-at-most <N>',
			does: 'order nothing if more than N rows are new: a brake for schedules',
			of: PRICED,
		},
		{
			flags: '--only <ROWS>',
			does: 'only these rows, by their number, such as 3,5-9, or with --id by their own, @4711',
			of: PRICED,
		},
		{
			flags: '--where <COND>',
			does: 'only rows with "Column=value" or "Column!=value" (repeatable: all must hold)',
			isRepeatable: true,
			of: PRICED,
		},
		{
			flags: '--order-changed [ROWS]',
			does: 'order rows again whose content changed, such as 3,5-9; without ROWS all, which is asked: each costs a brief',
			of: PRICED,
		},
		{
			flags: '--order-again [ROWS]',
			does: 'order rows although the workspace has a brief of the same content, which is taken over otherwise; without ROWS all, which is asked',
			of: PRICED,
		},
		{
			flags: '--adopt <ROW=BRIEF_ID>',
			does: 'this brief is the row’s: it is fetched and costs nothing (repeatable)',
			isRepeatable: true,
			of: ['run'],
			isOfTheseOnly: true,
		},
		{
			flags: '--max-tries <N>',
			does: 'try a row N times at most, retry included',
			value: String(MAX_TRIES),
			of: PRICED,
		},
	],
	'How the CSV is read:': [
		{
			flags: '--map <"Header=field">',
			does: 'which field of the API a column holds (repeatable)',
			isRepeatable: true,
			of: PRICED,
		},
		{
			flags: '--set <field=value>',
			does: 'a value for every row that has none (repeatable)',
			isRepeatable: true,
			of: PRICED,
		},
		{
			flags: '--id <COLUMN>',
			does: 'the column of the row’s own number (SKU): a row is known by it, whatever else was edited',
			of: PRICED,
		},
		{
			flags: '--delimiter <CHAR>',
			does: 'comma, semicolon, tab or a character (default: detected)',
			of: PRICED,
		},
		{
			flags: '--encoding <NAME>',
			does: 'such as utf-8, utf-16le, windows-1252 (default: detected)',
			of: PRICED,
		},
	],
	'Where:': [
		{
			flags: '--out <DIR>',
			does: 'the folder of the journal and the results',
			value: DEFAULT_OUT,
			of: EVERY,
		},
		{
			flags: '--batch <NAME>',
			does: 'part of the key of each order (default: the journal’s, else the CSV’s file name)',
			of: PRICED,
		},
		{
			flags: '--base-url <URL>',
			does: 'the service’s address with its /v1 (or the variable CREATOR_BRIEFING_BASE_URL)',
			of: ASKING,
		},
		{
			flags: '--api-key-file <FILE>',
			does: 'a file that holds the API key (or the variable CREATOR_BRIEFING_API_KEY, with the key itself)',
			of: ASKING,
		},
		{
			flags: '--env-file <FILE>',
			does: 'a file of variables, such as the profile of a client: they count before those of the environment',
			of: EVERY,
		},
	],
	'What to pass on:': [
		{
			flags: '--share',
			does: 'also write briefs.html for a client: the finished briefs with product and title, and nothing else',
			of: ['report'],
			isOfTheseOnly: true,
		},
	],
	'When to look:': [
		{
			flags: '--poll-interval <S>',
			does: 'shortest time between two looks for each running brief, in seconds: with two running, there may be two looks in it (default: 15)',
			of: ORDERING,
		},
		{
			flags: '--poll-interval-max <S>',
			does: 'longest time between two looks at a brief that may soon be done, in seconds (default: 30)',
			of: ORDERING,
		},
		{
			flags: '--timeout <MIN>',
			does: 'stop waiting for a brief after this long: it is parked, and never ordered again',
			value: '30',
			of: ORDERING,
		},
	],
	'Exit code and messages:': [
		{
			flags: '--known-ok',
			does: 'ignore failed, invalid, changed and parked rows that an earlier run already reported, until they change',
			of: ORDERING,
		},
		{
			flags: '--name <TEXT>',
			does: 'who this is for, in notifications and reports (default: the name of the --env-file, else of the folder)',
			of: [...ORDERING, 'report'],
		},
		{
			flags: '--notify <URL>',
			does: 'post the end of a run that has news to a webhook of Slack, Mattermost or n8n',
			of: ORDERING,
		},
		{
			flags: '--quiet',
			does: 'only the summary and what went wrong, and nothing at all when nothing is new',
			of: [...ORDERING, 'doctor'],
		},
		{ flags: '--json', does: 'one JSON event a line on standard output', of: EVERY },
		{ flags: '--no-color', does: 'no colours', of: EVERY },
		{ flags: '--yes', does: 'answer yes to every question', of: ORDERING },
	],
};

/** Gives a command its options, in groups. `settings/` checks their values. */
export function addOptions(command: Command): Command {
	const name = command.name();
	for (const [heading, entries] of Object.entries(GROUPS)) {
		for (const entry of entries) {
			const isShown = entry.of.includes(name);
			if (!isShown && !isTakenBy(name, entry)) continue;
			command.addOption(optionOf(entry).helpGroup(heading).hideHelp(!isShown));
		}
	}
	return command
		.optionsGroup('Exit code and messages:')
		.helpOption('-h, --help', 'print this help');
}

/** Says whether a command takes an option. `doctor` takes all that `run` takes, so that a whole profile is checked. */
function isTakenBy(name: string, { of, isOfTheseOnly }: OptionEntry): boolean {
	if (name === 'doctor') return isOfTheseOnly !== true || of.includes('run');
	return isOfTheseOnly !== true && PRICED.includes(name);
}

function optionOf({ flags, does, value, isRepeatable }: OptionEntry): Option {
	const option = new Option(flags, does);
	if (value !== undefined) return option.default(value, value);
	if (isRepeatable !== true) return option;
	return option
		.argParser((text: string, before: string[]) => [...before, text])
		.default([], 'none');
}

/**
 * Refuses an option without its value, which would take the next option for it, as in `--out $OUT --quiet` with an
 * empty variable.
 * @throws {Stop} that names both
 */
export function refuseMissingValues(args: readonly string[], commands: readonly Command[]): void {
	const options = commands.flatMap((command) => command.options);
	const isTaking = new Set(options.flatMap(({ required, long }) => (required ? [long] : [])));
	const end = args.indexOf('--');
	for (const [at, name] of args.entries()) {
		if (at === end) return;
		const value = args[at + 1];
		if (!isTaking.has(name) || value?.startsWith('--') !== true) continue;
		throw new Stop(
			`${name} has no value: “${value}” follows it.`,
			`Give it one. In a script, look whether the variable that it takes is set. A value that begins so is written ${name}=${value}.`,
		);
	}
}
