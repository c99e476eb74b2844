import { Option, type Command } from 'commander';
import { DEFAULT_OUT } from '../command-text';
import { MAX_TRIES } from '../plan/try';
import { Stop } from '../stop';
import {
	filledText,
	positiveNumber,
	readAdopt,
	readMap,
	readRows,
	readSet,
	readWhere,
	trimmedText,
	wholeNumber,
} from './values';

/*
 * The options, each once: help, variables, what the settings are, what a folder remembers and what a command to copy
 * repeats all come from here.
 */

interface Entry {
	/** In the help, it stands above this option and those that follow. */
	heading?: string;
	flags: string;
	/** Its help. */
	does: string;
	/** The commands whose help lists it; those that say what a run costs if it is missing. */
	of?: readonly string[];
	/**
	 * Missing if its value is what is typed.
	 * @param raw as the command line or a variable gives it, or the usual value
	 */
	read?: (raw: never, option: string) => unknown;
	/** How long it counts. */
	lasts?:
		/** It belongs to each command to copy. */
		| 'always'
		/** The folder remembers it from the beginning of a run on (reading.ts). */
		| 'remembered'
		/** For this run alone, as long as it has not begun. */
		| 'once'
		/** It says how something is shown, has its own place in a command to copy, or may hold a secret. */
		| 'never';
	/** The usual value, as it is typed: false of a switch, and a list of an option that may be repeated. */
	usual?: string | false | readonly [];
	/** What takes back all that is remembered of it: then its value is null. */
	back?: '-' | 'auto';
	/** Other commands refuse it. Otherwise each command on a CSV takes it, so that `plan` can replace `run` in any line. */
	isOfTheseOnly?: true;
}

const ORDERING = ['run', 'retry'];
const PRICED = ['plan', ...ORDERING];
const ASKING = [...PRICED, 'doctor'];
const EVERY = [...ASKING, 'status', 'report', 'unlock'];

