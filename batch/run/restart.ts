import type { Table } from '../csv/table';
import type { Records } from '../journal/records';
import { judgeRows } from './judge';
import { orderOf } from './orders';
import type { Order } from './tools';

/** What to order anew: rows that have failed, and rows that are parked because nobody knows whether their brief exists. */
export async function restartable(
	table: Table,
	records: Records,
	batch: string,
	options: { allowDuplicates: boolean },
): Promise<Order[]> {
	const orders: Order[] = [];
	for await (const rows of judgeRows(table, records, options)) {
		for (const judged of rows) {
			const isFailed = judged.fate === 'done' && judged.record.status === 'failed';
			const isUnknown = judged.fate === 'parked' && judged.record.brief_id === null;
			if (!isFailed && !isUnknown) continue;
			const { ordinal, generation } = judged.record;
			orders.push(orderOf(batch, judged.row, ordinal, generation + 1));
		}
	}
	return orders;
}
