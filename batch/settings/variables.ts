import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Command, Option } from 'commander';
import { Failure } from '../failure';

const PREFIX = 'CREATOR_BRIEFING_';
const API_KEY = `${PREFIX}API_KEY`;
const API_KEY_FILE = `${PREFIX}API_KEY_FILE`;
const ENV_FILE = `${PREFIX}ENV_FILE`;
const NAMED = /CREATOR_BRIEFING_\w*/i;

/** The environment variable of an option: CREATOR_BRIEFING_LEAVE_SLOTS for --leave-slots. */
function variableOf({ long }: Option): string {
	return `${PREFIX}${(long ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Gives a command the options that come from variables: of the environment, or of the file that --env-file names. An
 * argument counts before the file, and the file before the environment, which may still be another client's. The
 * variables of the file are put into `env`. Commander's own `env()` would take `false` for true, and an empty variable
 * for a value.
 * @returns the options that come from variables
 */
export function takeVariables(command: Command, env: NodeJS.ProcessEnv): Option[] {
	const known = allVariables(command);
	refuseUnknown('environment', env, known);
	const file = command.opts<{ envFile?: string }>().envFile ?? (env[ENV_FILE] || undefined);
	if (file !== undefined) {
		const set = readEnvFile(file);
		refuseUnknown(`file ${file}`, set, known);
		// The two are one setting: the key of the environment is not that of the file's client.
		if (API_KEY in set) Reflect.deleteProperty(env, API_KEY_FILE);
		if (API_KEY_FILE in set) Reflect.deleteProperty(env, API_KEY);
		Object.assign(env, set);
	}
	return command.options.filter((option) => {
		const name = option.attributeName();
		// Schedulers pass on as empty what they were not given.
		const text = env[variableOf(option)] ?? '';
		if (text === '' || command.getOptionValueSource(name) === 'cli') return false;
		command.setOptionValueWithSource(name, valueOf(option, text), 'env');
		return true;
	});
}

/** Adds to a failure which variables its options come from: they were not typed. */
export function withVariables(failure: Failure, taken: readonly Option[]): Failure {
	const words = new Set(failure.message.split(/[^\w-]+/));
	const sources = taken
		.filter(({ long }) => words.has(long ?? ''))
		.map((option) => ` ${option.long ?? ''} comes from ${variableOf(option)}.`);
	return new Failure(failure.what, `${failure.cure}${sources.join('')}`, failure.exitCode);
}

function allVariables(command: Command): Set<string> {
	const options = command.parent?.commands.flatMap((each) => each.options) ?? command.options;
	return new Set([API_KEY, ...options.map(variableOf)]);
}

/**
 * The variables that a file sets, as Node.js reads it.
 * @throws {Failure} if a value would be cut off. No message shows a value: the API key may be among them.
 */
function readEnvFile(file: string): NodeJS.Dict<string> {
	let text: string;
	try {
		text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? '';
		throw new Failure(
			`The file ${file} of --env-file cannot be read (${code}).`,
			'Check its path, and that the user who runs this may read it.',
		);
	}
	const cut = text.split('\n').findIndex(endsAtHash);
	if (cut !== -1) {
		throw new Failure(
			`Line ${cut + 1} of the file ${file} is read only as far as the #.`,
			'Put the whole value in quotation marks. A comment after a value is written “ # …”, with blanks around the #.',
		);
	}
	return parseEnv(text);
}

/** Whether Node.js would drop the rest of an unquoted value: a key would be refused, and half of a text be ordered. */
function endsAtHash(line: string): boolean {
	const [, value = ''] =
		/^\s*(?:export\s+)?CREATOR_BRIEFING_\w+\s*=(?!\s*["'`])(.*)$/.exec(line) ?? [];
	return value.includes('#') && !/^([^#]*\s)?#+(\s|$)/.test(value);
}

/**
 * A misspelt name would lose its setting silently: a limit, or a text for every row.
 * @throws {Failure} that names it
 */
function refuseUnknown(
	source: string,
	variables: NodeJS.Dict<string>,
	known: ReadonlySet<string>,
): void {
	const name = Object.keys(variables).find((each) => NAMED.test(each) && !known.has(each));
	if (name === undefined) return;
	// A line without “=” becomes a part of the next name, so that only this much is sure to be no key.
	const [shown] = NAMED.exec(name) ?? [''];
	throw known.has(shown)
		? new Failure(
				`The ${source} does not set ${shown} as NAME=value.`,
				'Write each variable on its own line, as NAME=value, and begin a comment with #.',
			)
		: new Failure(
				`The ${source} sets ${shown}, which brief-batch does not know.`,
				`The variables are ${API_KEY}, and one for each option that brief-batch run --help lists, such as ${PREFIX}LEAVE_SLOTS for --leave-slots.`,
			);
}

function valueOf(option: Option, text: string): unknown {
	const isSwitch = option.optional && /^\s*(true|false|[01])\s*$/i.test(text);
	if (isSwitch || option.isBoolean() || option.negate) return isOn(option, text) !== option.negate;
	const { parseArg } = option;
	if (parseArg === undefined) return text;
	// One that may be repeated has one value in each line.
	const lines = text.split('\n').map((line) => line.trim());
	return lines
		.filter((line) => line !== '')
		.reduce<unknown>((before, line) => parseArg(line, before), option.defaultValue);
}

function isOn(option: Option, text: string): boolean {
	const value = text.trim().toLowerCase();
	if (['true', '1'].includes(value)) return true;
	if (['false', '0'].includes(value)) return false;
	throw new Failure(
		`${variableOf(option)} is “${text}”.`,
		`It sets ${option.long ?? ''} and takes true or false (1 or 0).`,
	);
}
