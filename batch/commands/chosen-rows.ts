import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { nearest, placeOf } from '../csv/columns';
import type { Row, Table } from '../csv/table';
import { isSelected } from '../plan/row-selection';
import type { BatchRows } from '../run/request';
import { count, list } from '../text';
import type { Settings } from '../settings/settings';
import type { Condition } from '../settings/values';
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

/**
 * Gives the rows that --only and --where choose; all of them without these.
 * @throws {Stop} if an option names a row, a column or a value that the CSV does not have
 */
export function chosenRows({ columns, rows }: Table, settings: Settings): readonly Row[] {
	refuseMissingRows(settings, rows);
	const { only, where } = settings;
	if (only === false && where.length === 0) return rows;
	const fits = where.map((condition) => {
		const matches = rowsWith(condition, columns, rows);
		return ({ number }: Row) => matches.has(number) !== condition.isNot;
	});
	const rowsOfRun = rows.filter(
		(row) => (only === false || isSelected(only, row.number)) && fits.every((fit) => fit(row)),
	);
	if (rowsOfRun.length > 0) return rowsOfRun;
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
): ReadonlySet<number> {
	const { column, text } = condition;
	const place = placeOf('--where', column, columns);
	const valueOf = ({ cells }: Row) => spelling(cells[place] ?? '');
	const matches = rows.filter((row) => valueOf(row) === spelling(text));
	if (matches.length > 0 || text === '') return new Set(matches.map(({ number }) => number));
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
