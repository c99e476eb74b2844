import type { BriefInput } from '../../service/api/resources';
import { failureOf } from '../failure';
import { inputIn } from '../folder/journal/content';
import type { BriefRecord } from '../folder/journal/records';
import type { OrderContext } from '../order/context';
import { findRemoved, refetch } from '../order/refetch';
import { RowOrder } from '../order/row-order';
import { toOrderNow, tryOfPlanned, type Plan, type PlannedRow, type Todo } from '../plan/plan';
import { named, tryIn } from '../plan/try';
import { count, them } from '../text';
import { Lanes } from './lanes';
import type { RunEnvironment, RunRequest } from './request';

/** Carries the rows on: first what earlier runs began, then what costs nothing, then the new rows as the CSV has them. */
export async function scheduleRows(
	{ rows, source }: Plan,
	{ leaveSlots }: Pick<RunRequest, 'leaveSlots'>,
	env: RunEnvironment,
	run: OrderContext,
): Promise<void> {
	const { ordering } = run;
	const lanes = await Lanes.open(leaveSlots, ordering);
	const removed = await findRemoved(run);
	const stopListening = listenForInterruption(rows, env, run);
	// What a row shows when it is looked at again, at its turn, is more than what the plan knew.
	const looks = new Map(source.looks);
	const plan = { rows, source: { ...source, looks } };

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
	const ordered = takeOverListed(plan, looks, run, lanes).then(() => orderRows(plan, run, lanes));
	// The end of ordering is not the end of waiting: what was ordered is fetched.
	await ordered.catch((error: unknown) => ordering.fail(failureOf(error)));
	await lanes.whenEmpty();
	stopListening();

	ordering.isLastCall = true;
	await lanes.settle();
}

/** Takes over the briefs that are the rows' own, and parks the rows beside one that may be. */
async function takeOverListed(
	{ rows, source }: Plan,
	looks: Map<number, unknown>,
	run: OrderContext,
	lanes: Lanes,
): Promise<void> {
	const taken: RowOrder[] = [];
	// Only after the first are taken do we know which briefs belong to nobody.
	for (const todo of ['take_over', 'park'] as const) {
		const planned = rows.filter((row) => row.todo === todo);
		const orders = planned.map((row) => orderOfRow(row, source, run));
		taken.push(...(await lanes.those(orders, (row) => row.takeOver())));
		// What earlier runs left is known by now, and may have the brief.
		for (const row of orders) if (row.isOpen) looks.delete(row.order.row_number);
	}
	for (const row of taken) lanes.beside(row);
	const isKept = ({ order: { row, ordinal } }: RowOrder) =>
		run.kept.has(run.journal.records.of(row, ordinal)?.brief_id ?? '');
	const back = taken.filter(isKept);
	const listed = taken.filter((row) => !isKept(row));
	for (const text of [...takenText(back, 'results/'), ...takenText(listed, 'workspace')])
		run.emit({ event: 'notice', text });
}

function takenText(rows: readonly RowOrder[], from: 'results/' | 'workspace'): string[] {
	const n = rows.length;
	if (n === 0) return [];
	const were = n === 1 ? 'was' : 'were';
	const what =
		from === 'results/'
			? `${count(n, 'brief')} ${were} taken back from results/`
			: `${count(n, 'row')} ${were} taken over: the workspace had a brief of the same content`;
	return [`${what}, so nothing is paid for ${them(n)}.`];
}

async function orderRows({ rows, source }: Plan, run: OrderContext, lanes: Lanes): Promise<void> {
	const { ordering } = run;
	for (const planned of rows) {
		if (toOrderNow(planned, source) === null) continue;
		await lanes.whenFree(() => ordering.end !== null);
		if (ordering.end !== null) return;
		// Meanwhile another row may have taken its brief.
		const now = toOrderNow(planned, source);
		if (now === null) continue;
		// The plan has compared it. To compare it again would let the next row have its slot.
		const compared = run.listed.atStart;
		lanes.inTurn(new RowOrder(tryOfPlanned(now, source.batch), now.row.input, run, { compared }));
	}
}

function orderOfRow(planned: PlannedRow, { batch }: Plan['source'], run: OrderContext): RowOrder {
	return new RowOrder(tryOfPlanned(planned, batch), planned.row.input, run);
}

/**
 * Gives what earlier runs left. From the journal and not from the CSV: a brief is fetched even if its row was taken out
 * meanwhile.
 */
function leftByEarlierRuns({ rows }: Plan, run: OrderContext) {
	const known = run.journal.records.all();
	const ids = ownIdsIn(rows);
	const orderIn = (record: BriefRecord, input?: BriefInput) => {
		const isGone = run.claims.goneKeys.has(record.key);
		const ordered = input ?? inputIn(record.content ?? {}, record.product_name);
		const order = tryIn({ ...record, id: ids.get(record) ?? record.id });
		return new RowOrder(order, ordered, run, { isGone });
	};
	const inPlan = (isMeant: (record: BriefRecord, todo: Todo) => boolean) =>
		rows.flatMap(({ row, record, todo }) =>
			record !== undefined && isMeant(record, todo) ? [orderIn(record, row.input)] : [],
		);
	const isPaid = ({ state, brief_id }: BriefRecord) => brief_id !== null && state !== 'done';
	return {
		/** Their brief is paid or may be, and nothing is sent. */
		paid: [
			...known.filter(isPaid).map((record) => orderIn(record)),
			...inPlan(({ brief_id }, todo) => todo === 'look' && brief_id === null),
		],
		/** They were sent, or about to be, by a run that knows no answer. */
		inDoubt: inPlan(({ state }, todo) => todo === 'resume' && state === 'in_doubt'),
		/** The same if the row is no longer in the CSV. */
		gone: known.filter(({ key }) => run.claims.goneKeys.has(key)).map((record) => orderIn(record)),
	};
}

/** The orders of the plan with the numbers that their rows have now: --id may be given later than the order. */
function ownIdsIn(rows: Plan['rows']): ReadonlyMap<BriefRecord | undefined, string | undefined> {
	return new Map(rows.map(({ row, record, change }) => [change ?? record, row.ownId]));
}

/** @returns what ends the listening */
function listenForInterruption(
	rows: Plan['rows'],
	{ interruption }: RunEnvironment,
	{ journal, emit, ordering }: OrderContext,
): () => void {
	const ids = ownIdsIn(rows);
	const onInterruption = () => {
		const running = journal.records.all().flatMap((record) => {
			const { state, brief_id, id } = record;
			if (state !== 'accepted' || brief_id === null) return [];
			return [{ ...named({ ...record, id: id ?? ids.get(record) }), brief_id }];
		});
		emit({ event: 'interrupted', running });
		ordering.interrupt();
	};
	if (interruption.aborted) onInterruption();
	else interruption.addEventListener('abort', onInterruption, { once: true });
	return () => interruption.removeEventListener('abort', onInterruption);
}
