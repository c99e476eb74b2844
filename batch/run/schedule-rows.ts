import { SLOTS } from '../../service/limits';
import type { BriefInput } from '../../service/resources';
import type { BriefRecord } from '../journal/records';
import { classifyRows } from './classify-rows';
import type { Dependencies } from './dependencies';
import { begunFailure } from './disk-failure';
import type { RunEnvironment, RunRequest } from './request';
import { RowCarrier } from './row-carrier';
import { rowOrderIn, rowOrderOf } from './row-order';
import type { Summary } from './summarise';

/** Briefs of earlier runs that are looked after at the same time: hundreds at once would meet the rate limit. */
const LOOKS_AT_ONCE = 8;

/** First what earlier runs began, then the new rows in the order of the CSV, read only as fast as slots come free. */
export async function scheduleRows(
	request: RunRequest,
	{ journal, emit, interruption }: RunEnvironment,
	summary: Summary,
	run: Dependencies,
): Promise<void> {
	const { ordering } = run;
	const { default: pLimit } = await import('p-limit');
	const slots = pLimit(SLOTS - request.leaveSlots);
	const looks = pLimit(LOOKS_AT_ONCE);
	const active = new Set<Promise<void>>();
	const unsettled: RowCarrier[] = [];

	const track = (work: Promise<void>) => {
		active.add(work);
		void work.finally(() => active.delete(work));
	};
	const order = async (row: RowCarrier): Promise<boolean> => {
		const isEnded = await row.order();
		if (row.isUnsettled) unsettled.push(row);
		return isEnded;
	};
	/** A row that holds one of our slots until its brief has ended. Its files are written when the next one has it. */
	const inTurn = async (row: RowCarrier) => {
		if (await slots(() => order(row))) await row.file();
	};
	/** A brief that holds its slot already, wherever it was ordered. */
	const beside = async (row: RowCarrier) => {
		if (await order(row)) await row.file();
	};
	/** The row, where this run can do more for it. */
	const recovered = async (row: RowCarrier) => ((await looks(() => row.recover())) ? [row] : []);
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

	for (const row of paidRows(summary, run)) {
		track(recovered(row).then((known) => each(known, beside)));
	}
	// What runs already is found out before anything is ordered: its slots are taken (P4).
	const begun = summary.begun.filter(({ record }) => record.state === 'in_doubt');
	const inDoubt = await Promise.all(
		begun.map(({ row, record }) => recovered(new RowCarrier(rowOrderIn(record), row.input, run))),
	);
	// The new rows might be of the same product as one that was taken out of the CSV.
	const isInCsv = new Set(summary.begun.map(({ record }) => record.key));
	const gone = await Promise.all(
		journal.records
			.all()
			.filter(({ state, key }) => state === 'in_doubt' && !isInCsv.has(key))
			.map((record) =>
				recovered(new RowCarrier(rowOrderIn(record), productOf(record), run, { isGone: true })),
			),
	);
	for (const row of gone.flat()) track(beside(row));
	for (const row of inDoubt.flat()) track(inTurn(row));

	const feed = async () => {
		for await (const batch of classifyRows(request.table, journal.records, request)) {
			for (const { row, ...classified } of batch) {
				if (classified.fate !== 'new' || isInCsv.has(classified.record?.key ?? '')) continue;
				while (slots.pendingCount > 0 && ordering.end === null) await Promise.race(active);
				if (ordering.end !== null) return;
				const generation = classified.record?.generation ?? 1;
				const order = rowOrderOf(request.batch, row, classified.ordinal, generation);
				track(inTurn(new RowCarrier(order, row.input, run)));
			}
		}
	};
	// A CSV that can be read no further ends the ordering; what was ordered is seen to its end.
	await feed().catch((error: unknown) => ordering.fail(begunFailure(error)));
	while (active.size > 0) await Promise.race(active);
	interruption.removeEventListener('abort', onInterruption);

	ordering.isLastCall = true;
	for (const row of unsettled) await row.settle();
}

/**
 * Rows whose brief is paid or may be, and to which nothing is sent. From the journal and not from the CSV: a brief is
 * fetched even if its row was taken out meanwhile.
 */
function* paidRows(summary: Summary, run: Dependencies): Generator<RowCarrier> {
	const ofRecord = (record: BriefRecord, input: BriefInput) =>
		new RowCarrier(rowOrderIn(record), input, run);
	for (const record of run.journal.records.all()) {
		const { state, brief_id } = record;
		const isPaid = state === 'accepted' || state === 'ended' || state === 'parked';
		if (isPaid && brief_id !== null) yield ofRecord(record, productOf(record));
	}
	for (const { row, record } of summary.parked) {
		if (record.brief_id === null) yield ofRecord(record, row.input);
	}
}

/** All that is known of what was ordered for a row that may stand no more in the CSV. */
function productOf({ product_name }: BriefRecord): BriefInput {
	return { product_name };
}

async function each<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
	await Promise.all(items.map(work));
}
