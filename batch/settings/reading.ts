import type { ByField, InputField } from '../../service/input/input';
import { commandLine } from '../command-text';
import { isSameHeader } from '../csv/columns';
import type { TableOptions } from '../csv/table';
import type { Reading } from '../folder/events';
import { Stop } from '../stop';
import { OPTIONS } from './options';
import type { Settings } from './settings';

/** The options of which what is typed replaces all that is remembered, or takes it back. */
const WHOLE = ['where', 'id', 'delimiter', 'encoding'] as const;
type Whole = (typeof WHOLE)[number];

/**
 * Gives how the list is read: what was typed, and what the folder remembers of the rest, which is `remembered`.
 * @throws {Stop} if --map or --set takes back what is not remembered: a script's variable may be empty
 */
export function readingOfRun(typed: Settings, before: Reading = {}) {
	const { map = [], set = {} } = before;
	refuseNothingToTakeBack(typed, map, set);
	const isTypedAgain = (one: (typeof map)[number]) =>
		typed.map.some(
			({ header, field }) =>
				(field !== '-' && field === one.field) || isSameHeader(header, one.header),
		);
	const remembered = {
		map: map.filter((one) => !isTypedAgain(one)),
		set: withFields(set, (field) => typed.set[field] === undefined),
		...eachWhole((name) => (typed[name] === undefined ? before[name] : undefined)),
	};
	const typedMap = typed.map.flatMap(({ header, field }) =>
		field === '' ? [] : { header, field },
	);
	const reading = {
		map: [...remembered.map, ...typedMap],
		set: { ...remembered.set, ...withFields(typed.set, (_, value) => value !== '') },
		...eachWhole((name) => typed[name] ?? remembered[name]),
	};
	return { reading, remembered };
}

function eachWhole(valueOf: (name: Whole) => Reading[Whole]): Pick<Reading, Whole> {
	return Object.fromEntries(WHOLE.map((name) => [name, valueOf(name)]));
}

function withFields(set: ByField, isIn: (field: InputField, value: string) => boolean): ByField {
	const entries = Object.entries(set) as Array<[InputField, string]>;
	return Object.fromEntries(entries.filter(([field, value]) => isIn(field, value)));
}

function refuseNothingToTakeBack(
	typed: Settings,
	map: NonNullable<Reading['map']>,
	set: ByField,
): void {
	const lostSet = withFields(typed.set, (field, value) => value === '' && !(field in set));
	const lostMap = typed.map.filter(
		({ header, field }) => field === '' && !map.some((one) => isSameHeader(one.header, header)),
	);
	const [first] = [
		...lostMap.map(({ header }) => `--map "${header}="`),
		...Object.keys(lostSet).map((field) => `--set ${field}=`),
	];
	if (first === undefined) return;
	throw new Stop(
		`${first} ${NOTHING}`,
		'Give it a value, or leave the option out. In a script, look whether the variable that it takes is set.',
	);
}

const NOTHING = 'takes nothing back: nothing is remembered for it.';

/** Says what is remembered, and what was to be taken back and is not remembered. */
export function rememberedTexts(typed: Settings, before: Reading = {}): string[] {
	const words = wordsOf(readingOfRun(typed, before).remembered);
	const inVain = WHOLE.filter((name) => typed[name] === null && before[name] === undefined);
	return [
		...(words.length === 0 ? [] : [`Remembered from an earlier run: ${commandLine(...words)}`]),
		...inVain.map((name) => `--${name} ${OPTIONS[name].back} ${NOTHING}`),
	];
}

/** Gives how a list is read as the words of a command. */
function wordsOf(reading: Reading): string[] {
	const { map = [], set = {} } = reading;
	return [
		...map.flatMap(({ header, field }) => ['--map', `${header}=${field}`]),
		...Object.entries(set).flatMap(([field, value]) => ['--set', `${field}=${value}`]),
		...WHOLE.flatMap((name) =>
			[reading[name] ?? []].flat().flatMap((value) => [`--${name}`, value]),
		),
	];
}

/** Gives how the CSV is opened. It may lack a column that is remembered; all is, if nothing was typed. */
export function tableOptions({
	reading,
	remembered = reading,
}: {
	reading: Reading;
	remembered?: Reading;
}): TableOptions {
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
export function orRemembered(error: unknown, remembered: Reading): unknown {
	const names = (['delimiter', 'encoding'] as const).filter(
		(name) => remembered[name] !== undefined,
	);
	if (!(error instanceof Stop) || names.length === 0) return error;
	const { delimiter, encoding } = remembered;
	const words = commandLine(...wordsOf({ delimiter, encoding }));
	const back = commandLine(...names.flatMap((name) => [`--${name}`, OPTIONS[name].back]));
	return new Stop(
		error.what,
		`${error.cure} Or this CSV is not to be read with ${words}, as an earlier run was: then add ${back}.`,
		error.reason,
	);
}
