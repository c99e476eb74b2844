import { dirname, isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Command, Option } from 'commander';
import { Stop } from '../stop';
import { readText } from './text-file';

const PREFIX = 'CREATOR_BRIEFING_';
const API_KEY = `${PREFIX}API_KEY`;
const API_KEY_FILE = `${PREFIX}API_KEY_FILE`;
const ENV_FILE = `${PREFIX}ENV_FILE`;
const NAMED = /^CREATOR_BRIEFING_/i;

/** Names the environment variable of an option: CREATOR_BRIEFING_LEAVE_SLOTS for --leave-slots. */
function variableOf({ long }: Option): string {
	return `${PREFIX}${(long ?? '').slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Gives a command the options that come from variables: of the environment, or of the file that --env-file names. An
 * argument counts before the file, and the file before the environment, which may still be another client's. The
 * variables of the file are put into `env`, its paths as seen from its folder. Commander's own `env()` would take
 * `false` for true, and an empty variable for a value.
 */
export function takeVariables(command: Command, env: NodeJS.ProcessEnv): void {
	const names = allVariables(command);
	refuseUnknown('environment', env, names);
	const file = command.opts<{ envFile?: string }>().envFile ?? (env[ENV_FILE] || undefined);
	if (file !== undefined) {
		const set = readProfile(file);
		refuseUnknown(`file ${file}`, set, names);
		for (const option of command.options) placeBeside(file, set, option);
		// The two are one setting: the key of the environment is not that of the file's client.
		if (API_KEY in set) Reflect.deleteProperty(env, API_KEY_FILE);
		if (API_KEY_FILE in set) Reflect.deleteProperty(env, API_KEY);
		Object.assign(env, set);
	}
	completeProxies(env);
	for (const option of command.options) {
		const name = option.attributeName();
		// Schedulers pass on as empty what they were not given.
		const text = env[variableOf(option)] ?? '';
		if (text === '' || command.getOptionValueSource(name) === 'cli') continue;
		command.setOptionValueWithSource(name, valueOf(option, text), 'env');
	}
}

/** An empty line, a comment or NAME=value. A # with a blank on either side begins a comment. */
const LINE = /^\s*(#.*|(export\s+)?[\w.-]+\s*=[^#]*(\s#+(\s.*)?)?)?$/;
/** A value in quotation marks, which may have several lines, and what follows it. */
const QUOTED = /=[ \t]*(["'`])[^]*?\1[^\n]*/g;

/**
 * Reads the variables of a client's profile, the file of --env-file, as Node.js does.
 * @throws {Stop} if a line would be lost, or a value cut off. No message shows a line: the API key may be in it.
 */
export function readProfile(file: string): NodeJS.Dict<string> {
	const text = readText(file, `The file ${file} of --env-file`, '--env-file');
	const plain = text.replace(QUOTED, (value) => `=${value.replace(/[^\n]/g, '')}`);
	const lineNumber = plain.split('\n').findIndex((line) => !LINE.test(line.trimEnd())) + 1;
	if (lineNumber === 0) return parseEnv(text);
	throw new Stop(
		`Line ${lineNumber} of the file ${file} cannot be read, or only as far as the #.`,
		'Write each variable on its own line, as NAME=value, a value with a # in quotation marks, and begin a comment with #.',
	);
}

/** A proxy without a scheme speaks http, as curl takes it. axios would take it for one that speaks https. */
function completeProxies(env: NodeJS.ProcessEnv): void {
	for (const [name, proxy = ''] of Object.entries(env)) {
		const isProxy = /^(https|all)_proxy$/i.test(name) && proxy !== '';
		if (isProxy && !proxy.includes('://')) env[name] = `http://${proxy}`;
	}
}

/** Makes the path that a file sets for an option one that counts from the file's folder. */
function placeBeside(file: string, set: NodeJS.Dict<string>, option: Option): void {
	const name = variableOf(option);
	const path = set[name] ?? '';
	if (!/<(DIR|FILE)>/.test(option.flags) || path === '' || isAbsolute(path)) return;
	set[name] = join(dirname(file), path);
}

function allVariables(command: Command): Set<string> {
	const options = command.parent?.commands.flatMap((each) => each.options) ?? command.options;
	return new Set([API_KEY, ...options.map(variableOf)]);
}

/**
 * Refuses a misspelt name, which would lose its setting silently: a limit, or a text for every row.
 * @throws {Stop} that names it
 */
function refuseUnknown(
	source: string,
	variables: NodeJS.Dict<string>,
	names: ReadonlySet<string>,
): void {
	const name = Object.keys(variables).find((each) => NAMED.test(each) && !names.has(each));
	if (name === undefined) return;
	throw new Stop(
		`The ${source} sets ${name}, which brief-batch does not know.`,
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
	throw new Stop(
		`${variableOf(option)} is “${text}”.`,
		`It sets ${option.long ?? ''} and takes true or false (1 or 0).`,
	);
}
