import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { nearest, placeOfColumn } from '../csv/columns';
import type { Row, Table } from '../csv/table';
import type { Reading } from '../folder/events';
import type { Records } from '../folder/records';
import { conditionIn, type Condition } from '../plan/condition';
import { OwnNumbers, withOwnNumbers } from '../plan/own-numbers';
import { isSelected, type Range, type NamedRows, type RowSelection } from '../plan/row-selection';
import { countAside, type RunRequest } from '../run/request';
import { count, list } from '../text';
import type { Settings } from '../settings/settings';
import { Stop } from '../stop';

/** Gives the rows of a CSV their own numbers, and marks those that are no rows of the list. */
export function tableOfList(table: Table, { id, where = [] }: Reading, isTyped = false): Table {
	return withLeftOut(withOwnNumbers(table, id), where, isTyped);
}

/**
 * Marks the rows that --where leaves out.
 * @param isTyped whether it was given for this run: then a value that no row has is a slip
 * @throws {Stop} if the CSV does not have the column, or a value that was typed
 */
function withLeftOut(table: Table, where: readonly string[], isTyped: boolean): Table {
	const { columns, rows } = table;
	const fits = where.flatMap((words) => {
		const condition = conditionIn(words);
		if (condition === null) return [];
		const matches = rowsWith(condition, columns, rows, isTyped);
		return ({ number }: Row) => matches.has(number) !== condition.isNot;
	});
	if (fits.length === 0) return table;
	const marked = (row: Row): Row =>
		fits.every((fit) => fit(row)) ? row : { ...row, isLeftOut: true };
	return { ...table, rows: rows.map(marked) };
}

/**
 * Gives the rows of a run, which are those of the list that --only names, or all of them, and those left out whose brief
 * is being written; and the rows that other options name.
 * @throws {Stop} if an option names a row that the list does not have
 */
export function chosenRows({ rows }: Table, settings: Settings, records: Records) {
	const numbers = new OwnNumbers(rows);
	const selection = (option: string, words: NamedRows) => selectionOf(option, words, rows, numbers);
	const only = selection('--only', settings.only);
	const isUnderWay = ({ contentId }: Row) => records.of(contentId)?.state.stage === 'running';
	const rowsOfRun = rows.filter(
		(row) =>
			(only === false || isSelected(only, row.number)) &&
			(row.isLeftOut !== true || isUnderWay(row)),
	);
	if (rowsOfRun.length === 0 && (settings.where ?? []).length > 0)
		throw new Stop('No row is left by --where.', 'Check whether one row has all these values.');
	return {
		rows: rowsOfRun,
		orderAgain: selection('--order-again', settings.orderAgain),
		orderChanged: selection('--order-changed', settings.orderChanged),
		adoptChanged: selection('--adopt', settings.adopt.rows),
		adopt: settings.adopt.briefs.map(({ row, briefId }) => ({
			rowNumber: row.startsWith('@') ? numbers.one('--adopt', row.slice(1)) : Number(row),
			briefId,
		})),
	};
}

/** @throws {Stop} if an option names a row that the list does not have */
export function selectionOf(
	option: string,
	words: NamedRows,
	rows: readonly Row[],
	numbers = new OwnNumbers(rows),
): RowSelection {
	if (typeof words === 'boolean') return words;
	return words.flatMap((one) => rangesOf(option, one, rows, numbers));
}

/** @throws {Stop} if the list has none of these rows, or not the first or the last one */
function rangesOf(
	option: string,
	words: Range | string,
	rows: readonly Row[],
	numbers: OwnNumbers,
): Range[] {
	const ranges =
		typeof words === 'string'
			? numbers.of(option, words).map(({ number }) => [number, number] as const)
			: [inCsv(option, words, rows)];
	if (rows.some((row) => row.isLeftOut !== true && isSelected(ranges, row.number))) return ranges;
	const name = typeof words === 'string' ? `@${words}` : `row ${words[0]}`;
	throw new Stop(
		`${option} names ${name}, which --where leaves out.`,
		'Name another row, or take the condition back with --where -',
	);
}

function inCsv(option: string, [from, to]: Range, rows: readonly Row[]): Range {
	const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
	if (to <= last && rows.some(({ number }) => from <= number && number <= to)) return [from, to];
	throw new Stop(
		`${option} names row ${from > last ? from : to}, and the CSV has rows ${first} to ${last}.`,
		'Rows are numbered as in a spreadsheet, with the header as row 1.',
	);
}

/** Gives the numbers of the rows with a value. One that no row has is a slip: with != it would leave nothing out. */
function rowsWith(
	condition: Condition,
	columns: readonly string[],
	rows: readonly Row[],
	isTyped: boolean,
): ReadonlySet<number> {
	const { column, text } = condition;
	const place = placeOfColumn('--where', column, columns);
	const valueOf = ({ cells }: Row) => spelling(cells[place] ?? '');
	const matches = rows.filter((row) => valueOf(row) === spelling(text));
	if (matches.length > 0 || text === '' || !isTyped)
		return new Set(matches.map(({ number }) => number));
	// Of several spellings the first one stays.
	const cellTexts = new Map(
		[...rows].reverse().map((row) => [valueOf(row), (row.cells[place] ?? '').trim()]),
	);
	cellTexts.delete('');
	const values = nearest([...cellTexts.values()], text);
	throw new Stop(
		`--where: no row has ${quote(text)} in the column “${column}”.`,
		`Its values are ${list(values.map(quote))}: --where compares whole cells.`,
	);
}

/** Says to a person how many rows are not in this run. */
export function asideText(request: RunRequest): string[] {
	const { byWhere, byOnly } = countAside(request);
	return [
		...(byWhere === 0 ? [] : [`${count(byWhere, 'row')} left out by --where.`]),
		...(byOnly === 0 ? [] : [`${count(byOnly, 'row')} not in this run, by --only.`]),
	];
}
