import { INPUT_FIELDS, type InputField } from '../../service/input/input';
import type { TableOptions } from '../csv/table';
import type { RowSelection } from '../plan/row-selection';
import type { Adoption } from '../run/request';
import { Stop } from '../stop';

/** Reads a number above 0, such as 0.5. */
export function positiveNumber(option: string, text: string, unit: string): number {
	const value = Number(text);
	if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
	throw new Stop(
		`${option} takes a number of ${unit} above 0, not “${text}”.`,
		`Write it in digits, as in ${option} 30 or ${option} 1.5.`,
	);
}

/** Reads a whole number from `min` to `max`. */
export function wholeNumber(option: string, text: string, min: number, max = Infinity): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= min && value <= max) return value;
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	throw new Stop(
		`${option} takes a whole number ${range}, not “${text}”.`,
		`Write it in digits, as in ${option} ${Math.max(min, 1)}.`,
	);
}

/** Reads rows by their number, such as 3,5-9. */
export function readRows(option: string, value: string | boolean | undefined): RowSelection {
	if (typeof value !== 'string') return value ?? false;
	const text = value.replace(/\s/g, '');
	if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text)) {
		throw new Stop(
			`${option} takes the numbers of rows, not “${value}”.`,
			`Write the numbers of rows, as in ${option} 3,5-9. A file name goes before ${option}.`,
		);
	}
	return text.split(',').map((part) => {
		const [from = 0, to = from] = part.split('-').map(Number);
		return [from, to] as const;
	});
}

/** A row is chosen if its cell in this column has this text, or has another one. */
export interface Condition {
	column: string;
	text: string;
	isNot: boolean;
}

export function readWhere(condition: string): Condition {
	const [, column = '', not = '', text = ''] = /^(.*?)(!?)=(.*)$/s.exec(condition) ?? [];
	if (column.trim() !== '') return { column: column.trim(), text: text.trim(), isNot: not !== '' };
	throw new Stop(
		`--where takes "Column=value" or "Column!=value", not “${condition}”.`,
		'Write the header of a column and the value of its cells, as in --where "Status=active".',
	);
}

/** Reads the briefs that --adopt ROW=BRIEF_ID gives to rows. */
export function readAdopt(texts: readonly string[]): Adoption[] {
	const adoptions = texts.map(readAdoption);
	for (const [at, { rowNumber, briefId }] of adoptions.entries()) {
		const before = adoptions.slice(0, at);
		if (before.some((one) => one.rowNumber === rowNumber))
			throw new Stop(
				`--adopt names row ${rowNumber} twice.`,
				'A row has one brief: keep one of the two.',
			);
		const same = before.find((one) => one.briefId === briefId);
		if (same !== undefined) {
			throw new Stop(
				`--adopt gives brief ${briefId} to two rows, ${same.rowNumber} and ${rowNumber}.`,
				'A brief is for one row: keep one of the two.',
			);
		}
	}
	return adoptions;
}

/** A row's number and the ID of a brief, which becomes part of a path. */
const ADOPTION = /^\s*(\d+)\s*=\s*([\w-][\w.:~-]{0,127})\s*$/;

function readAdoption(text: string): Adoption {
	const [, row, briefId] = ADOPTION.exec(text) ?? [];
	if (row !== undefined && briefId !== undefined) return { rowNumber: Number(row), briefId };
	throw new Stop(
		`--adopt takes ROW=BRIEF_ID, not “${text}”.`,
		'Write the number of the row and the ID of its brief, as in --adopt 4=9b2f6c1e-5d0a-4c57-8e0f-3a1d7c9b2e46.',
	);
}

/** Reads the columns that --map "Header=field" names; - is for a column that is not read. A header may hold an equals sign. */
export function readMap(texts: readonly string[]): TableOptions['map'] {
	const fields = new Map<string, InputField | '-'>();
	return texts.map((text) => {
		const at = text.lastIndexOf('=');
		const header = text.slice(0, Math.max(0, at)).trim();
		const name = text.slice(at + 1);
		const isUnread = at > 0 && name.trim() === '-';
		const field = isUnread ? '-' : fieldNamed('--map', name, '"Header=field"', at < 1);
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

/** Reads the values that --set field=value gives. A value may hold an equals sign. */
export function readSet(texts: readonly string[]): TableOptions['set'] {
	const values: Partial<Record<InputField, string>> = {};
	for (const text of texts) {
		const at = text.indexOf('=');
		const field = fieldNamed('--set', text.slice(0, Math.max(0, at)), 'field=value');
		const value = text.slice(at + 1);
		refuseWithoutValue(field, value.trim());
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

/** Refuses --set without a value: each row would be ordered as another one, and perhaps paid for a second time. */
function refuseWithoutValue(field: InputField, value: string): void {
	if (value === '') {
		throw new Stop(
			`--set ${field} has no value.`,
			'Give it one, or leave the option out. In a script, look whether the variable that it takes is set.',
		);
	}
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
