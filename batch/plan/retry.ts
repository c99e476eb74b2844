import type { Records } from '../folder/journal/records';
import type { Plan } from './plan';
import { rowOrderOf, type RowOrder } from './row-order';
import { standingOf } from './standing';

/** A row has this many tries at most, unless --max-tries says otherwise. */
export const MAX_TRIES = 3;

/** The rows that have no brief although they were ordered. */
interface Restartable {
	/** What to order again, each row as its next try. */
	orders: RowOrder[];
	/** Rows that have had all their tries, with the last one. */
	atBound: RowOrder[];
}

/**
 * What to retry: rows that have failed, and parked rows whose brief may or may not exist. Each try may cost a brief, and
 * a schedule may repeat the command forever: so a row has `maxTries` tries at most.
 */
export function restartable({ rows, source: { batch } }: Plan, maxTries: number): Restartable {
	const found: Restartable = { orders: [], atBound: [] };
	for (const { row, record, status, sameAs } of rows) {
		if (record === undefined || sameAs !== undefined) continue;
		const isUnknown = status === 'parked' && record.brief_id === null;
		if (status !== 'failed' && !isUnknown) continue;
		const { ordinal, generation, unsent } = record;
		// It was never ordered here: only --order-again asks to pay for it beside the listed brief.
		if (unsent === true) continue;
		const order = (n: number) => rowOrderOf(batch, row, ordinal, n);
		if (generation < maxTries) found.orders.push(order(generation + 1));
		else found.atBound.push(order(generation));
	}
	return found;
}

/** The options with which `retry` orders failed rows again, if each was ordered as often as it does by itself. */
export function retryOptions(records: Records, most = MAX_TRIES): string[] {
	const { failed } = standingOf(records);
	const least = Math.min(...failed.map(({ generation }) => generation));
	return least < most || failed.length === 0 ? [] : ['--max-tries', String(least + 1)];
}
