import { checkInput } from '../../../service/input';
import { rowId } from '../../csv/row';
import type { Table } from '../../csv/table';
import type { Disk } from '../../disk';
import { contentOf, type OrderedContent } from '../../journal/content';
import type { BriefRecord, Records } from '../../journal/records';
import { briefPath } from '../../results/brief-files';
import { isBriefFileName } from '../../results/names';
import {
	holdsBack,
	isUnasked,
	OrdersByProduct,
	pairChanged,
	productOf,
	rowKey,
	unknownRow,
	type Changes,
	type GoneOrder,
	type UnknownRow,
} from './changed-rows';
import { classifyRows, type ClassifyOptions } from './classify-rows';

/** The content of an order that an older version of this program put on record without it; null where it is lost. */
export type ReadContent = (record: BriefRecord) => Promise<OrderedContent | null>;

/**
 * Finds the rows that are changed.
 * @param standing the keys of the orders whose row stands in the CSV
 */
export async function findChanges(
	table: Table,
	records: Records,
	options: ClassifyOptions,
	standing: ReadonlySet<string>,
	readContent: ReadContent,
): Promise<Changes> {
	const gone = records
		.all()
		.filter((record) => records.of(record.row, record.ordinal) === record)
		.filter((record) => holdsBack(record) && !standing.has(record.key));
	if (gone.length === 0) return new Map();
	const orders: GoneOrder[] = [];
	for (const record of gone)
		orders.push({ record, content: record.content ?? (await readContent(record)) });
	const known = new OrdersByProduct(orders);
	const rows: UnknownRow[] = [];
	for (const classified of classifyRows(table, records, options)) {
		if (classified.fate !== 'new' || !isUnasked(classified.record)) continue;
		const { row, ordinal } = classified;
		if (known.of(productOf(row.input)).length === 0) continue;
		rows.push(unknownRow(rowKey(row.id, ordinal), row.number, row.input));
	}
	return pairChanged(rows, orders);
}

/** Reads it from the file of the brief, and takes it only where it is all that was ordered: the row's ID tells. */
export function contentInFile(disk: Disk, outDir: string): ReadContent {
	return async ({ file, row }) => {
		if (file === null || !isBriefFileName(file)) return null;
		const bytes = await disk.read(briefPath(outDir, file, 'json'));
		if (bytes === null) return null;
		const { input } = checkInput(inputIn(Buffer.from(bytes).toString('utf8')));
		return rowId(input) === row ? contentOf(input) : null;
	};
}

function inputIn(json: string): object {
	try {
		const { input } = JSON.parse(json) as { input?: unknown };
		return typeof input === 'object' && input !== null ? input : {};
	} catch {
		return {};
	}
}
