import type { BriefInput } from '../../service/api/resources';
import { failureOf } from '../failure';
import type { BriefRecord } from '../folder/journal/records';
import { orderOf, toOrderNow, type Plan, type Todo } from '../plan/plan';
import { rowOrderIn } from '../plan/row-order';
import type { Run } from './prepare';
import { Lanes } from './lanes';
import { orderListedAgain, takeOverListed } from './take-over';
import { findRemoved, refetch } from '../order/refetch';
import { RowCarrier } from '../order/row-carrier';
import type { RunEnvironment, RunRequest } from './request';

/** Carries a plan out: first what earlier runs began, then the new rows in the order of the CSV. */
export async function scheduleRows(
	given: Plan,
	{ leaveSlots }: Pick<RunRequest, 'leaveSlots'>,
	env: RunEnvironment,
	run: Run,
): Promise<void> {
	const { ordering } = run;
	const lanes = await Lanes.open(leaveSlots);
	const removed = await findRemoved(run);
	const stopListening = listenForInterruption(env, run);

	const plan = run.orderAgain ? await orderListedAgain(given, run) : given;
	const left = leftByEarlierRuns(plan, run);
	for (const brief of removed) lanes.aside(() => refetch(brief, run));
	lanes.recoverBeside(left.paid);
	// What already runs takes slots, so it is found out before anything is ordered (P4).
	const inDoubt = await lanes.those(left.inDoubt, (row) => row.recover());
	// The new rows might be of the same product as one that was taken out of the CSV.
	const gone = await lanes.those(left.gone, (row) => row.recover());
	for (const row of gone) lanes.beside(row);
	for (const row of inDoubt) lanes.inTurn(row);
	// What costs nothing comes before what is paid for, and needs no allowance.
	const ordered = takeOverListed(plan, run, lanes).then(() => orderRows(plan, run, lanes));
	// The end of ordering is not the end of waiting: what was ordered is fetched.
	await ordered.catch((error: unknown) => ordering.fail(failureOf(error)));
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
 * What earlier runs left. From the journal and not from the CSV: a brief is fetched even if its row was taken out
 * meanwhile.
 */
function leftByEarlierRuns({ rows }: Plan, run: Run) {
	const known = run.journal.records.all();
	const carrier = (record: BriefRecord, input?: BriefInput) => {
		const isGone = run.claims.goneKeys.has(record.key);
		// The product is all that is known of an order whose row may no longer be in the CSV.
		const ordered = input ?? { product_name: record.product_name };
		return new RowCarrier(rowOrderIn(record), ordered, run, { isGone });
	};
	const inPlan = (isMeant: (record: BriefRecord, todo: Todo) => boolean) =>
		rows.flatMap(({ row, record, todo }) =>
			record !== undefined && isMeant(record, todo) ? [carrier(record, row.input)] : [],
		);
	const isPaid = ({ state, brief_id }: BriefRecord) => brief_id !== null && state !== 'done';
	return {
		/** Their brief is paid or may be, and nothing is sent. */
		paid: [
			...known.filter(isPaid).map((record) => carrier(record)),
			...inPlan(({ brief_id }, todo) => todo === 'look' && brief_id === null),
		],
		/** They were sent, or about to be, by a run that knows no answer. */
		inDoubt: inPlan(({ state }, todo) => todo === 'resume' && state === 'in_doubt'),
		/** The same if the row is no longer in the CSV. */
		gone: known.filter(({ key }) => run.claims.goneKeys.has(key)).map((record) => carrier(record)),
	};
}

/** @returns what ends the listening */
function listenForInterruption(
	{ interruption }: RunEnvironment,
	{ journal, emit, ordering }: Run,
): () => void {
	const onInterruption = () => {
		const running = journal.records
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
