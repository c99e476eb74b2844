import type { BriefInput } from '../../service/resources';
import type { BriefRecord } from '../journal/records';
import type { PlannedRow } from '../plan/plan';
import { rowOrderIn } from '../plan/row-order';
import type { Run } from './prepare';
import { RowCarrier } from './order/row-carrier';

/**
 * Rows whose brief is paid or may be, and to which nothing is sent. From the journal and not from the CSV: a brief is
 * fetched even if its row was taken out meanwhile.
 */
export function* paidRows(rows: readonly PlannedRow[], run: Run): Generator<RowCarrier> {
	for (const record of run.store.journal.records.all()) {
		const { state, brief_id } = record;
		const isPaid = state === 'accepted' || state === 'ended' || state === 'parked';
		if (isPaid && brief_id !== null) yield carrierOf(record, productOf(record), run);
	}
	for (const { row, record, todo } of rows)
		if (todo === 'look' && record?.brief_id === null) yield carrierOf(record, row.input, run);
}

/** Rows that were sent, or about to be, by a run that knows no answer. */
export function* rowsInDoubt(rows: readonly PlannedRow[], run: Run): Generator<RowCarrier> {
	for (const { row, record, todo } of rows)
		if (todo === 'resume' && record?.state === 'in_doubt') yield carrierOf(record, row.input, run);
}

/** The same where the row stands no more in the CSV. */
export function* rowsGone(run: Run): Generator<RowCarrier> {
	for (const record of run.store.journal.records.all()) {
		if (!run.claims.goneKeys.has(record.key)) continue;
		yield new RowCarrier(rowOrderIn(record), productOf(record), run, { isGone: true });
	}
}

function carrierOf(record: BriefRecord, input: BriefInput, run: Run): RowCarrier {
	return new RowCarrier(rowOrderIn(record), input, run);
}

/** All that is known of what was ordered for a row that may stand no more in the CSV. */
function productOf({ product_name }: BriefRecord): BriefInput {
	return { product_name };
}
