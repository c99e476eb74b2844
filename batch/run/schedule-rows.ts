import { classifyRows } from './rows/classify-rows';
import type { Dependencies } from './dependencies';
import { diskFailure } from './disk-failure';
import { paidRows, rowsGone, rowsInDoubt } from './earlier-rows';
import { Lanes } from './lanes';
import { startListedAnew, takeOverListed } from './listed/listed-rows';
import { findRemoved, refetch } from './order/refetch';
import type { RunEnvironment, RunRequest } from './request';
import { RowCarrier } from './order/row-carrier';
import { inPlaceOf, rowOrderOf } from '../plan/row-order';
import type { Summary } from './rows/summarise';

/** First what earlier runs began, then the new rows in the order of the CSV. */
export async function scheduleRows(
	request: RunRequest,
	env: RunEnvironment,
	summary: Summary,
	run: Dependencies,
): Promise<void> {
	const { ordering } = run;
	const lanes = await Lanes.open(request.leaveSlots);
	const removed = await findRemoved(run);
	const stopListening = listenForInterruption(env, run);

	if (request.orderAgain) await startListedAnew(request, summary, run);
	for (const brief of removed) lanes.aside(() => refetch(brief, run));
	lanes.recoverBeside(paidRows(summary, run));
	// What runs already is found out before anything is ordered: its slots are taken (P4).
	const inDoubt = await lanes.recover(rowsInDoubt(summary, run));
	// The new rows might be of the same product as one that was taken out of the CSV.
	const gone = await lanes.recover(rowsGone(run));
	for (const row of gone) lanes.beside(row);
	for (const row of inDoubt) lanes.inTurn(row);
	// What costs nothing comes before what is paid for, and needs no allowance.
	const isBegun = new Set(summary.begun.map(({ record }) => record.key));
	const ordered = takeOverListed(request, summary, run, lanes, isBegun).then(() =>
		orderNewRows(request, summary, run, lanes, isBegun),
	);
	// What ends the ordering leaves what was ordered to be seen to its end.
	await ordered.catch((error: unknown) => ordering.fail(diskFailure(error)));
	await lanes.whenEmpty();
	stopListening();

	ordering.isLastCall = true;
	await lanes.settle();
}

async function orderNewRows(
	request: RunRequest,
	{ changes }: Summary,
	run: Dependencies,
	lanes: Lanes,
	isBegun: ReadonlySet<string>,
): Promise<void> {
	const { ordering, journal } = run;
	const options = { ...request, changes };
	for (const classified of classifyRows(request.table, journal.records, options)) {
		if (classified.fate !== 'new' || isBegun.has(classified.record?.key ?? '')) continue;
		await lanes.whenFree(() => ordering.end !== null);
		if (ordering.end !== null) return;
		const generation = classified.record?.generation ?? 1;
		const { row, ordinal, change } = classified;
		const order = inPlaceOf(change, rowOrderOf(request.batch, row, ordinal, generation));
		const isHeldBack = change !== undefined && !request.orderChanged;
		lanes.inTurn(new RowCarrier(order, row.input, run, { isHeldBack }));
	}
}

/** @returns what ends the listening */
function listenForInterruption(
	{ interruption }: RunEnvironment,
	{ journal, emit, ordering }: Dependencies,
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