export const OPTIONS = {
	max: {
		heading: 'What to order:',
		flags: '--max <N>',
		does: 'create at most N briefs in this run',
		lasts: 'once',
		read: wholeNumber(1),
	},
	keep: {
		flags: '--keep <N>',
		does: 'leave N of the month’s allowance unused',
		usual: '0',
		read: wholeNumber(0),
	},
	leaveSlots: {
		flags: '--leave-slots <N>',
		does: 'leave N (0 or 1) of the two slots to others',
		usual: '0',
		read: wholeNumber(0, 1),
	},
	expectAtMost: {
		flags: '--expect-at-most <N>',
		does: 'order nothing if more than N rows are new: a brake for schedules',
		lasts: 'once',
		read: wholeNumber(0),
	},
	only: {
		flags: '--only <ROWS>',
		does: 'only these rows, by their number, such as 3,5-9, or with --id by their own, such as @4711',
		lasts: 'once',
		of: [...PRICED, 'report'],
		usual: false,
		read: readRows,
	},
	where: {
		flags: '--where <COND>',
		does: 'only rows with "Column=value" or "Column!=value" (repeatable: all must hold)',
		lasts: 'remembered',
		usual: [],
		back: '-',
		read: readWhere,
	},
	orderChanged: {
		flags: '--order-changed [ROWS]',
		does: 'order rows again whose content changed, such as 3,5-9; without ROWS all, which is asked: each costs a brief',
		lasts: 'once',
		usual: false,
		read: readRows,
	},
	orderAgain: {
		flags: '--order-again [ROWS]',
		does: 'order rows although the workspace has a brief of the same content, which is taken over otherwise; without ROWS all, which is asked',
		lasts: 'once',
		usual: false,
		read: readRows,
	},
	adopt: {
		flags: '--adopt <ROW=BRIEF_ID>',
		does: 'this brief is the row’s: it is fetched and costs nothing; ROWS alone: changed rows keep the briefs that they have (repeatable)',
		lasts: 'once',
		of: ['run'],
		usual: [],
		isOfTheseOnly: true,
		read: readAdopt,
	},
	maxTries: {
		flags: '--max-tries <N>',
		does: 'try a row N times at most, retry included',
		usual: String(MAX_TRIES),
		lasts: 'once',
		read: wholeNumber(1),
	},
	map: {
		heading: 'How the CSV is read:',
		flags: '--map <"Header=field">',
		does: 'which field of the API a column holds, or - for one that is not read (repeatable)',
		lasts: 'remembered',
		usual: [],
		read: readMap,
	},
	set: {
		flags: '--set <field=value>',
		does: 'a value for every row that has none (repeatable)',
		lasts: 'remembered',
		usual: [],
		read: readSet,
	},
	id: {
		flags: '--id <COLUMN>',
		does: 'the column of the row’s own number (SKU): a row is known by it, whatever else was edited',
		lasts: 'remembered',
		back: '-',
		read: trimmedText,
	},
	delimiter: {
		flags: '--delimiter <CHAR>',
		does: 'comma, semicolon, tab or a character (default: detected)',
		lasts: 'remembered',
		back: 'auto',
	},
	encoding: {
		flags: '--encoding <NAME>',
		does: 'such as utf-8, utf-16le, windows-1252 (default: detected)',
		lasts: 'remembered',
		back: 'auto',
	},
	out: {
		heading: 'Where:',
		flags: '--out <DIR>',
		does: 'the folder of the journal and the results',
		usual: DEFAULT_OUT,
		of: EVERY,
		lasts: 'never',
		read: filledText,
	},
	batch: {
		flags: '--batch <NAME>',
		does: 'part of the key of each order (default: the journal’s, else the CSV’s file name)',
	},
	baseUrl: {
		flags: '--base-url <URL>',
		does: 'the service’s address with its /v1 (or the variable CREATOR_BRIEFING_BASE_URL)',
		of: ASKING,
	},
	apiKeyFile: {
		flags: '--api-key-file <FILE>',
		does: 'a file that holds the API key (or the variable CREATOR_BRIEFING_API_KEY, with the key itself)',
		of: ASKING,
	},
	envFile: {
		flags: '--env-file <FILE>',
		does: 'a file of variables, such as the profile of a client: they count before those of the environment',
		of: EVERY,
	},
	share: {
		heading: 'What to pass on:',
		flags: '--share',
		does: 'also write briefs.html for a client: the finished briefs with product and title, and nothing else; with --only those of these rows',
		of: ['report'],
		isOfTheseOnly: true,
		usual: false,
	},
	pollInterval: {
		heading: 'When to look:',
		flags: '--poll-interval <S>',
		does: 'shortest time between two looks for each running brief, in seconds: with two running, there may be two looks in it (default: 15)',
		of: ORDERING,
		read: positiveNumber('seconds', 1000),
	},
	pollIntervalMax: {
		flags: '--poll-interval-max <S>',
		does: 'longest time between two looks at a brief that may soon be done, in seconds (default: 30)',
		of: ORDERING,
		read: positiveNumber('seconds', 1000),
	},
	timeout: {
		flags: '--timeout <MIN>',
		does: 'stop waiting for a brief after this long: the next run fetches it, and it is never ordered again',
		usual: '30',
		of: ORDERING,
		read: positiveNumber('minutes', 60_000),
	},
	knownOk: {
		heading: 'Exit code and messages:',
		flags: '--known-ok',
		does: 'ignore failed, invalid, changed and parked rows that an earlier run already reported, until they change',
		of: ORDERING,
		usual: false,
	},
	name: {
		flags: '--name <TEXT>',
		does: 'who this is for, in notifications and reports (default: the name of the folder of the --env-file, else of that of the results)',
		of: [...ORDERING, 'report'],
	},
	notify: {
		flags: '--notify <URL>',
		does: 'post the end of a run that has news to a webhook of Slack, Mattermost or n8n; doctor posts a test message',
		of: [...ORDERING, 'doctor'],
		lasts: 'never',
	},
	quiet: {
		flags: '--quiet',
		does: 'only the summary and what went wrong, and nothing at all when nothing is new',
		of: [...ORDERING, 'doctor'],
		lasts: 'never',
		usual: false,
	},
	json: {
		flags: '--json',
		does: 'one JSON event a line on standard output',
		of: EVERY,
		lasts: 'never',
		usual: false,
	},
	color: { flags: '--no-color', does: 'no colours', of: EVERY, lasts: 'never', usual: false },
	yes: {
		flags: '--yes',
		does: 'answer yes to every question',
		of: ORDERING,
		lasts: 'never',
		usual: false,
	},
} as const satisfies Readonly<Record<string, Entry>>;

