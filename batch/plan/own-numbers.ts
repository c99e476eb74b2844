import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { columnsOf, normalised, placeIn, placeOf } from '../csv/columns';
import type { Row, Table } from '../csv/table';
import { groupBy } from '../group-by';
import { Stop } from '../stop';
import { productOf } from './changes';

/** Gives the rows their own numbers, if a column is named and the CSV has it. */
export function withOwnNumbers(table: Table, column: string | null): Table {
	const place = column === null ? -1 : placeIn(column, table.columns);
	if (place === -1) return table;
	const withNumber = (row: Row): Row => {
		const ownNumber = (row.cells[place] ?? '').trim();
		return ownNumber === '' ? row : { ...row, ownNumber };
	};
	return { ...table, rows: table.rows.map(withNumber) };
}

/** @throws {Stop} if the CSV does not have the column of --id, or a number stands at two products */
export function refuseWrongNumbers({ columns, rows }: Table, column: string | null): void {
	if (column === null) return;
	const header = columns[placeOf('--id', column, columns)] ?? column;
	const valid = rows.filter(
		({ ownNumber, problems }) => ownNumber !== undefined && problems.length === 0,
	);
	const numberOf = ({ ownNumber = '' }: Row) => spelling(ownNumber);
	for (const [first, ...others] of groupBy(valid, numberOf).values()) {
		const other = others.find((row) => first !== undefined && !isSameProduct(row, first));
		if (first === undefined || other === undefined) continue;
		throw new Stop(
			`${header} ${quote(first.ownNumber ?? '')} stands at two products: ${rowName(first)} and ${rowName(other)}. Nothing was ordered.`,
			'Correct one of them, or leave --id out.',
		);
	}
}

function isSameProduct(a: Row, b: Row): boolean {
	const [one, other] = [productOf(a.input), productOf(b.input)];
	return one.id !== '' && other.id !== '' ? one.id === other.id : one.name === other.name;
}

function rowName({ number, input }: Row): string {
	return `row ${number} (${quote(input.product_name)})`;
}

/** Headers of a shop's own numbers, without blanks, dots and accents. */
const NUMBERS = new Set([
	...[
		'sku',
		'variantsku',
		'itemno',
		'itemnr',
		'itemnumber',
		'itemcode',
		'articleno',
		'articlenumber',
	],
	...[
		'articlecode',
		'productno',
		'productnumber',
		'productcode',
		'partno',
		'partnumber',
		'reference',
		'ref',
	],
	...['artikelnr', 'artikelnummer', 'artnr', 'artno', 'bestellnr', 'bestellnummer', 'produktnr'],
	...[
		'produktnummer',
		'referenz',
		'refproduit',
		'codearticle',
		'codeproduit',
		'referencia',
		'codigo',
	],
]);

/** Names the column that would do for --id: the shop's own numbers, another one in each row. */
export function idHint({ columns, rows }: Table): string[] {
	const idsAndRows = rows.map((row) => [row.contentId, row] as const);
	const valid = new Map(idsAndRows.filter(([id]) => id !== ''));
	const column = columnsOf(columns).find(({ header, place }) => {
		const name = normalised(header)
			.normalize('NFD')
			.replace(/[\p{Mn}.:#°]/gu, '');
		if (!NUMBERS.has(name)) return false;
		const cells = new Set([...valid.values()].map(({ cells: all }) => spelling(all[place] ?? '')));
		return valid.size > 1 && cells.size === valid.size && !cells.has('');
	});
	if (column === undefined) return [];
	return [
		`${quote(column.name)} is different in each row. With --id "${column.name}" a row stays the same row when its product is renamed.`,
	];
}
