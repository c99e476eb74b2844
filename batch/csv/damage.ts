import { roundedIds, signsIn } from '../../service/input/signs';
import { quote } from '../../service/shortened-text';
import { count, list } from '../text';
import type { Row } from './row';
import type { Table } from './table';

/*
 * Signs that a program or a hand has damaged a list: a line break or a comma that was not quoted, a footer, a comment, a
 * download that was cut off, text in a wrong encoding. Spreadsheets write such rows too, so a person decides.
 */

/** As many rows are shown as they would be sent. */
const ROWS_SHOWN = 5;

/** Gives the signs of damage in the rows to order as one text; none if they show none. */
export function damageIn(rowsToOrder: readonly Row[], table: Table): string[] {
	if (rowsToOrder.length === 0) return [];
	const rounded = roundedIds(table.rows.map(({ input }) => input.product_id));
	const damagedRows = rowsToOrder.flatMap((row) => {
		const signs = signsOf(row, table, rounded);
		return signs.length === 0 ? [] : [{ row, signs }];
	});
	if (damagedRows.length === 0) return [];
	const show = damagedRows.length === 1 ? 'shows' : 'show';
	const others = damagedRows.slice(ROWS_SHOWN).map(({ row }) => String(row.number));
	const lines = [
		`${count(damagedRows.length, 'row')} to order ${show} signs of damage.`,
		...damagedRows.slice(0, ROWS_SHOWN).map(textOf),
		...(others.length === 0 ? [] : [`The others are in row ${list(others, 20)}.`]),
	];
	return [lines.join('\n')];
}

function textOf({ row, signs }: { row: Row; signs: readonly string[] }): string {
	const fields = Object.entries(row.input).map(
		([field, value]: [string, string | string[]]) => `${field} ${quote([value].flat().join(' '))}`,
	);
	return `Row ${row.number}: ${signs.join('; ')}. It would be sent with ${list(fields)}.`;
}

function signsOf(
	{ cells, cellCount, mayBeHeader, input }: Row,
	{ columns, headers }: Table,
	rounded: ReadonlySet<string>,
): string[] {
	const { product_id: id } = input;
	return [
		...(cellCount === undefined ? [] : [shapeText(cellCount, columns.length)]),
		...(mayBeHeader === true ? ['it may be a header'] : []),
		...(cells.some((cell) => /^\s+"/.test(cell)) ? ['it has a blank before a quotation mark'] : []),
		...(id !== undefined && rounded.has(id)
			? ['its product ID ends in 00, as all of this list do: a program may have rounded them']
			: []),
		...signsIn(input).map(({ field, what }) => `${headers[field]?.trim() ?? field} ${what}`),
	];
}

function shapeText(cells: number, columns: number): string {
	return cells < columns
		? `it has ${cells} of ${columns} cells`
		: `it has ${cells} cells, the header ${columns}`;
}
