import type { Command, Option } from 'commander';
import { Failure } from '../../failure';
import { readEnvFile, refuseUnknown } from './env-file';

const PREFIX = 'CREATOR_BRIEFING_';
const API_KEY = `${PREFIX}API_KEY`;
const API_KEY_FILE = `${PREFIX}API_KEY_FILE`;
const ENV_FILE = `${PREFIX}ENV_FILE`;

/** The environment variable of an option: CREATOR_BRIEFING_LEAVE_SLOTS for --leave-slots. */
export function variableOf({ long }: Pick<Option, 'long'>): string {
	return `${PREFIX}${(long ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** Where a variable comes from, as words to follow its name: "in acme.env". */
type WhereIs = (variable: string) => string;

/** Where the settings of a command come from. */
export interface Sources {
	/** "--out", "CREATOR_BRIEFING_OUT in acme.env" */
	ofOption(long: string): string;
	ofApiKey(): string;
	/** Adds to a failure where the options come from that it names. */
	addedTo(failure: Failure): Failure;
}

/**
 * Gives a command the options that are not arguments of it but variables, of the environment or of the file that
 * --env-file names. An argument counts before the file, and the file before the environment: whoever names a file means
 * that client, whatever the environment was left with. The variables of the file are put into `env`.
 */
export function takeVariables(command: Command, env: NodeJS.ProcessEnv): Sources {
	const file = command.opts<{ envFile?: string }>().envFile ?? nonEmpty(env[ENV_FILE]);
	const known = allVariables(command);
	const ours = Object.entries(env).filter(([name]) => name.toUpperCase().startsWith(PREFIX));
	refuseUnknown('environment', Object.fromEntries(ours), known);
	const set = file === undefined ? {} : readEnvFile(file, known);
	// The two are one setting: the key of the environment is not that of the file's client.
	if (API_KEY in set) Reflect.deleteProperty(env, API_KEY_FILE);
	if (API_KEY_FILE in set) Reflect.deleteProperty(env, API_KEY);
	Object.assign(env, set);
	const whereIs: WhereIs = (variable) =>
		file !== undefined && variable in set ? `in ${file}` : 'in the environment';

	const taken = command.options.filter((option) => {
		const text = nonEmpty(env[variableOf(option)]);
		const isGiven = command.getOptionValueSource(option.attributeName()) === 'cli';
		if (isGiven || text === undefined) return false;
		const value = valueOf(option, text, whereIs);
		command.setOptionValueWithSource(option.attributeName(), value, 'env');
		return true;
	});
	if (
		nonEmpty(env[API_KEY]) !== undefined &&
		taken.some((one) => variableOf(one) === API_KEY_FILE)
	) {
		throw new Failure(
			`Both ${API_KEY} (${whereIs(API_KEY)}) and ${API_KEY_FILE} (${whereIs(API_KEY_FILE)}) are set.`,
			'Leave one of them out.',
		);
	}
	const ofOption = (long: string) => {
		const option = taken.find((one) => one.long === long);
		return option === undefined ? long : `${variableOf(option)} ${whereIs(variableOf(option))}`;
	};
	const keyFile = command.opts<{ apiKeyFile?: string }>().apiKeyFile;
	return {
		ofOption,
		ofApiKey: () =>
			keyFile === undefined ? `${API_KEY} ${whereIs(API_KEY)}` : ofOption('--api-key-file'),
		addedTo: (failure) => {
			const named = taken.flatMap(({ long = '' }) =>
				isNamed(long, failure.message) ? [long] : [],
			);
			const sources = named.map((long) => ` ${long} comes from ${ofOption(long)}.`);
			if (isNamed(API_KEY, failure.what)) sources.push(` ${API_KEY} is set ${whereIs(API_KEY)}.`);
			return new Failure(failure.what, `${failure.cure}${sources.join('')}`, failure.exitCode);
		},
	};
}

/** An empty variable counts as one that is not set: schedulers pass on what they were not given as empty. */
function nonEmpty(text: string | undefined): string | undefined {
	return text === '' ? undefined : text;
}

function allVariables(command: Command): Set<string> {
	const options = command.parent?.commands.flatMap((each) => each.options) ?? command.options;
	return new Set([API_KEY, ...options.map(variableOf)]);
}

function valueOf(option: Option, text: string, whereIs: WhereIs): unknown {
	if (option.isBoolean() || option.negate) return isOn(option, text, whereIs) !== option.negate;
	const { parseArg } = option;
	if (parseArg === undefined) return text;
	// One that may be repeated has one value in each line.
	const lines = text.split(/\r?\n/).map((line) => line.trim());
	return lines
		.filter((line) => line !== '')
		.reduce<unknown>((before, line) => parseArg(line, before), option.defaultValue);
}

function isOn(option: Option, text: string, whereIs: WhereIs): boolean {
	const value = text.trim().toLowerCase();
	if (value === 'true' || value === '1') return true;
	if (value === 'false' || value === '0') return false;
	const variable = variableOf(option);
	throw new Failure(
		`${variable} (${whereIs(variable)}) is “${text}”.`,
		`It stands for ${option.long ?? ''} and takes true or false (1 or 0).`,
	);
}

function isNamed(name: string, text: string): boolean {
	return text.split(/[^\w-]+/).includes(name);
}
