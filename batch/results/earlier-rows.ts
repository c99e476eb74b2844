import type { Row, Table } from '../csv/table';
import type { Earlier } from '../plan/changes';
import { ownColumns, resultIn } from './result-columns';

/** Gives what results.csv has of the rows of a CSV: by it a row is recognised that was renamed since. */
export function earlierIn(results: Table, table: Table): Earlier {
	const shared = sharedColumns(results, table);
	const cells = ({ cells: all }: Row, places: readonly number[]) =>
		shared === null ? undefined : JSON.stringify(places.map((place) => all[place] ?? ''));
	const [inResults = [], inTable = []] = shared ?? [];
	return {
		lines: results.rows.map((row) => ({
			row,
			briefId: resultIn(results.columns, row).brief_id,
			others: cells(row, inResults),
		})),
		others: new Map(
			table.rows.flatMap((row) => {
				const others = cells(row, inTable);
				return others === undefined ? [] : [[row.number, others]];
			}),
		),
	};
}

/**
 * Gives the places of the columns that both have, but for those that name the product; null if none of them tells the rows
 * apart, as a SKU does.
 */
function sharedColumns(
	results: Table,
	{ columns, headers, rows }: Table,
): [inResults: number[], inTable: number[]] | null {
	const { product_name, product_id, ...others } = headers;
	const inTable = ownColumns(columns).filter((place) => {
		const header = columns[place] ?? '';
		return header !== product_name && header !== product_id && results.columns.includes(header);
	});
	// What is sent says what a brief is about, not which row it is.
	const sent = new Set<string | undefined>(Object.values(others));
	const isOwn = (place: number) => !sent.has(columns[place]) && isNumberOfRow(place, rows);
	if (!inTable.some(isOwn)) return null;
	return [inTable.map((place) => results.columns.indexOf(columns[place] ?? '')), inTable];
}

/** Says whether a column is different in every row, and does not only count them: the next list is counted alike. */
function isNumberOfRow(place: number, rows: readonly Row[]): boolean {
	// Rows of the same content are one.
	const firsts = new Map(rows.filter(({ id }) => id !== '').map((row) => [row.id, row]));
	const cells = [...firsts.values()].map((row) => (row.cells[place] ?? '').trim());
	const isDifferent = cells.length > 1 && new Set(cells).size === cells.length;
	return isDifferent && !cells.includes('') && !isCount(cells);
}

/** Says whether numbers go up from 1. Rows may be missing between them. */
function isCount(cells: readonly string[]): boolean {
	let last = 0;
	return Number(cells[0]) === 1 && cells.every((cell) => last < (last = Number(cell)));
}
