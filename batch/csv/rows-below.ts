import { quote } from '../../service/shortened-text';
import { count } from '../text';
import type { Header } from './header-row';
import type { Column, HeaderMap } from './column-names';
import { isBlank, type CsvRecords } from './csv-records';
import { isBarcode, RowMaker, type Row, type RowRules } from './row';
import { findTemplateLines } from './template-lines';

/** Makes the rows below the header. Notices name the lines that were left out because they are no products. */
export function rowsBelow(
	{ columns, number: headerRow }: Header,
	csv: CsvRecords,
	map: HeaderMap,
	rules: RowRules,
): { rows: Row[]; notices: string[] } {
	let headers = 0;
	const lines: Array<{ number: number; cells: string[] }> = [];
	for (let at = headerRow; at < csv.records.length; at++) {
		const cells = csv.records[at] ?? [];
		if (isBlank(cells)) continue;
		if (isHeader(cells, columns)) headers += 1;
		else lines.push({ number: at + 1, cells });
	}

	const template = findTemplateLines(lines, rules.fieldColumns);
	const products = lines.filter(({ number }) => !template.lines.has(number));
	const idColumn = rules.fieldColumns.get('product_id');
	const idIn = (cells: readonly string[]) => (cells[idColumn?.place ?? -1] ?? '').trim();
	const isAsked = map.some(({ field }) => field === 'product_id');
	const barcodes = isAsked ? [] : products.filter(({ cells }) => isBarcode(idIn(cells)));
	const maker = new RowMaker(columns, rules, !isAsked);
	return {
		rows: products.map(({ number, cells }) =>
			maker.make(number, cells, csv.brokenRecords.get(number - 1), template.among.has(number)),
		),
		notices: [
			...(barcodes.length > 0 ? [barcodeNotice(idColumn?.name ?? '', barcodes.length)] : []),
			...template.notices,
			...repeatedHeaders(headers),
		],
	};
}

/** Checks if a record repeats the header. In joined files it begins with the byte order mark of its file. */
function isHeader(record: readonly string[], columns: readonly Column[]): boolean {
	return (
		record.length === columns.length &&
		record.every(
			(cell, at) =>
				cell === columns[at]?.header ||
				(at === 0 && cell.startsWith('\ufeff') && withoutMark(cell) === columns[at]?.header),
		)
	);
}

/** Takes the mark off a cell, and the quotation marks that stay behind a mark. */
function withoutMark(cell: string): string {
	return cell.replace(/^\ufeff("?)(.*)\1$/s, '$2');
}

function barcodeNotice(column: string, rows: number): string {
	const what = rows === 1 ? 'a barcode' : 'barcodes';
	return `${quote(column)} holds ${what} (EAN or UPC) in ${count(rows, 'row')}, not a marketplace ID, and is not sent. If these are marketplace IDs, add --map "${column}=product_id".`;
}

function repeatedHeaders(headers: number): string[] {
	if (headers === 0) return [];
	const [is, repeat] = headers === 1 ? ['is', 'repeats'] : ['are', 'repeat'];
	return [`${count(headers, 'row')} that ${repeat} the header ${is} left out.`];
}
