import { makeFinding } from '../../core/finding';
import { matchHeader } from '../../core/input/headers';
import { quote } from '../../core/input/text';
import { parseBriefInput, type FieldProblem } from '../../core/input/brief-input';
import { isNoValue } from '../../core/input/checks';
import { toContentId } from '../../core/input/content';
import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { formatCount } from '../../core/text';
import { formatInOneLine, listQuoted } from '../text';
import { fitCells, getCell, isBlank, normalizeRowId } from './cells';
import { getFieldCell, getFieldLabel, requireColumn, type Layout } from './columns';
import { CsvProblem } from './csv-problem';
import { createDamageFinder } from './damage';
import {
	isUsable,
	type CsvFinding,
	type CsvLine,
	type CsvOptions,
	type Row,
	type UsableRow,
} from './types';
import { createWhereFilter } from './where';

interface RowContext {
	readonly layout: Layout;
	readonly options: CsvOptions;
	/** Why a line cannot be a row, by row number. */
	readonly lineProblems: ReadonlyMap<number, string>;
}

interface BuiltRows {
	readonly rows: readonly Row[];
	/** About values that are not sent, and about conditions. */
	readonly notices: readonly CsvFinding[];
}

/**
 * Turns the lines of products into rows.
 * @throws {CsvProblem} if an option names an unknown column or value, or two different products share a row ID
 */
export function buildRows(lines: readonly CsvLine[], context: RowContext): BuiltRows {
	const { layout, options } = context;
	const { headers, columns } = layout;
	const { id } = options;
	const idIndex = id === null ? -1 : requireColumn(headers, id, { name: 'id', value: id });
	const { isSkipped, notices } = createWhereFilter(lines, headers, options.where);
	const findDamage = createDamageFinder(lines, layout, options.set);
	const emptied: string[][] = [];
	const fields = INPUT_FIELDS.filter(
		(field) => columns.has(field) || options.set[field] !== undefined,
	);
	const rows = lines.map((line): Row => {
		const cells = fitCells(line.cells, headers.length);
		const values = readValues(cells, fields, context);
		const { input, problems: fieldProblems, emptiedFields } = parseBriefInput(values);
		const problems = describeProblems(line, fieldProblems, context);
		const isInvalid = problems.length > 0;
		if (!isInvalid && emptiedFields.length > 0)
			emptied.push(emptiedFields.map((field) => values[field]?.trim() ?? ''));
		const { number } = line;
		const rowId = getCell(cells, idIndex) || null;
		const contentId = isInvalid ? null : toContentId(input);
		// An object with spread fields takes longer and needs more memory.
		if (isSkipped(cells)) return { kind: 'skipped', number, cells, rowId, input, contentId };
		if (contentId === null) return { kind: 'invalid', number, cells, rowId, input, problems };
		const warnings = findDamage(line, input);
		return { kind: 'usable', number, cells, rowId, input, contentId, warnings };
	});
	if (id !== null) refuseSharedIds(rows, id);
	return { rows, notices: [...notices, ...describeEmptied(emptied)] };
}

/** @param emptied the words for “no value” of each row that has some */
function describeEmptied(emptied: ReadonlyArray<readonly string[]>): CsvFinding[] {
	if (emptied.length === 0) return [];
	const words = [...new Set(emptied.flat())];
	const verb = words.length === 1 ? 'counts' : 'count';
	const rows = formatCount(emptied.length, 'row');
	return [makeFinding(`${listQuoted(words)} in ${rows} ${verb} as empty.`)];
}

/** Returns the text of each field: the cell, or the default value if the cell is empty. */
function readValues(
	cells: readonly string[],
	fields: readonly InputField[],
	{ layout, options }: RowContext,
): Partial<Record<InputField, string>> {
	const values: Partial<Record<InputField, string>> = {};
	for (const field of fields) {
		const cell = cells[layout.columns.get(field) ?? -1] ?? '';
		const fallback = options.set[field];
		const isEmpty = fallback !== undefined && (cell.trim() === '' || isNoValue(cell));
		values[field] = isEmpty ? fallback : cell;
	}
	return values;
}

/** If the cells are in the wrong columns, or the line is a header, problems of their values would only mislead the user. */
function describeProblems(
	line: CsvLine,
	problems: readonly FieldProblem[],
	context: RowContext,
): string[] {
	const layoutProblem = findLayoutProblem(line, context);
	if (layoutProblem !== null) return [layoutProblem];
	const { layout } = context;
	const name = getFieldCell(line, 'product_name', layout);
	if (matchHeader(name) !== undefined)
		return [
			`${getFieldLabel('product_name', layout)} is ${quote(name)}, the header of a column. Delete the row, or enter the product’s full name.`,
		];
	return problems.map(({ field, message, nextSteps }) => {
		const column = getFieldLabel(field, layout);
		return formatInOneLine({ message: `${column} ${message}.`, nextSteps });
	});
}

/** Returns why the cells of a line are certainly not in their columns, or null. */
function findLayoutProblem(
	{ number, cells }: CsvLine,
	{ layout: { headers }, lineProblems }: RowContext,
): string | null {
	const problem = lineProblems.get(number);
	if (problem !== undefined) return problem;
	if (cells.length <= headers.length || isBlank(cells.slice(headers.length))) return null;
	return `The row has ${cells.length} cells, but the header has ${headers.length}. If a delimiter belongs to the text, put the whole cell in quotation marks.`;
}

/** Two products with one row ID would take each other's briefs. */
function refuseSharedIds(rows: readonly Row[], idOption: string): void {
	const firstRows = new Map<string, UsableRow>();
	for (const row of rows.filter(isUsable)) {
		if (row.rowId === null) continue;
		const id = normalizeRowId(row.rowId);
		const first = firstRows.get(id);
		if (first === undefined) firstRows.set(id, row);
		else if (first.contentId !== row.contentId)
			throw new CsvProblem(
				`rows ${first.number} and ${row.number} have the same ID ${describeIds(first, row)}, but are different products.`,
				'Correct the IDs, or continue without this option.',
				{ name: 'id', value: idOption },
			);
	}
}

/** IDs that differ only in upper and lower case or in zeros in front are the same. */
function describeIds(first: Row, second: Row): string {
	const ids = [...new Set([first, second].map(({ rowId }) => quote(rowId ?? '')))];
	return ids.length === 1 ? ids.join() : `(${ids.join(' and ')})`;
}
