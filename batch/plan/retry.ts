import type { BriefRecord } from '../journal/records';
import type { Plan } from './plan';
import { rowOrderOf, type RowOrder } from './row-order';

/** So often a row is ordered at most, unless --max-generations says otherwise. */
export const MAX_GENERATIONS = 3;

/** The rows that have no brief although they were ordered. */
export interface Restartable {
	/** What to order again, as the next generation. */
	orders: RowOrder[];
	/** Those that were ordered as often as a row may be, as their last generation. */
	atBound: RowOrder[];
}

/**
 * What to order anew: rows that have failed, and rows that are parked because nobody knows whether their brief exists.
 * Each generation may cost a brief, and a schedule may repeat the command for ever: so a row has `maxGenerations` at most.
 */
export function restartable(
	{ rows, source: { batch } }: Plan,
	maxGenerations: number,
): Restartable {
	const found: Restartable = { orders: [], atBound: [] };
	for (const { row, record, status, sameAs } of rows) {
		if (record === undefined || sameAs !== undefined) continue;
		const isUnknown = status === 'parked' && record.brief_id === null;
		if (status !== 'failed' && !isUnknown) continue;
		const { ordinal, generation, unsent } = record;
		// It was never ordered here: to pay for it beside the listed brief is asked for by --order-again only.
		if (unsent === true) continue;
		const order = (n: number) => rowOrderOf(batch, row, ordinal, n);
		if (generation < maxGenerations) found.orders.push(order(generation + 1));
		else found.atBound.push(order(generation));
	}
	return found;
}

/** The options with which `retry` orders failed rows again, if each was ordered as often as it does by itself. */
export function retryOptions(failed: readonly BriefRecord[], most = MAX_GENERATIONS): string[] {
	const least = Math.min(...failed.map(({ generation }) => generation));
	return least < most || failed.length === 0 ? [] : ['--max-generations', String(least + 1)];
}
