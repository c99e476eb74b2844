import type { BriefInput } from '../../service/resources';
import type { BriefRecord } from '../journal/records';
import { orderOf, toOrderNow, type Plan, type PlannedRow } from '../plan/plan';
import { rowOrderIn } from '../plan/row-order';
import type { Run } from './prepare';
import { diskFailure } from './disk-failure';
import { Lanes } from './lanes';
import { orderListedAgain, takeOverListed } from './listed/listed-rows';
import { findRemoved, refetch } from './order/refetch';
import { RowCarrier } from './order/row-carrier';
import type { RunEnvironment, RunRequest } from './request';

/** Carries a plan out: first what earlier runs began, then the new rows in the order of the CSV. */
export async function scheduleRows(
	given: Plan,
	{ leaveSlots, orderAgain }: Pick<RunRequest, 'leaveSlots' | 'orderAgain'>,
	env: RunEnvironment,
	run: Run,
): Promise<void> {
	const { ordering } = run;
	const lanes = await Lanes.open(leaveSlots);
	const removed = await findRemoved(run);
	const stopListening = listenForInterruption(env, run);

	const plan = orderAgain ? await orderListedAgain(given, run) : given;
	const { rows } = plan;
	for (const brief of removed) lanes.aside(() => refetch(brief, run));
	lanes.recoverBeside(paidRows(rows, run));
	// What already runs takes slots, so it is found out before anything is ordered (P4).
	const inDoubt = await lanes.recover(rowsInDoubt(rows, run));
	// The new rows might be of the same product as one that was taken out of the CSV.
	const gone = await lanes.recover(rowsGone(run));
	for (const row of gone) lanes.beside(row);
	for (const row of inDoubt) lanes.inTurn(row);
	// What costs nothing comes before what is paid for, and needs no allowance.
	const ordered = takeOverListed(plan, run, lanes).then(() => orderRows(plan, run, lanes));
	// The end of ordering is not the end of waiting: what was ordered is fetched.
	await ordered.catch((error: unknown) => ordering.fail(diskFailure(error)));
	await lanes.whenEmpty();
	stopListening();

	ordering.isLastCall = true;
	await lanes.settle();
}

async function orderRows({ rows, source }: Plan, run: Run, lanes: Lanes): Promise<void> {
	const { ordering } = run;
	for (const planned of rows) {
		if (toOrderNow(planned, source) === null) continue;
		await lanes.whenFree(() => ordering.end !== null);
		if (ordering.end !== null) return;
		// Meanwhile another row may have taken its brief.
		const now = toOrderNow(planned, source);
		if (now !== null) lanes.inTurn(new RowCarrier(orderOf(now, source.batch), now.row.input, run));
	}
}

/**
 * Rows whose brief is paid or may be, and to which nothing is sent. From the journal and not from the CSV: a brief is
 * fetched even if its row was taken out meanwhile.
 */
function* paidRows(rows: readonly PlannedRow[], run: Run): Generator<RowCarrier> {
	for (const record of run.store.journal.records.all()) {
		const { state, brief_id } = record;
		const isPaid = state === 'accepted' || state === 'ended' || state === 'parked';
		if (isPaid && brief_id !== null) yield carrierOf(record, productOf(record), run);
	}
	for (const { row, record, todo } of rows)
		if (todo === 'look' && record?.brief_id === null) yield carrierOf(record, row.input, run);
}

/** Rows that were sent, or about to be, by a run that knows no answer. */
function* rowsInDoubt(rows: readonly PlannedRow[], run: Run): Generator<RowCarrier> {
	for (const { row, record, todo } of rows)
		if (todo === 'resume' && record?.state === 'in_doubt') yield carrierOf(record, row.input, run);
}

/** The same if the row is no longer in the CSV. */
function* rowsGone(run: Run): Generator<RowCarrier> {
	for (const record of run.store.journal.records.all()) {
		if (!run.claims.goneKeys.has(record.key)) continue;
		yield new RowCarrier(rowOrderIn(record), productOf(record), run, { isGone: true });
	}
}

function carrierOf(record: BriefRecord, input: BriefInput, run: Run): RowCarrier {
	return new RowCarrier(rowOrderIn(record), input, run);
}

/** All that is known of an order whose row may no longer be in the CSV. */
function productOf({ product_name }: BriefRecord): BriefInput {
	return { product_name };
}

/** @returns what ends the listening */
function listenForInterruption(
	{ interruption }: RunEnvironment,
	{ store, emit, ordering }: Run,
): () => void {
	const onInterruption = () => {
		const running = store.journal.records
			.all()
			.flatMap(({ state, brief_id, row_number, product_name }) =>
				state === 'accepted' && brief_id !== null
					? [{ row: row_number, product_name, brief_id }]
					: [],
			);
		emit({ event: 'interrupted', running });
		ordering.interrupt();
	};
	if (interruption.aborted) onInterruption();
	else interruption.addEventListener('abort', onInterruption, { once: true });
	return () => interruption.removeEventListener('abort', onInterruption);
}
