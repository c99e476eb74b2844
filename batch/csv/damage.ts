import { areRounded, signsIn } from '../../service/input/signs';
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
	const roundedIds =
		rowsToOrder.length > 0 && areRounded(table.rows.map(({ input }) => input.product_id));
	const damagedRows = rowsToOrder.flatMap((row) => {
		const signs = signsOf(row, table, roundedIds);
		return signs.length === 0 ? [] : [{ row, signs }];
	});
	if (damagedRows.length === 0) return [];
	const texts = damagedRows.slice(0, ROWS_SHOWN).map(textOf);
	const others = damagedRows.slice(ROWS_SHOWN).map(({ row }) => String(row.number));
	const more = others.length === 0 ? '' : ` The others are in row ${list(others, 20)}.`;
	const show = damagedRows.length === 1 ? 'shows' : 'show';
	return [
		`${count(damagedRows.length, 'row')} to order ${show} signs of damage. ${texts.join(' ')}${more}`,
	];
}

function textOf({ row, signs }: { row: Row; signs: readonly string[] }): string {
	const fields = Object.entries(row.input).map(
		([field, value]: [string, string | string[]]) => `${field} ${quote([value].flat().join(' '))}`,
	);
	return `Row ${row.number} ${signs.join(', and ')}. It would be sent with ${list(fields)}.`;
}

function signsOf(
	{ cells, cellCount, mayBeHeader, input }: Row,
	{ columns, headers }: Table,
	hasRoundedIds: boolean,
): string[] {
	const { product_id: id } = input;
	return [
		...(cellCount === undefined
			? []
			: [`has ${count(cellCount, 'cell')}, the header ${columns.length}`]),
		...(mayBeHeader === true ? ['may be a header'] : []),
		...(cells.some((cell) => /^\s+"/.test(cell)) ? ['has a blank before a quotation mark'] : []),
		...(hasRoundedIds && id !== undefined && id.length >= 16
			? [
					'has a product ID that ends in 00, as all of this list do: a program may have rounded them',
				]
			: []),
		...signsIn(input).map(({ field, what }) => `${what}, in ${headers[field]?.trim() ?? field}`),
	];
}
