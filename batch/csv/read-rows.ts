import { count } from '../text';
import { isBlank } from './cells';
import type { FieldColumns } from './columns';
import { OtherReading } from './other-reading';
import { readRecords, type Dialect } from './read-records';
import type { Row } from './row';
import type { RowMaker } from './row-maker';
import type { CsvSource } from './source';
import type { TemplateLines } from './template-lines';
import { VariantLines } from './variant-lines';

export interface RowsRequest {
	source: CsvSource;
	dialect: Dialect;
	header: { columns: string[]; number: number };
	fieldColumns: FieldColumns;
	/** Whether --set gives a product to rows that have none. */
	isProductGiven: boolean;
	maker: RowMaker;
	template: TemplateLines;
	/** The encoding to show damaged rows in, as --encoding takes it. */
	likelyEncoding: string | null;
}

/** How many lines were left out because they are no products. */
export interface LeftOut {
	variants: number;
	headers: number;
}

/**
 * Reads the rows below the header. Lines that are no products are left out, and counted where the file was read to its
 * end.
 */
export async function* readRows(
	request: RowsRequest,
	counted: (leftOut: LeftOut) => void,
): AsyncGenerator<Row[]> {
	const { source, dialect, likelyEncoding } = request;
	const otherwise =
		likelyEncoding === null ? null : new OtherReading(source, dialect, likelyEncoding);
	try {
		yield* rowsIn(request, otherwise, counted);
	} finally {
		await otherwise?.close();
	}
}

async function* rowsIn(
	{ source, dialect, header, fieldColumns, isProductGiven, maker, template }: RowsRequest,
	otherwise: OtherReading | null,
	counted: (leftOut: LeftOut) => void,
): AsyncGenerator<Row[]> {
	const variants = new VariantLines(header.columns, fieldColumns);
	const leftOut: LeftOut = { variants: 0, headers: 0 };
	for await (const { records, broken, ascii, first } of readRecords(source, dialect)) {
		const rows: Row[] = [];
		for (let at = Math.max(0, header.number + 1 - first); at < records.length; at++) {
			const record = records[at] ?? [];
			const number = first + at;
			if (isBlank(record) || template.lines.has(number)) continue;
			const brokenLines = broken.size === 0 ? undefined : broken.get(record);
			if (isHeader(record, header.columns)) {
				leftOut.headers += 1;
			} else if (!isProductGiven && variants.isVariant(record)) {
				leftOut.variants += 1;
			} else {
				const isAmongTemplate = template.among.has(number);
				const reading = isDamaged(record, ascii) ? await otherwise?.read(number) : undefined;
				const known = { brokenLines, ascii, isAmongTemplate, otherwise: reading };
				rows.push(maker.make(number, record, known));
			}
		}
		if (rows.length > 0) yield rows;
	}
	counted(leftOut);
}

/** What was left out, for a person. */
export function leftOutTexts({ variants, headers }: LeftOut): string[] {
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

/** Whether a record is the header once more. Where files were joined, it begins with the byte order mark of its file. */
function isHeader(record: readonly string[], columns: readonly string[]): boolean {
	return (
		record.length === columns.length &&
		record.every(
			(cell, at) => cell === columns[at] || (at === 0 && withoutMark(cell) === columns[at]),
		)
	);
}

/** A quotation mark behind a byte order mark does not begin a quoted cell, so it is still there. */
function withoutMark(cell: string): string {
	return cell.replace(/^\ufeff("?)(.*)\1$/s, '$2');
}

function isDamaged(record: readonly string[], ascii: boolean): boolean {
	return !ascii && record.some((cell) => cell.includes('\ufffd'));
}
