import type { Table } from '../../csv/table';
import type { Records } from '../../journal/records';
import {
	holdsBack,
	isUnasked,
	OrdersByProduct,
	pairChanged,
	productOf,
	rowKey,
	unknownRow,
	type Changes,
	type UnknownRow,
} from './changed-rows';
import { classifyRows, type ClassifyOptions } from './classify-rows';

/**
 * Finds the rows that are changed.
 * @param standing the keys of the orders whose row stands in the CSV
 */
export function findChanges(
	table: Table,
	records: Records,
	options: ClassifyOptions,
	standing: ReadonlySet<string>,
): Changes {
	const gone = records
		.all()
		.filter((record) => records.of(record.row, record.ordinal) === record)
		.filter((record) => holdsBack(record) && !standing.has(record.key));
	if (gone.length === 0) return new Map();
	const known = new OrdersByProduct(gone);
	const rows: UnknownRow[] = [];
	for (const classified of classifyRows(table, records, options)) {
		if (classified.fate !== 'new' || !isUnasked(classified.record)) continue;
		const { row, ordinal } = classified;
		if (known.of(productOf(row.input)).length === 0) continue;
		rows.push(unknownRow(rowKey(row.id, ordinal), row.number, row.input));
	}
	return pairChanged(rows, gone);
}
