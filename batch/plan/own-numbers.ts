import { spelling } from '../../service/input/spelling';
import { quote } from '../../service/shortened-text';
import { columnsOf, normalised, placeIn, placeOfColumn } from '../csv/columns';
import type { Row, Table } from '../csv/table';
import { groupBy } from '../group-by';
import { Stop } from '../stop';
import { comparableNumber, productOf } from './changes';
import type { Plan } from './plan';

/** Gives the rows their own numbers, if a column is named and the CSV has it. */
export function withOwnNumbers(table: Table, column: string | undefined): Table {
	const place = column === undefined ? -1 : placeIn(column, table.columns);
	if (place === -1) return table;
	const withNumber = (row: Row): Row => {
		const ownNumber = (row.cells[place] ?? '').trim();
		return ownNumber === '' ? row : { ...row, ownNumber };
	};
	return { ...table, rows: table.rows.map(withNumber) };
}

/** @throws {Stop} if the CSV does not have the column of --id, or a number stands at two products */
export function refuseWrongNumbers({ columns, rows }: Table, column: string): void {
	const header = columns[placeOfColumn('--id', column, columns)] ?? column;
	const valid = rows.filter(
		({ ownNumber, problems, isLeftOut }) =>
			ownNumber !== undefined && problems.length === 0 && isLeftOut !== true,
	);
	const numberOf = ({ ownNumber = '' }: Row) => spelling(ownNumber);
	for (const [first, ...others] of groupBy(valid, numberOf).values()) {
		const other = others.find((row) => first !== undefined && !isSameProduct(row, first));
		if (first === undefined || other === undefined) continue;
		throw new Stop(
			`${header} ${quote(first.ownNumber ?? '')} stands at two products: ${rowName(first)} and ${rowName(other)}. Nothing was ordered.`,
			'Correct one of them, or go on without own numbers, with --id -',
		);
	}
}

/** Finds rows by their own numbers, in any spelling; without the zeros in front only if no row has them. */
export class OwnNumbers {
	private index: ReturnType<typeof numberIndex> | undefined;

	constructor(private readonly rows: readonly Row[]) {}

	/** @throws {Stop} if no row has it */
	of(option: string, number: string): readonly Row[] {
		const { bySpelling, byValue } = (this.index ??= numberIndex(this.rows));
		const rows = bySpelling.get(spelling(number)) ?? byValue.get(comparableNumber(number));
		if (rows !== undefined) return rows;
		throw new Stop(
			`${option} names @${number}, and no row has this number.`,
			bySpelling.size === 0
				? 'Name the column of the rows’ own numbers with --id, or write the numbers of rows, as in 3,5-9.'
				: 'Check it in the column of --id.',
		);
	}

	/** @throws {Stop} if no row has it, or several have */
	one(option: string, number: string): number {
		const [row, other] = this.of(option, number);
		if (row !== undefined && other === undefined) return row.number;
		throw new Stop(
			`${option} names @${number}, and several rows have this number.`,
			'Write the number of the row that you mean, as in 3.',
		);
	}
}

function numberIndex(rows: readonly Row[]) {
	const numbered = rows.filter(({ ownNumber }) => ownNumber !== undefined);
	return {
		bySpelling: groupBy(numbered, ({ ownNumber = '' }) => spelling(ownNumber)),
		byValue: groupBy(numbered, ({ ownNumber }) => comparableNumber(ownNumber)),
	};
}

/**
 * Gives the numbers that the orders of rows do not have yet, by the key of the order: those of rows that were ordered
 * without --id or with another column, or whose zeros a spreadsheet took away.
 */
export function newNumbers({ rows, source }: Plan): ReadonlyMap<string, string> {
	const { csv = rows.map(({ row }) => row), records, changes } = source;
	const numbers = new Map<string, string>();
	const numberedRows = csv.filter(
		({ ownNumber, problems }) => ownNumber !== undefined && problems.length === 0,
	);
	if (numberedRows.length === 0) return numbers;
	const inCsv = new Set(numberedRows.map(({ ownNumber }) => comparableNumber(ownNumber)));
	const tries = groupBy(records.all(), ({ content_id }) => content_id);
	const orderedFor = (contentId: string) =>
		records.withKey(changes.get(contentId))?.content_id ?? contentId;
	const changesOfOrder = groupBy([...changes.keys()], orderedFor);
	for (const { contentId, ownNumber = '' } of numberedRows) {
		const content = orderedFor(contentId);
		// Which of two rows such an order was for, nobody knows.
		if ((changesOfOrder.get(content) ?? []).length > 1) continue;
		for (const { key, own_number: id } of tries.get(content) ?? [])
			if (
				!numbers.has(key) &&
				id !== ownNumber &&
				(id === undefined ||
					!inCsv.has(comparableNumber(id)) ||
					comparableNumber(id) === comparableNumber(ownNumber))
			)
				numbers.set(key, ownNumber);
	}
	return numbers;
}

function isSameProduct(a: Row, b: Row): boolean {
	const [one, other] = [productOf(a.input), productOf(b.input)];
	return one.id !== '' && other.id !== '' ? one.id === other.id : one.name === other.name;
}

function rowName({ number, input }: Row): string {
	return `row ${number} (${quote(input.product_name)})`;
}

/** Headers of a shop's own numbers, without blanks, dots and accents. */
const NUMBERS = new Set(
	[
		'sku variantsku itemno itemnr itemnumber itemcode articleno articlenumber articlecode productno',
		'productnumber productcode partno partnumber reference ref artikelnr artikelnummer artnr artno',
		'bestellnr bestellnummer produktnr produktnummer referenz refproduit codearticle codeproduit',
		'referencia codigo',
	].flatMap((names) => names.split(' ')),
);

/** Names the column that would do for --id: the shop's own numbers, another one in each row. */
export function idHint({ columns, rows }: Table): string[] {
	const column = columnsOf(columns).find(({ header, place }) => {
		const name = normalised(header)
			.normalize('NFD')
			.replace(/[\p{Mn}.:#°]/gu, '');
		if (!NUMBERS.has(name)) return false;
		const valid = new Map(rows.map(({ contentId, cells }) => [contentId, cells[place] ?? '']));
		valid.delete('');
		const numbers = new Set([...valid.values()].map(spelling));
		return valid.size > 1 && numbers.size === valid.size && !numbers.has('');
	});
	if (column === undefined) return [];
	return [
		`${quote(column.name)} is different in each row. With --id "${column.name}" a row stays the same row when its product is renamed.`,
	];
}
