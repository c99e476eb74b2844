import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { nearest, placeOf } from '../csv/named-column';
import type { Row, Table } from '../csv/table';
import type { Reading } from '../folder/journal/journal-events';
import type { Records } from '../folder/journal/records';
import { conditionIn, type Condition } from '../plan/condition';
import { withOwnNumbers } from '../plan/own-numbers';
import { isSelected } from '../plan/row-selection';
import type { BatchRows } from '../run/request';
import { count, list } from '../text';
import type { Settings } from '../settings/settings';
import { Stop } from '../stop';

/** @throws {Stop} if the CSV does not have a row that an option names */
function refuseMissingRows(
	{ orderAgain, orderChanged, only }: Settings,
	rows: readonly Row[],
): void {
	const numbers = rows.map(({ number }) => number);
	for (const [option, numbersNamed] of [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
		['--only', only],
	] as const) {
		if (typeof numbersNamed === 'boolean') continue;
		const last = numbers.at(-1) ?? 0;
		const range = numbersNamed.find(
			([from, to]) => to > last || !numbers.some((n) => from <= n && n <= to),
		);
		if (range === undefined) continue;
		const [from, to] = range;
		throw new Stop(
			`${option} names row ${from > last ? from : to}, and the CSV has rows ${numbers[0] ?? 0} to ${last}.`,
			'Rows are numbered as in a spreadsheet, with the header as row 1.',
		);
	}
}

/** Gives the rows of a CSV their own numbers, and marks those that are no rows of the list. */
export function tableOfList(table: Table, { id, where = [] }: Reading, isTyped: boolean): Table {
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
 * Gives the rows of a run: those of the list that --only names, or all of them, and those left out whose brief is being
 * written.
 * @throws {Stop} if an option names a row that the CSV does not have, or no row is left by what was typed
 */
export function chosenRows({ rows }: Table, settings: Settings, records: Records): readonly Row[] {
	refuseMissingRows(settings, rows);
	const { only, typedReading } = settings;
	const isUnderWay = ({ contentId }: Row) => records.of(contentId)?.stage === 'running';
	const rowsOfRun = rows.filter(
		(row) =>
			(only === false || isSelected(only, row.number)) &&
			(row.isLeftOut !== true || isUnderWay(row)),
	);
	const isTyped = only !== false || (typedReading.where ?? []).length > 0;
	if (rowsOfRun.length > 0 || !isTyped) return rowsOfRun;
	throw new Stop(
		'No row is left by --only and --where.',
		'Check the numbers of the rows, and whether one row has all these values.',
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
	const place = placeOf('--where', column, columns);
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

/** Says to a person how many rows are left out. */
export function leftOutText({ table, rows }: BatchRows): string[] {
	const n = table.rows.length - rows.length;
	return n === 0 ? [] : [`${count(n, 'row')} left out by --only or --where.`];
}
