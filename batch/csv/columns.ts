import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { findBestColumns, isSameHeader, matchHeader } from '../../core/input/headers';
import { quote, shorten } from '../../core/input/text';
import { listQuoted } from '../text';
import { CsvProblem } from './csv-problem';
import { getCell } from './cells';
import type { CsvLine, CsvOptions, UsedOption } from './types';

/*
 * Finds the column of each field, by the rank of its header (core/input/headers.ts). The column that `map` names comes first.
 */

/** True if a line can be the header: a column contains the products, or another field if `set` supplies the product. */
export function hasProductColumn(
	headers: readonly string[],
	{ map, set }: Pick<CsvOptions, 'map' | 'set'>,
): boolean {
	const mapped = Object.entries(map);
	return headers.some((header) => {
		const [, chosen] = mapped.find(([name]) => isSameHeader(name, header)) ?? [];
		const field = chosen ?? matchHeader(header)?.field ?? '-';
		return field === 'product_name' || (field !== '-' && set.product_name !== undefined);
	});
}

/** Returns the name of a column for messages: the header on one line, or the column's letter if the header is empty. */
export function getColumnName(headers: readonly string[], index: number): string {
	const name = (headers[index] ?? '').trim().replace(/\s+/g, ' ');
	return name === '' ? `column ${toColumnLetter(index)}` : name;
}

/** Returns A, B, … Z, AA, AB, … */
export function toColumnLetter(index: number): string {
	const last = String.fromCharCode(65 + (index % 26));
	return index < 26 ? last : toColumnLetter(Math.floor(index / 26) - 1) + last;
}

/** Returns the index of the column with this header, or -1. The exact spelling wins over a similar spelling. */
function findColumn(headers: readonly string[], name: string): number {
	const exact = headers.findIndex((header) => header.trim() === name.trim());
	return exact !== -1 ? exact : headers.findIndex((header) => isSameHeader(header, name));
}

/**
 * Returns the index of the column that an option names.
 * @throws {CsvProblem} if no column has this header, or several columns have it
 */
export function requireColumn(
	headers: readonly string[],
	name: string,
	option: UsedOption,
): number {
	const index = findColumn(headers, name);
	if (index === -1)
		throw new CsvProblem(
			`the CSV has no column ${quote(name)}.`,
			`Its columns are: ${listQuoted(headers)}.`,
			option,
		);
	if (headers.filter((header) => header.trim() === name.trim()).length > 1)
		throw new CsvProblem(
			`several columns are named ${quote(name)}.`,
			'Rename or remove the other columns.',
			option,
		);
	return index;
}

/** The header, and the index of the column that contains each field. */
export interface Layout {
	readonly headers: readonly string[];
	readonly columns: ReadonlyMap<InputField, number>;
}

/** Returns the trimmed text of a field's cell; empty if the field has no column. */
export function getFieldCell({ cells }: CsvLine, field: InputField, { columns }: Layout): string {
	return getCell(cells, columns.get(field) ?? -1);
}

/** Returns the name of a field's column for messages; the name of the field if it has a default value. */
export function getFieldLabel(field: InputField, { headers, columns }: Layout): string {
	const index = columns.get(field);
	return index === undefined ? field : getColumnName(headers, index);
}

/**
 * Finds the column of each field.
 * @throws {CsvProblem} if several columns fit equally well, or none contains the product name
 */
export function findLayout(
	headers: readonly string[],
	{ map, set }: Pick<CsvOptions, 'map' | 'set'>,
): Layout {
	const mapped = findMappedColumns(headers, map);
	const byField = new Map<InputField, number>();
	for (const field of INPUT_FIELDS) {
		const best = chooseColumn(headers, field, mapped);
		if (best !== undefined) byField.set(field, best);
	}
	const hasName = byField.has('product_name') || set.product_name !== undefined;
	if (!hasName || byField.size === 0) throw makeNoProductProblem(headers);
	return { headers, columns: byField };
}

/** No column is suggested: a wrong guess would pay for a brief per SKU or brand. */
function makeNoProductProblem(headers: readonly string[]): CsvProblem {
	// The delimiter is unknown, so the line was read with commas.
	const firstLine = headers.join(',');
	const shown = shorten(firstLine.replace(/\s+/g, ' '), MAX_LINE_SHOWN);
	const hasColumns = headers.length > 1 || /[;\t]/.test(firstLine);
	return new CsvProblem(
		`No column is named product_name. The first line is “${shown}”.`,
		hasColumns
			? [
					{
						text: 'Choose the column with the product’s name or link, by the text in its header:',
						options: { map: { COLUMN: 'product_name' } },
					},
				]
			: 'Name the column “Product Name”, in a line above the products. Commas, semicolons or tabs separate columns.',
	);
}

const MAX_LINE_SHOWN = 200;

type MappedColumns = ReadonlyMap<number, InputField | '-'>;

function findMappedColumns(headers: readonly string[], map: CsvOptions['map']): MappedColumns {
	const pairs = Object.entries(map).map(([header, field]) => {
		const index = requireColumn(headers, header, { name: 'map', value: `${header}=${field}` });
		return [index, field] as const;
	});
	return new Map(pairs);
}

function chooseColumn(
	headers: readonly string[],
	field: InputField,
	mapped: MappedColumns,
): number | undefined {
	const best = findBestColumns(headers, field, mapped);
	if (best.length > 1) {
		const names = best.map((index) => getColumnName(headers, index));
		const choice = { text: 'Choose a column:', options: { map: { [names[0] ?? '']: field } } };
		throw new CsvProblem(
			`Several columns could be ${field}: ${listQuoted(names)}.`,
			new Set(names).size < names.length ? 'Rename or remove the other columns.' : [choice],
		);
	}
	return best[0];
}
