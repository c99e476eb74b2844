import { parseArgs } from 'node:util';
import { DEFAULT_FAULTS } from './faults';
import type { Option } from './option';
import { startOptions, switchOptions, type SandboxOptions } from './switches';

/** A command line that cannot be used. Its message is one line. */
export class BadArgument extends Error {}

const options: Readonly<Record<string, Option<unknown>>> = { ...startOptions, ...switchOptions };
const nameOfFlag = new Map(Object.keys(options).map((name) => [flagOf(name), name]));

/** keyMemoryMs → key-memory */
function flagOf(name: string): string {
	return name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function readArguments(argv: string[]): SandboxOptions | 'help' {
	const flags = parse(argv);
	if (flags['help'] === true) return 'help';
	const result: Record<string, unknown> = { port: startOptions.port.default };
	for (const [flag, value] of Object.entries(flags)) {
		const name = nameOfFlag.get(flag);
		const option = name === undefined ? undefined : options[name];
		if (name === undefined || option === undefined) continue;
		result[name] = valueOf(flag, String(value), option);
	}
	return result;
}

function parse(argv: string[]): Record<string, string | boolean | undefined> {
	const shape = Object.entries(options).map(
		([name, { placeholder }]) =>
			[flagOf(name), { type: placeholder === '' ? 'boolean' : 'string' }] as const,
	);
	try {
		const { values } = parseArgs({
			args: argv,
			options: { ...Object.fromEntries(shape), help: { type: 'boolean', short: 'h' } },
		});
		return values;
	} catch (error) {
		const [sentence = ''] = (error as Error).message.split(/\n|\. /);
		throw new BadArgument(sentence);
	}
}

function valueOf(flag: string, text: string, option: Option<unknown>): unknown {
	let value: unknown;
	try {
		value = option.read(text);
	} catch (error) {
		throw new BadArgument(`--${flag}: ${(error as Error).message}`);
	}
	if (value === undefined) throw new BadArgument(`--${flag} takes ${option.takes}, not "${text}"`);
	return value;
}

export function helpText(): string {
	const lines = Object.entries(options).map(([name, { about, placeholder, note }]) =>
		helpLine(`${flagOf(name)} ${placeholder}`, about + note),
	);
	return [
		'node sandbox [options]',
		'',
		'A local stand-in for the vendor’s service, on 127.0.0.1.',
		'',
		...lines,
		helpLine('help', 'this text'),
		'',
		'Of several values, the one with a * is the default. TIME is in sandbox time: 500ms, 30s, 5m, 24h, 2d.',
		'',
		`The mixture "default" is ${DEFAULT_FAULTS}`,
		'A product name with "(discontinued)" in it always fails.',
	].join('\n');
}

function helpLine(usage: string, text: string): string {
	return `  --${usage.padEnd(28)} ${text}`;
}
