/** An option of the sandbox: how its value is written on the command line, and what --help says about it. */
export interface Option<T> {
	/** What it is about, in a few words. */
	about: string;
	default?: T;
	/** The value's name in the help; '' for an option without a value. */
	placeholder: string;
	/** The accepted values, for the message about one that is not. */
	takes: string;
	/** The default or the choices, as the help shows them after `about`. */
	note: string;
	/** undefined for a text that is not a value of this option. May throw an Error that says why. */
	read(text: string): T | undefined;
}

/** The type of an option's value. */
export type ValueOf<O> = O extends Option<infer T> ? T : never;

interface Range {
	from: number;
	to?: number;
	whole?: boolean;
}

export function number(
	about: string,
	{ from, to = Infinity, whole = false }: Range,
	standard?: number,
): Option<number> {
	const range = to === Infinity ? `from ${from} on` : `from ${from} to ${to}`;
	return {
		about,
		default: standard,
		placeholder: 'N',
		takes: `a ${whole ? 'whole ' : ''}number ${range}`,
		note: standard === undefined ? '' : ` (default ${standard})`,
		read: (text) => {
			const value = text.trim() === '' ? NaN : Number(text);
			return value >= from && value <= to && (!whole || Number.isInteger(value))
				? value
				: undefined;
		},
	};
}

const unitMs: Readonly<Record<string, number>> = {
	ms: 1,
	s: 1000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

/** A length of sandbox time, in ms. */
export function timeLength(about: string, standard: number): Option<number> {
	return {
		about,
		default: standard,
		placeholder: 'TIME',
		takes: 'a time such as 30s or 24h',
		note: ` (default ${standard / 1000}s)`,
		read: (text) => {
			const [, amount, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
			return amount === undefined ? undefined : Number(amount) * (unitMs[unit] ?? 1);
		},
	};
}

/** A point in time, in ms. */
export function moment(about: string): Option<number> {
	return {
		about,
		placeholder: 'TIME',
		takes: 'a time such as 2026-01-31T23:50Z',
		note: '',
		read: (text) => {
			const value = Date.parse(text);
			return Number.isNaN(value) ? undefined : value;
		},
	};
}

/** One of several values. The first is the default. */
export function choice<const V extends readonly [string | number, ...(string | number)[]]>(
	about: string,
	values: V,
): Option<V[number]> {
	const [standard] = values;
	const choices = values.map((value) => (value === standard ? `${value}*` : value));
	return {
		about,
		default: standard,
		placeholder: 'CHOICE',
		takes: values.join(', '),
		note: ` (${choices.join(' | ')})`,
		read: (text) => values.find((value) => String(value) === text),
	};
}

/** Any text that `check` accepts. */
export function text(
	about: string,
	{ standard, check }: { standard?: string; check?: (text: string) => void } = {},
): Option<string> {
	return {
		about,
		default: standard,
		placeholder: 'TEXT',
		takes: 'a text',
		note: standard ? ` (default ${standard})` : '',
		read: (value) => {
			check?.(value);
			return value;
		},
	};
}

/** On if it is given. */
export function flag(about: string): Option<boolean> {
	return { about, default: false, placeholder: '', takes: '', note: '', read: () => true };
}
