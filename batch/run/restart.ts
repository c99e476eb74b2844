import type { Table } from '../csv/table';
import type { Records } from '../journal/records';
import { classifyRows } from './classify-rows';
import { rowOrderOf, type RowOrder } from './row-order';

/**
 * What to order anew: rows that have failed, and rows that are parked because nobody knows whether their brief exists.
 */
export async function restartable(
	table: Table,
	records: Records,
	batch: string,
	options: { allowDuplicates: boolean },
): Promise<RowOrder[]> {
	const orders: RowOrder[] = [];
	for await (const rows of classifyRows(table, records, options)) {
		for (const classified of rows) {
			const isFailed = classified.fate === 'done' && classified.record.status === 'failed';
			const isUnknown = classified.fate === 'parked' && classified.record.brief_id === null;
			if (!isFailed && !isUnknown) continue;
			const { ordinal, generation } = classified.record;
			orders.push(rowOrderOf(batch, classified.row, ordinal, generation + 1));
		}
	}
	return orders;
}