type OptionName = keyof typeof OPTIONS;

type RawOf<One extends Entry> = One extends { read: (raw: infer Raw, option: string) => unknown }
	? Raw
	: One extends { usual: false }
		? boolean
		: string;

/** The options as the command line and variables give them, unchecked. */
export type RawOptions = { out: string } & { [Name in OptionName]?: RawOf<(typeof OPTIONS)[Name]> };

type ValueOf<One extends Entry> =
	| (One extends { read: (raw: never, option: string) => infer Value } ? Value : RawOf<One>)
	| (One extends { usual: unknown } ? never : undefined)
	| (One extends { back: string } ? null : never);

/** What they say. */
export type OptionValues = { [Name in OptionName]: ValueOf<(typeof OPTIONS)[Name]> };

/** @throws {Stop} that names an option that cannot be read, and what it takes */
export function valuesOf(raw: RawOptions): OptionValues {
	const values = Object.entries<Entry>(OPTIONS).map(([name, { flags, usual, back, read }]) => {
		const typed = raw[name as OptionName] ?? usual;
		if (typed === undefined) return [name, undefined];
		const words = [typed].flat();
		const isBack = words.length > 0 && words.every((word) => word === back);
		if (isBack) return [name, null];
		return [name, read === undefined ? typed : read(typed as never, flags.replace(/ .*/, ''))];
	});
	return Object.fromEntries(values) as OptionValues;
}

/** Gives what was typed, as the words of a command to copy (settings.ts). */
export function typedOptions(command: Command) {
	const wordsOf = (...lasting: ReadonlyArray<Entry['lasts']>) =>
		command.options.flatMap((option) => {
			const name = option.attributeName() as OptionName;
			const isTyped = command.getOptionValueSource(name) === 'cli';
			const { lasts = 'always' }: Entry = OPTIONS[name];
			if (!isTyped || !lasting.includes(lasts)) return [];
			const value: unknown = command.getOptionValue(name);
			const flag = option.long ?? option.flags;
			if (value === true) return [flag];
			return [value].flat().flatMap((text) => [flag, String(text)]);
		});
	return {
		typed: wordsOf('always'),
		typedToBegin: wordsOf('always', 'remembered'),
		typedForOnce: wordsOf('once'),
	};
}

/** Stands under the options of every command. */
export const VARIABLES = `
Each option may come from a variable of its name: CREATOR_BRIEFING_LEAVE_SLOTS=1
is --leave-slots 1. An option without a value takes true or false; one that can
be repeated takes a line for each value. An argument counts before the file of
--env-file, and that file before the environment.

What is remembered holds for the later runs in this folder, also of another CSV.
To take it back: --set field=, --map "Header=", --where -, --id -,
--delimiter auto, --encoding auto.
`;

/** Gives a command its options, in groups. */
export function addOptions(command: Command): Command {
	let group = '';
	for (const entry of Object.values<Entry>(OPTIONS)) {
		group = entry.heading ?? group;
		const isShown = (entry.of ?? PRICED).includes(command.name());
		if (isShown || isTakenBy(command.name(), entry))
			command.addOption(optionOf(entry).helpGroup(group).hideHelp(!isShown));
	}
	return command.optionsGroup(group).helpOption('-h, --help', 'print this help');
}

/** Says whether a command takes an option. `doctor` takes all that `run` takes, so that a whole profile is checked. */
function isTakenBy(name: string, { of, isOfTheseOnly }: Entry): boolean {
	if (name === 'doctor') return isOfTheseOnly !== true || of?.includes('run') === true;
	return isOfTheseOnly !== true && PRICED.includes(name);
}

function optionOf({ flags, does, lasts, usual }: Entry): Option {
	const option = new Option(flags, lasts === 'remembered' ? `${does}; remembered` : does);
	if (typeof usual === 'string') return option.default(usual, usual);
	if (!Array.isArray(usual)) return option;
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
