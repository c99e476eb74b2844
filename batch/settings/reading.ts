import type { ByField, InputField } from '../../service/input/input';
import { commandLine } from '../command-text';
import { isSameHeader } from '../csv/columns';
import type { TableOptions } from '../csv/table';
import type { Reading } from '../folder/events';
import { Stop } from '../stop';

/** What was typed of how the list is read. An empty field or value takes one back, null all that is remembered. */
export interface TypedReading {
	map: ReadonlyArray<{ header: string; field: InputField | '-' | '' }>;
	set: ByField;
	where?: readonly string[] | null;
	id?: string | null;
	delimiter?: string | null;
	encoding?: string | null;
}

/** How the list is read in a run. */
interface ReadingOfRun {
	/** As it holds, for the runs after too. */
	reading: Reading;
	/** What of it was typed for an earlier run, and not for this one. */
	remembered: Reading;
}

/**
 * Gives what holds: what was typed, and what the folder remembers of the rest.
 * @throws {Stop} if --map or --set takes back what is not remembered: a script's variable may be empty
 */
export function readingOfRun(typed: TypedReading, before: Reading = {}): ReadingOfRun {
	const { map = [], set = {} } = before;
	refuseNothingToTakeBack(typed, map, set);
	const isTypedAgain = (one: TypedReading['map'][number]) =>
		typed.map.some(
			({ header, field }) =>
				(field !== '-' && field === one.field) || isSameHeader(header, one.header),
		);
	const remembered = {
		map: map.filter((one) => !isTypedAgain(one)),
		set: withFields(set, (field) => typed.set[field] === undefined),
		where: typed.where === undefined ? before.where : undefined,
		id: typed.id === undefined ? before.id : undefined,
		delimiter: typed.delimiter === undefined ? before.delimiter : undefined,
		encoding: typed.encoding === undefined ? before.encoding : undefined,
	};
	const typedMap = typed.map.flatMap(({ header, field }) =>
		field === '' ? [] : { header, field },
	);
	const reading = {
		map: [...remembered.map, ...typedMap],
		set: { ...remembered.set, ...withFields(typed.set, (_, value) => value !== '') },
		where: typed.where ?? remembered.where,
		id: typed.id ?? remembered.id,
		delimiter: typed.delimiter ?? remembered.delimiter,
		encoding: typed.encoding ?? remembered.encoding,
	};
	return { reading, remembered };
}

function withFields(set: ByField, isIn: (field: InputField, value: string) => boolean): ByField {
	const entries = Object.entries(set) as Array<[InputField, string]>;
	return Object.fromEntries(entries.filter(([field, value]) => isIn(field, value)));
}

function refuseNothingToTakeBack(
	typed: TypedReading,
	map: NonNullable<Reading['map']>,
	set: ByField,
): void {
	const lostMaps = typed.map.filter(
		({ header, field }) => field === '' && !map.some((one) => isSameHeader(one.header, header)),
	);
	const lostSets = Object.keys(
		withFields(typed.set, (field, value) => value === '' && !(field in set)),
	);
	const [first] = [
		...lostMaps.map(({ header }) => `--map "${header}="`),
		...lostSets.map((field) => `--set ${field}=`),
	];
	if (first === undefined) return;
	throw new Stop(
		`${first} ${NOTHING}`,
		'Give it a value, or leave the option out. In a script, look whether the variable that it takes is set.',
	);
}

const NOTHING = 'takes nothing back: nothing is remembered for it.';

/** Says what is remembered, and what was to be taken back and is not remembered. */
export function rememberedTexts(typed: TypedReading, before: Reading = {}): string[] {
	const words = wordsOf(readingOfRun(typed, before).remembered);
	const inVain = (['where', 'id', 'delimiter', 'encoding'] as const).filter(
		(name) => typed[name] === null && before[name] === undefined,
	);
	return [
		...(words.length === 0 ? [] : [`Remembered from an earlier run: ${commandLine(...words)}`]),
		...inVain.map((name) => `--${name} ${TAKEN_BACK[name]} ${NOTHING}`),
	];
}

/** The words that take back all that is remembered of an option. */
export const TAKEN_BACK = { where: '-', id: '-', delimiter: 'auto', encoding: 'auto' } as const;

/** Gives how a list is read as the words of a command. */
function wordsOf({ map = [], set = {}, where = [], id, delimiter, encoding }: Reading): string[] {
	const one = (option: string, value: string | undefined) =>
		value === undefined ? [] : [option, value];
	return [
		...map.flatMap(({ header, field }) => ['--map', `${header}=${field}`]),
		...Object.entries(set).flatMap(([field, value]) => ['--set', `${field}=${value}`]),
		...where.flatMap((condition) => ['--where', condition]),
		...one('--id', id),
		...one('--delimiter', delimiter),
		...one('--encoding', encoding),
	];
}

/** Gives how a CSV is opened again, with what is remembered alone. */
export function rememberedOptions(reading: Reading = {}): TableOptions {
	return tableOptions({ reading, remembered: reading });
}

/** Gives how the CSV is opened. It may lack a column that is remembered. */
export function tableOptions({ reading, remembered }: ReadingOfRun): TableOptions {
	const { map = [], set = {}, delimiter, encoding } = reading;
	const mayBeMissing = (one: (typeof map)[number]) => remembered.map?.includes(one) === true;
	return {
		map: map.map((one) => ({ ...one, mayBeMissing: mayBeMissing(one) })),
		set,
		delimiter,
		encoding,
	};
}

/** Gives a refusal of a CSV that may be one because of what is remembered, with the way to take that back. */
export function orRemembered(error: unknown, { remembered }: ReadingOfRun): unknown {
	const names = (['delimiter', 'encoding'] as const).filter(
		(name) => remembered[name] !== undefined,
	);
	if (!(error instanceof Stop) || names.length === 0) return error;
	const [words, back] = [
		names.flatMap((name) => [`--${name}`, remembered[name] ?? '']),
		names.flatMap((name) => [`--${name}`, TAKEN_BACK[name]]),
	];
	return new Stop(
		error.what,
		`${error.cure} Or this CSV is not to be read with ${commandLine(...words)}, as an earlier run was: then add ${commandLine(...back)}.`,
		error.reason,
	);
}
