import { INPUT_FIELDS, type ByField, type InputField } from '../../service/input/input';
import { conditionIn, type NamedRows } from '../plan/row-selection';
import { Stop } from '../stop';

export function filledText(text: string, option: string): string {
	if (text.trim() !== '') return text;
	throw new Stop(`${option} is empty.`, 'Give it a value, or leave the option out.');
}

export function trimmedText(text: string, option: string): string {
	return filledText(text, option).trim();
}

/** Reads a number of a unit above 0, such as 0.5. */
export function positiveNumber(unit: string, factor: number) {
	return (text: string, option: string): number => {
		const value = Number(text);
		if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value * factor;
		throw new Stop(
			`${option} takes a number of ${unit} above 0, not “${text}”.`,
			`Write it in digits, as in ${option} 30 or ${option} 1.5.`,
		);
	};
}

/** Reads a whole number from `min` to `max`. */
export function wholeNumber(min: number, max = Infinity) {
	return (text: string, option: string): number => {
		const value = Number(text);
		if (/^\d+$/.test(text) && value >= min && value <= max) return value;
		const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
		throw new Stop(
			`${option} takes a whole number ${range}, not “${text}”.`,
			`Write it in digits, as in ${option} ${Math.max(min, 1)}.`,
		);
	};
}

/** Reads rows by their number, such as 3,5-9, or with @ by their own number. */
export function readRows(value: string | boolean | undefined, option: string): NamedRows {
	return typeof value === 'string' ? rangesIn(value, option) : (value ?? false);
}

function rangesIn(value: string, option: string): Exclude<NamedRows, boolean> {
	return value.split(',').map((part) => {
		const [, ownNumber, from, to] = ROWS.exec(part) ?? [];
		if (ownNumber !== undefined) return ownNumber;
		if (from !== undefined) return [Number(from), Number(to ?? from)] as const;
		throw new Stop(
			`${option} takes the numbers of rows, not “${value}”.`,
			`Write the numbers of rows, as in ${option} 3,5-9, or with --id own numbers, as in ${option} @4711. A file name goes before ${option}.`,
		);
	});
}

/** An own number, a row or a range of rows. */
const ROWS = /^\s*(?:@\s*(\S.*?)|(\d+)\s*(?:-\s*(\d+))?)\s*$/s;

/** Checks the conditions of --where; undefined if there are none. */
export function readWhere(conditions: readonly string[]): readonly string[] | undefined {
	const wrong = conditions.find((condition) => conditionIn(condition) === null);
	if (wrong === undefined) return conditions.length === 0 ? undefined : conditions;
	throw new Stop(
		`--where takes "Column=value" or "Column!=value", not “${wrong}”.`,
		'Write the header of a column and the value of its cells, as in --where "Status=active".',
	);
}

/**
 * Reads --adopt ROW=BRIEF_ID, or ROWS without a brief: the briefs that it gives to rows, and the changed rows that keep
 * theirs.
 */
export function readAdopt(texts: readonly string[]) {
	const rows = texts.filter((text) => !text.includes('=')).join(',');
	const briefs = adoptionsIn(texts.filter((text) => text.includes('=')));
	const namedRows: NamedRows = rows === '' ? false : rangesIn(rows, '--adopt');
	return { briefs, rows: namedRows };
}

function adoptionsIn(texts: readonly string[]) {
	const adoptions = texts.map(readAdoption);
	for (const [at, { row, briefId }] of adoptions.entries()) {
		const other = adoptions
			.slice(0, at)
			.find((before) => before.row === row || before.briefId === briefId);
		if (other === undefined) continue;
		throw other.row === row
			? new Stop(`--adopt names row ${row} twice.`, 'A row has one brief: keep one of the two.')
			: new Stop(
					`--adopt gives brief ${briefId} to two rows, ${other.row} and ${row}.`,
					'A brief is for one row: keep one of the two.',
				);
	}
	return adoptions;
}

/** A row, and the ID of a brief, which becomes part of a path. */
const ADOPTION = /^\s*(\d+|@[^,=]+?)\s*=\s*([\w-][\w.:~-]{0,127})\s*$/;

/** Reads a brief that a person gives to a row, which is named by its number, or with @ by its own number. */
function readAdoption(text: string) {
	const [, row, briefId] = ADOPTION.exec(text) ?? [];
	if (row !== undefined && briefId !== undefined) return { row, briefId };
	throw new Stop(
		`--adopt takes ROW=BRIEF_ID, not “${text}”.`,
		'Write the number of the row and the ID of its brief, as in --adopt 4=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46.',
	);
}

/**
 * Reads the columns that --map "Header=field" names. A header may hold an equals sign. The field - is for a column that is
 * not read, and no field takes back what is remembered of it.
 */
export function readMap(
	texts: readonly string[],
): ReadonlyArray<{ header: string; field: InputField | '-' | '' }> {
	const fields = new Map<string, InputField | '-' | ''>();
	return texts.map((text) => {
		const at = text.lastIndexOf('=');
		const header = text.slice(0, Math.max(0, at)).trim();
		const name = text.slice(at + 1).trim();
		const isNone = at > 0 && (name === '' || name === '-');
		const field = isNone ? name : fieldNamed('--map', name, '"Header=field"', at < 1);
		const before = fields.get(header) ?? field;
		if (before !== field) {
			throw new Stop(
				`--map gives the column “${header}” to two fields, ${before} and ${field}.`,
				'Keep one of the two.',
			);
		}
		fields.set(header, field);
		return { header, field };
	});
}

/** Reads the values that --set field=value gives. A value may hold an equals sign. `field=` takes one back. */
export function readSet(texts: readonly string[]): ByField {
	const values: Partial<Record<InputField, string>> = {};
	for (const text of texts) {
		const at = text.indexOf('=');
		const field = fieldNamed('--set', text.slice(0, Math.max(0, at)), 'field=value');
		const isBack = text.slice(at + 1).trim() === '';
		const value = isBack ? '' : text.slice(at + 1);
		refusePlaceholder(field, value.trim());
		if ((values[field] ?? value) !== value) {
			throw new Stop(
				`--set gives ${field} two different values.`,
				'Keep one of the two: a field has one value for all rows.',
			);
		}
		values[field] = value;
	}
	return values;
}

/** A text that should have been replaced by a value: $NAME, ${NAME}, ${{ secrets.NAME }}, %NAME%, <name>, "…". */
const PLACEHOLDER = /^(\$[a-z_][\w.]*|\$\{{1,2} ?[\w.]+ ?\}{0,2}|%\w+%|<[^<>]*>|[.…]+)$/i;

function refusePlaceholder(field: InputField, value: string): void {
	if (!PLACEHOLDER.test(value)) return;
	throw new Stop(
		`--set ${field} is “${value}”, a placeholder and not a text.`,
		`Put the text itself in its place. A shell fills in a variable in "…", not in '…', and nothing fills in one in a file of variables.`,
	);
}

function fieldNamed(
	option: string,
	text: string,
	form: string,
	isMalformed = text === '',
): InputField {
	const field = INPUT_FIELDS.find((name) => name === text.trim());
	if (field !== undefined && !isMalformed) return field;
	const what = isMalformed
		? `${option} takes ${form}.`
		: `${option} names an unknown field “${text.trim()}”.`;
	throw new Stop(what, `The fields are: ${INPUT_FIELDS.join(', ')}.`);
}
