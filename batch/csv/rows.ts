import type { InputField } from '../../service/input';
import { doubtfulNotice, judgeIds } from '../../service/rounded-id';
import { count } from '../text';
import type { FieldColumns } from './columns';
import type { Header } from './header';
import { normalised } from './headers';
import { isBlank, type Records } from './records';
import type { Row } from './row';
import { RowMaker } from './row-maker';
import { findTemplateLines, templateNotice } from './template-lines';

export interface RowsRequest {
	csv: Records;
	header: Header;
	fieldColumns: FieldColumns;
	/** Values for rows that have none, as --set gave them. */
	set: Readonly<Partial<Record<InputField, string>>>;
	delimiter: string;
	/** What to do about a character that is lost; null where the text has none. */
	damageCure: string | null;
}

/** Enough rows to see whether a spreadsheet has rounded a column. */
const ROWS_EXAMINED = 200;

/** The rows below the header, without the lines that are no products, of which the notices tell. */
export function rowsBelow(request: RowsRequest): { rows: Row[]; notices: string[] } {
	const { csv, header, fieldColumns, set } = request;
	const { columns } = header;
	const isProductGiven = (set.product_name ?? '').trim() !== '';
	const isVariant = isProductGiven ? () => false : variantsBy(columns, fieldColumns);
	const leftOut = { variants: 0, headers: 0 };
	const lines: Array<{ number: number; cells: string[] }> = [];
	for (let at = header.number; at < csv.records.length; at++) {
		const cells = csv.records[at] ?? [];
		if (isBlank(cells)) continue;
		if (isHeader(cells, columns)) leftOut.headers += 1;
		else if (isVariant(cells)) leftOut.variants += 1;
		else lines.push({ number: at + 1, cells });
	}

	const template = findTemplateLines(lines, fieldColumns);
	const products = lines.filter(({ number }) => !template.lines.has(number));
	const idColumn = fieldColumns.product_id ?? -1;
	const ids = products.slice(0, ROWS_EXAMINED).map(({ cells }) => (cells[idColumn] ?? '').trim());
	const judgement = judgeIds(ids);
	const maker = new RowMaker(columns, { ...request, idsAreRounded: judgement === 'rounded' });
	return {
		rows: products.map(({ number, cells }) =>
			maker.make(number, cells, {
				brokenLines: csv.broken.get(number - 1),
				isAmongTemplate: template.among.has(number),
			}),
		),
		notices: [
			...(judgement === 'doubtful' ? [doubtfulNotice(ids)] : []),
			...(template.lines.size > 0 ? [templateNotice(template)] : []),
			...leftOutTexts(leftOut),
		],
	};
}

/** Whether a record is the header once more. Where files were joined, it begins with the byte order mark of its file. */
function isHeader(record: readonly string[], columns: readonly string[]): boolean {
	return (
		record.length === columns.length &&
		record.every(
			(cell, at) =>
				cell === columns[at] ||
				(at === 0 && cell.startsWith('\ufeff') && withoutMark(cell) === columns[at]),
		)
	);
}

/** A quotation mark behind a byte order mark does not begin a quoted cell, so it is still there. */
function withoutMark(cell: string): string {
	return cell.replace(/^\ufeff("?)(.*)\1$/s, '$2');
}

/** What shops call the column that says which lines are of one product. */
const HANDLES = ['Handle', 'URL handle'].map(normalised);

/**
 * Tells the lines of a shop's export that hold further variants and images of the product above them: they have its
 * handle, and nothing that a brief could be made of. To be asked of each row in the order of the file.
 */
function variantsBy(
	columns: readonly string[],
	fieldColumns: FieldColumns,
): (cells: readonly string[]) => boolean {
	const serving = Object.values(fieldColumns);
	const column = columns.findIndex((header) => HANDLES.includes(normalised(header)));
	let current = '';
	return (cells) => {
		const handle = (cells[column] ?? '').trim();
		const isEmpty = serving.every((index) => (cells[index] ?? '').trim() === '');
		if (!isEmpty) current = handle;
		return isEmpty && handle !== '' && handle === current;
	};
}

function leftOutTexts({ variants, headers }: { variants: number; headers: number }): string[] {
	const texts: string[] = [];
	if (variants > 0) {
		const [is, has] = variants === 1 ? ['is', 'it has'] : ['are', 'each has'];
		texts.push(
			`${count(variants, 'line')} of variants and images ${is} left out: ${has} the handle of the product above, and no name.`,
		);
	}
	if (headers > 0) {
		const [is, repeat] = headers === 1 ? ['is', 'repeats'] : ['are', 'repeat'];
		texts.push(`${count(headers, 'row')} that ${repeat} the header ${is} left out.`);
	}
	return texts;
}
