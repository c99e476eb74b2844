import { parseArgs } from 'node:util';
import { DEFAULT_FAULTS, FAULT_KINDS, FAULT_SYNTAX } from './faults';
import { allOptions, type Option, type SandboxOptions } from './options';

/** An error in the arguments. Its message is one line. */
export class ArgumentError extends Error {}

const options = Object.entries<Option<string | number>>(allOptions).map(([name, option]) => ({
	name,
	flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
	option,
}));

export function parseArguments(args: string[]): SandboxOptions | 'help' {
	const texts = splitArguments(args);
	if (texts['help'] === true) return 'help';
	const given: Record<string, unknown> = { port: allOptions.port.default };
	for (const { name, flag, option } of options) {
		const text = texts[flag];
		if (typeof text === 'string') given[name] = parseValue(flag, text, option);
	}
	return given;
}

function splitArguments(args: string[]): Record<string, string | boolean | undefined> {
	const flags = options.map(({ flag }) => [flag, { type: 'string' }] as const);
	try {
		return parseArgs({
			args,
			options: { ...Object.fromEntries(flags), help: { type: 'boolean', short: 'h' } },
		}).values;
	} catch (error) {
		const [sentence = ''] = (error as Error).message.split(/\n|\. /);
		throw new ArgumentError(sentence);
	}
}

function parseValue(flag: string, text: string, option: Option<string | number>) {
	let value: string | number | undefined;
	try {
		value = option.parse(text);
	} catch (error) {
		throw new ArgumentError(`--${flag}: ${(error as Error).message}`);
	}
	if (value === undefined) {
		throw new ArgumentError(`--${flag} takes ${option.values}, not "${text}"`);
	}
	return value;
}

export function formatHelp(): string {
	const lines = options.flatMap(({ flag, option }) => [
		`  --${flag}`,
		`      ${option.meaning}: ${option.values}${option.default === undefined ? '' : ` (default ${String(option.default)})`}`,
	]);
	return [
		'node sandbox [options]',
		'',
		'A local stand-in for the vendor’s service, on 127.0.0.1.',
		'',
		...lines,
		'  --help',
		'      print this text',
		'',
		`A fault is ${FAULT_SYNTAX}. Kinds: ${FAULT_KINDS.join(', ')}.`,
		`The list "default" is ${DEFAULT_FAULTS}`,
		'A product name that contains "(discontinued)" always fails.',
	].join('\n');
}
