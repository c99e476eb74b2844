import type { Table } from '../../csv/table';
import type { Records } from '../../journal/records';
import { classifyRows } from './classify-rows';
import { rowOrderOf, type RowOrder } from '../../plan/row-order';

/** The rows that have no brief although they were ordered. */
export interface Restartable {
	/** What to order anew, as the next generation. */
	orders: RowOrder[];
	/** Those that were ordered as often as a row may be, as their last generation. */
	atBound: RowOrder[];
}

/**
 * What to order anew: rows that have failed, and rows that are parked because nobody knows whether their brief exists.
 * Each generation may cost a brief, and a schedule may repeat the command for ever: so a row has `maxGenerations` at most.
 */
export function restartable(
	table: Table,
	records: Records,
	batch: string,
	{ maxGenerations, ...options }: { allowDuplicates: boolean; maxGenerations: number },
): Restartable {
	const found: Restartable = { orders: [], atBound: [] };
	for (const classified of classifyRows(table, records, options)) {
		const isFailed = classified.fate === 'done' && classified.record.status === 'failed';
		const isUnknown = classified.fate === 'parked' && classified.record.brief_id === null;
		if (!isFailed && !isUnknown) continue;
		const { ordinal, generation, unsent } = classified.record;
		// It was never ordered here: to pay for it beside the listed brief is asked for by --order-again only.
		if (unsent === true) continue;
		const order = (n: number) => rowOrderOf(batch, classified.row, ordinal, n);
		if (generation < maxGenerations) found.orders.push(order(generation + 1));
		else found.atBound.push(order(generation));
	}
	return found;
}
