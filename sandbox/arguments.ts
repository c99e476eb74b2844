import { parseArgs } from 'node:util';
import { addFaults, DEFAULT_FAULTS, FAULT_SYNTAX, Faults } from './faults';
import { defaultSwitches, type SandboxOptions, type Switches } from './options';

/** A command line that cannot be used. Its message is one line. */
export class BadArgument extends Error {}

type Kind =
	| { kind: 'number'; from: number; to?: number; whole?: boolean }
	| { kind: 'duration' }
	| { kind: 'moment' }
	| { kind: 'choice'; values: readonly (string | number)[] }
	| { kind: 'text' }
	| { kind: 'flag' };

type Option = Kind & { about: string };

/** One option for every switch: the compiler says so when one is missing. */
const switchOptions: Record<keyof Switches, Option> = {
	allowance: { kind: 'number', from: 0, whole: true, about: 'briefs per calendar month' },
	slots: { kind: 'number', from: 1, whole: true, about: 'briefs that run at a time' },
	thirdBrief: {
		kind: 'choice',
		values: ['refuse', 'queue', 'conflict'],
		about: 'a brief beyond the slots: 429, left queued, or 409',
	},
	replayStatus: { kind: 'choice', values: [200, 202], about: 'status of a replayed create' },
	replayState: {
		kind: 'choice',
		values: ['present', 'original'],
		about: 'what a replay shows of the brief',
	},
	replayOtherBody: {
		kind: 'choice',
		values: ['original', 'conflict', 'unprocessable'],
		about: 'a key with another body: the brief, 409 or 422',
	},
	keyMismatch: {
		kind: 'choice',
		values: ['refuse', 'header', 'body'],
		about: 'different keys in header and body: 400, or one counts',
	},
	keyMemoryMs: { kind: 'duration', about: 'how long an idempotency key is remembered' },
	keySaves: {
		kind: 'choice',
		values: ['accepted', 'refusals', 'everything'],
		about: 'which results are kept under a key',
	},
	usedThisMonth: {
		kind: 'choice',
		values: ['true-count', 'zero'],
		about: 'used_this_month of creator-briefs',
	},
	licence: {
		kind: 'choice',
		values: ['full', 'no-api-channel', 'missing'],
		about: 'the licence for creator-briefs',
	},
	detailsShape: {
		kind: 'choice',
		values: ['list', 'object', 'string', 'none'],
		about: 'details of a 400',
	},
	errorCodes: {
		kind: 'choice',
		values: ['specific', 'generic'],
		about: 'codes of a 429: by reason, or always rate_limited',
	},
	rateLimitHeaders: {
		kind: 'choice',
		values: ['draft-03', 'draft-10', 'none'],
		about: 'form of the RateLimit headers',
	},
	retryAfter: {
		kind: 'choice',
		values: ['seconds', 'date', 'none'],
		about: 'form of Retry-After',
	},
	requestsPerMinute: {
		kind: 'number',
		from: 0,
		whole: true,
		about: 'requests per key and sandbox minute, 0 for no limit',
	},
	timestamps: {
		kind: 'choice',
		values: ['iso', 'iso-offset', 'epoch-seconds', 'epoch-ms-string', 'rfc1123'],
		about: 'form of timestamps',
	},
	unknownStatus: { kind: 'text', about: 'a status of this name in the life of every brief' },
	unknownFields: { kind: 'flag', about: 'fields that nobody knows, in every answer' },
	inputShape: {
		kind: 'choice',
		values: ['as-submitted', 'wrapped', 'empty'],
		about: 'structure of a brief’s input',
	},
	staleCursor: {
		kind: 'choice',
		values: [400, 'first-page', 'empty'],
		about: 'what an invalid or stale cursor gives',
	},
	cursorMemoryMs: { kind: 'duration', about: 'how long a cursor is good' },
	listLagMs: { kind: 'duration', about: 'how much later a new brief is in the list' },
	failureShare: { kind: 'number', from: 0, to: 1, about: 'share of briefs that fail' },
	refreshedAt: { kind: 'choice', values: ['shown', 'null'], about: 'refreshed_at of the hooks' },
};

