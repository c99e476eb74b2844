import { homedir } from 'node:os';
import { readBaseUrl } from '../../core/api/connection';
import { isUuid } from '../../core/api/uuid';
import { findField } from '../../core/input/headers';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { formatInOneLine } from '../text';

/*
 * Readers of option values. A reader returns the value of a text, or throws an `InvalidValue` whose message follows the
 * name of the option or variable:
 *
 *     --max must be a whole number of at least 0, not “ten”.
 *     CREATOR_BRIEFING_MAX in acme.env must be a whole number of at least 0, not “ten”.
 */

/** A text of an option that cannot be read. `settings.ts` adds the name of the option. */
export class InvalidValue extends Error {}

/** Reads an option that can be given once. Ignoring a second value could ignore a limit. */
export function readOnce<Value>(
	read: (text: string) => Value,
): (texts: readonly string[]) => Value | undefined {
	return (texts) => {
		const [text, other] = texts;
		if (text !== undefined && other !== undefined)
			throw new InvalidValue(`is given twice, as “${text}” and “${other}”. Keep one value.`);
		return text === undefined ? undefined : read(text);
	};
}

/** Reads an option without a value. A variable can also switch it off, and so can --no-… */
export function readSwitch(texts: readonly string[]): boolean {
	const text = (texts.at(-1) ?? 'false').trim().toLowerCase();
	if (['true', '1'].includes(text)) return true;
	if (['false', '0'].includes(text)) return false;
	throw new InvalidValue(`must be true or false, not “${text}”.`);
}

export function readText(text: string): string {
	if (text.trim() === '') throw new InvalidValue('is empty. Give it a value, or remove it.');
	return text.trim();
}

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=[/\\]|$)/;

/** Reads a path. Only a shell resolves ~ and $HOME; otherwise they would become the names of folders. */
export function readPath(text: string): string {
	return readText(text).replace(HOME, (name) => findHome(name));
}

/** A user without an entry in the system's list of users, as in a container, can have no home folder. */
function findHome(name: string): string {
	let home = '';
	try {
		home = homedir();
	} catch {
		// Reported below, like a HOME that is empty.
	}
	if (home !== '') return home;
	throw new InvalidValue(
		`begins with ${name}, but this user has no home folder. Write the whole path.`,
	);
}

export function readWholeNumber(text: string): number {
	if (/^\s*\d+\s*$/.test(text)) return Number(text);
	throw new InvalidValue(`must be a whole number of at least 0, not “${text}”.`);
}

/** Reads the address of the service, without a slash at the end. */
export function readServiceUrl(text: string): string {
	const read = readBaseUrl(text);
	if ('baseUrl' in read) return read.baseUrl;
	throw new InvalidValue(`is invalid. ${formatInOneLine(read)}`);
}

