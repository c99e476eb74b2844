import type { Clock } from './clock';
import { parseFaults } from './faults';
import type { Seed } from './random';

/** An option of the sandbox, with its text in --help and the parser of its value. */
export interface Option<T> {
	meaning: string;
	/** The accepted values, for --help and for the error about another value. */
	values: string;
	default?: T;
	/** Returns undefined for a text that is not a value of this option. Can throw an Error with the reason. */
	parse(text: string): T | undefined;
}

interface Range {
	min?: number;
	max?: number;
	isWhole?: boolean;
}

function makeNumberOption(
	meaning: string,
	defaultValue: number,
	{ min = 0, max = Infinity, isWhole = true }: Range = {},
): Option<number> {
	const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
	return {
		meaning,
		values: `a ${isWhole ? 'whole ' : ''}number ${range}`,
		default: defaultValue,
		parse: (text) => {
			const value = text.trim() === '' ? NaN : Number(text);
			const isInRange = value >= min && value <= max;
			return isInRange && (!isWhole || Number.isInteger(value)) ? value : undefined;
		},
	};
}

/** The first value is the default. */
function makeChoiceOption<const V extends readonly [string | number, ...(string | number)[]]>(
	meaning: string,
	values: V,
): Option<V[number]> {
	return {
		meaning,
		values: values.join(', '),
		default: values[0],
		parse: (text) => values.find((value) => String(value) === text),
	};
}

/** The limits of the service, and its behavior where docs/api.md leaves it open. They can change while the sandbox runs. */
export const serviceOptions = {
	allowance: makeNumberOption('briefs in a calendar month', 100),
	slots: makeNumberOption('briefs that run at a time', 2, { min: 1 }),
	/** A number is the status of a refusal that does not name its reason. */
	thirdBrief: makeChoiceOption(
		'a brief beyond the slots: 429, queued, or refused with this status',
		['refuse', 'queue', 400, 403, 409],
	),
	keyMemoryMs: makeNumberOption('how long an idempotency key is remembered', 24 * 3_600_000),
	usedThisMonth: makeChoiceOption('used_this_month of the licence for briefs', [
		'true-count',
		'zero',
	]),
	inputShape: makeChoiceOption('the input that a brief shows', ['as-submitted', 'empty']),
	listLagMs: makeNumberOption('how long the list does not show a new brief', 0),
	listDisorderMs: makeNumberOption('how far briefs can be out of sequence in the list', 0),
	failureShare: makeNumberOption('share of briefs that fail', 0.02, { max: 1, isWhole: false }),
	requestsPerMinute: makeNumberOption('requests of a key in a minute, 0 for no limit', 600),
};

const startAt: Option<number> = {
	meaning: 'sandbox time at the start (default: now)',
	values: 'a time such as 2026-01-31T23:50Z',
	parse: (text) => (Number.isNaN(Date.parse(text)) ? undefined : Date.parse(text)),
};

const seed: Option<Seed> = {
	meaning: 'source of all IDs, durations, failures and texts (default: another at every start)',
	values: 'a text',
	parse: (text) => text,
};

const faults: Option<string> = {
	meaning: 'faults to strike requests with, see below',
	values: 'a list of faults',
	parse: (text) => {
		parseFaults(text);
		return text;
	},
};

/** Options that cannot change after the start. */
const startOptions = {
	/** The default of the command; `startSandbox` takes any free port. */
	port: makeNumberOption('0 for any free port', 8787, { max: 65_535 }),
	speed: makeNumberOption('sandbox seconds per second', 1, { min: 0.001, isWhole: false }),
	startAt,
	seed,
	faults,
};

export const allOptions = { ...startOptions, ...serviceOptions };

type Values<Table> = {
	-readonly [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

export type ServiceOptions = Values<typeof serviceOptions>;

export interface SandboxOptions extends Partial<Values<typeof allOptions>> {
	/** A clock that the clients share, in place of `speed`. */
	clock?: Clock;
}

export function fillServiceOptions(given: SandboxOptions): ServiceOptions {
	const names = Object.keys(serviceOptions) as Array<keyof ServiceOptions>;
	const values = names.map((name) => [name, given[name] ?? serviceOptions[name].default]);
	// Every value is an option's default or given for that option, so it has the option's type.
	return Object.fromEntries(values) as ServiceOptions;
}