const generalOptions: Record<'port' | 'speed' | 'startAt' | 'seed' | 'faults', Option> = {
	port: { kind: 'number', from: 0, to: 65535, whole: true, about: '0 takes any (default 8787)' },
	speed: { kind: 'number', from: 0.001, to: 1e6, about: 'sandbox seconds per second (default 1)' },
	startAt: { kind: 'moment', about: 'sandbox time at the start (default now)' },
	seed: {
		kind: 'text',
		about: 'everything random follows from it (default: another at every start)',
	},
	faults: { kind: 'text', about: `"default", or a list of ${FAULT_SYNTAX}` },
};

const options: Record<string, Option> = { ...generalOptions, ...switchOptions };
const flagNames = new Map(Object.keys(options).map((name) => [flagName(name), name]));

/** keyMemoryMs → key-memory */
function flagName(name: string): string {
	return name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function readArguments(argv: string[]): SandboxOptions | 'help' {
	const given = parsed(argv);
	if (given['help'] === true) return 'help';
	const result: Record<string, unknown> = { port: 8787 };
	for (const [flag, text] of Object.entries(given)) {
		const name = flagNames.get(flag);
		const option = name === undefined ? undefined : options[name];
		if (name === undefined || option === undefined) continue;
		result[name] = text === true ? true : valueOf(flag, String(text), option);
	}
	const read = result as SandboxOptions;
	if (read.faults) checkFaults(read.faults);
	return read;
}

function parsed(argv: string[]): Record<string, string | boolean | undefined> {
	const shape = Object.entries(options).map(
		([name, { kind }]) =>
			[flagName(name), { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
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

function valueOf(flag: string, text: string, option: Option): unknown {
	switch (option.kind) {
		case 'number': {
			const number = text.trim() === '' ? NaN : Number(text);
			const { from, to = Infinity, whole = false } = option;
			if (!(number >= from && number <= to) || (whole && !Number.isInteger(number))) {
				const range = to === Infinity ? `from ${from} on` : `from ${from} to ${to}`;
				throw new BadArgument(
					`--${flag} takes a ${whole ? 'whole ' : ''}number ${range}, not "${text}"`,
				);
			}
			return number;
		}
		case 'duration': {
			const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
			if (!parts) throw new BadArgument(`--${flag} takes a time such as 30s or 24h, not "${text}"`);
			return Number(parts[1]) * (units[parts[2] ?? 'ms'] ?? 1);
		}
		case 'moment': {
			const moment = Date.parse(text);
			if (Number.isNaN(moment)) {
				throw new BadArgument(`--${flag} takes a time such as 2026-01-31T23:50Z, not "${text}"`);
			}
			return moment;
		}
		case 'choice': {
			const value = option.values.find((known) => String(known) === text);
			if (value === undefined) {
				throw new BadArgument(`--${flag} takes ${option.values.join(', ')}, not "${text}"`);
			}
			return value;
		}
		case 'text':
			return text;
		case 'flag':
			return true;
	}
}

const units: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

function checkFaults(text: string): void {
	try {
		addFaults(new Faults(''), text);
	} catch (error) {
		throw new BadArgument(`--faults: ${(error as Error).message}`);
	}
}

export function helpText(): string {
	const lines = Object.entries(options).map(([name, option]) => {
		const value = placeholder(option);
		return `  --${`${flagName(name)} ${value}`.trimEnd().padEnd(28)} ${option.about}${standard(name, option)}`;
	});
	return [
		'node sandbox [options]',
		'',
		'A local stand-in for the vendor’s service, on 127.0.0.1.',
		'',
		...lines,
		`  --${'help'.padEnd(28)} this text`,
		'',
		'Of several values, the one with a * is the default. TIME is in sandbox time: 500ms, 30s, 5m, 24h, 2d.',
		'',
		`The mixture "default" is ${DEFAULT_FAULTS}`,
		'A product name with "(discontinued)" in it always fails.',
	].join('\n');
}

function placeholder(option: Option): string {
	switch (option.kind) {
		case 'number':
			return 'N';
		case 'duration':
		case 'moment':
			return 'TIME';
		case 'choice':
			return 'CHOICE';
		case 'text':
			return 'TEXT';
		case 'flag':
			return '';
	}
}

function standard(name: string, option: Option): string {
	const defaults: Readonly<Record<string, string | number | boolean>> = { ...defaultSwitches };
	const value = defaults[name];
	if (option.kind === 'choice') {
		return ` (${option.values.map((known) => (known === value ? `${known}*` : known)).join(' | ')})`;
	}
	if (value === undefined || value === '' || value === false) return '';
	return ` (default ${option.kind === 'duration' ? `${Number(value) / 1000}s` : String(value)})`;
}
