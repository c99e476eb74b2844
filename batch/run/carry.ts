import { SLOTS } from '../../service/limits';
import { begunFailure } from './disk-failure';
import { judgeRows } from './judge';
import { orderOf } from './orders';
import type { RunEnvironment, RunRequest } from './request';
import type { Rest, Runner } from './runner';
import type { Survey } from './survey';

/** Briefs of earlier runs that are looked after at the same time. */
const LOOKS_AT_ONCE = 8;

/** First what earlier runs began, then the new rows in the order of the CSV, read only as fast as slots come free. */
export async function carryRows(
	request: RunRequest,
	{ journal, emit, interruption }: RunEnvironment,
	survey: Survey,
	runner: Runner,
): Promise<void> {
	const { default: pLimit } = await import('p-limit');
	const limit = pLimit(SLOTS - request.leaveSlots);
	const active = new Set<Promise<void>>();
	const track = (work: Promise<void>) => {
		active.add(work);
		void work.finally(() => active.delete(work));
	};
	// Hundreds may be parked: to look after all of them at once would meet the service's rate limit.
	const looks = pLimit(LOOKS_AT_ONCE);
	const inTurn = (work: () => Promise<Rest>) => track(limit(work).then((rest) => rest()));
	const onInterruption = () => {
		const running = journal.records
			.all()
			.flatMap(({ state, brief_id, row_number, product_name }) =>
				state === 'accepted' && brief_id !== null
					? [{ row: row_number, product_name, brief_id }]
					: [],
			);
		emit({ event: 'interrupted', running });
		runner.interrupt();
	};
	if (interruption.aborted) onInterruption();
	else interruption.addEventListener('abort', onInterruption, { once: true });

	// From the journal and not from the CSV: a brief is fetched even if its row was taken out meanwhile.
	for (const record of journal.records.all()) {
		const isPaid =
			record.state === 'accepted' || record.state === 'ended' || record.state === 'parked';
		if (isPaid && record.brief_id !== null) track(looks(() => runner.resume(record)));
	}
	for (const { row, record } of survey.parked) {
		if (record.brief_id !== null) continue;
		track(looks(() => runner.lookAgain(record, row.input)).then((rest) => rest()));
	}

	// What runs already is found out before anything is ordered: its slots are taken (P4).
	const open = survey.begun.filter(({ record }) => record.state === 'in_doubt');
	const settled = await Promise.all(
		open.map(({ row, record }) => looks(() => runner.settle(record, row.input))),
	);
	const begun = new Set(survey.begun.map(({ record }) => record.key));
	// The new rows might be of the same product as one that was taken out of the CSV.
	const found = await Promise.all(
		journal.records
			.all()
			.filter(({ state, key }) => state === 'in_doubt' && !begun.has(key))
			.map((record) => looks(() => runner.lookAgain(record, record, true))),
	);
	for (const rest of found) track(rest());
	for (const next of settled) inTurn(next);
	const feed = async () => {
		for await (const batch of judgeRows(request.table, journal.records, request)) {
			for (const { row, ...judged } of batch) {
				if (judged.fate !== 'new' || begun.has(judged.record?.key ?? '')) continue;
				while (limit.pendingCount > 0 && runner.end === null) await Promise.race(active);
				if (runner.end !== null) return;
				const generation = judged.record?.generation ?? 1;
				const order = orderOf(request.batch, row, judged.ordinal, generation);
				inTurn(() => runner.order(order, row.input));
			}
		}
	};
	// A CSV that can be read no further ends the ordering; what was ordered is seen to its end.
	await feed().catch((error: unknown) => runner.fail(begunFailure(error)));
	while (active.size > 0) await Promise.race(active);
	interruption.removeEventListener('abort', onInterruption);
}