/** The text might contain a secret, so it is not repeated. */
export function readWebhookUrl(text: string): string {
	if (URL.canParse(text) && /^https?:\/\//i.test(text)) return text;
	throw new InvalidValue('must be a link that starts with https:// or http://.');
}

/** Reads a list of codes, separated by commas. */
export function readCodes<Code extends string>(
	codes: readonly Code[],
): (texts: readonly string[]) => ReadonlySet<Code> {
	return (texts) => {
		const words = texts.flatMap((text) => text.split(',')).map((word) => word.trim());
		const given = words.filter((word) => word !== '');
		const isCode = (word: string): word is Code => (codes as readonly string[]).includes(word);
		const unknown = given.find((word) => !isCode(word));
		if (unknown === undefined) return new Set(given.filter(isCode));
		throw new InvalidValue(
			`has the unknown code “${unknown}”. The codes are: ${codes.join(', ')}.`,
		);
	};
}

/** Rows by number, or by the value of the --id column. */
export type RowSelection = ReadonlyArray<
	{ readonly from: number; readonly to: number } | { readonly rowId: string }
>;
/** Some rows, or all edited rows. */
export type RowSelector = 'changed' | RowSelection;

const ROWS = /^(?:@\s*(\S.*)|(\d+)(?:\s*-\s*(\d+))?)$/;

/** Reads 3,5-9 or @4711,@4712. */
export function readRows(text: string): RowSelection {
	return text.split(',').map((part) => {
		const [, rowId, from, to] = ROWS.exec(part.trim()) ?? [];
		if (rowId !== undefined) return { rowId };
		const range = { from: Number(from), to: Number(to ?? from) };
		if (range.from <= range.to) return range;
		throw new InvalidValue(
			`must be row numbers such as 3,5-9, or row IDs such as @4711, not “${text}”.`,
		);
	});
}

export function readRowsOrChanged(text: string): RowSelector {
	return text.trim().toLowerCase() === 'changed' ? 'changed' : readRows(text);
}

const ROW_AND_BRIEF = /^\s*(\d+|@[^,=]+?)\s*=\s*(\S+)\s*$/;

/** Reads ROW=BRIEF_ID. Returns brief IDs by row number or @ID. */
export function readBriefs(texts: readonly string[]): ReadonlyMap<string, string> {
	const briefs = texts.map((text): [string, string] => {
		const [, row, id = ''] = ROW_AND_BRIEF.exec(text) ?? [];
		if (row !== undefined && isUuid(id)) return [row, id.toLowerCase()];
		throw new InvalidValue(
			`must be ROW=BRIEF_ID, such as 4=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46, not “${text}”.`,
		);
	});
	const ids = briefs.map(([, id]) => id);
	const shared = ids.find((id, index) => ids.indexOf(id) !== index);
	if (shared !== undefined)
		throw new InvalidValue(`names brief ${shared} twice. A brief belongs to one row.`);
	return collectPairs(briefs);
}

/** Reads COLUMN=FIELD. A column can contain an equals sign; a field cannot. */
export function readMap(texts: readonly string[]): Readonly<Record<string, InputField | '-'>> {
	const pairs = texts.map((text): [string, InputField | '-'] => {
		const [column, name] = splitAt(text, text.lastIndexOf('='), '"COLUMN=FIELD"');
		return [column, name === '-' ? '-' : requireField(name)];
	});
	return Object.fromEntries(collectPairs(pairs));
}

/** Reads conditions such as Status=active or Status!=draft. Whether the CSV has the column is checked when it is read. */
export function readConditions(texts: readonly string[]): readonly string[] {
	const wrong = texts.find((text) => !/^[^=]*[^=!\s][^=]*=/.test(text));
	if (wrong === undefined) return texts;
	throw new InvalidValue(`must be "Column=value" or "Column!=value", not “${wrong}”.`);
}

/** Reads FIELD=VALUE. A value can contain an equals sign. Its text is checked when the CSV is read. */
export function readSet(texts: readonly string[]): Readonly<Partial<Record<InputField, string>>> {
	const pairs = texts.map((text): [InputField, string] => {
		const [name, value] = splitAt(text, text.indexOf('='), 'FIELD=VALUE');
		const field = requireField(name);
		if (value !== '') return [field, value];
		throw new InvalidValue(`has no value for ${field}. Is the variable of a script empty?`);
	});
	return Object.fromEntries(collectPairs(pairs));
}

/** Returns the values by key. A key with two values is refused, because one of them would be ignored. */
function collectPairs<Key extends string, Value extends string>(
	pairs: ReadonlyArray<readonly [Key, Value]>,
): ReadonlyMap<Key, Value> {
	const values = new Map<Key, Value>();
	for (const [key, value] of pairs) {
		const other = values.get(key);
		if (other !== undefined)
			throw new InvalidValue(
				`is given twice for “${key}”, as “${other}” and “${value}”. Keep one value.`,
			);
		values.set(key, value);
	}
	return values;
}

function splitAt(text: string, index: number, form: string): [string, string] {
	if (index < 1) throw new InvalidValue(`must be ${form}, not “${text}”.`);
	return [text.slice(0, index).trim(), text.slice(index + 1).trim()];
}

function requireField(name: string): InputField {
	const field = findField(name);
	if (field !== undefined) return field;
	throw new InvalidValue(
		`has the unknown field “${name}”. The fields are: ${INPUT_FIELDS.join(', ')}.`,
	);
}
