import type { Allowance } from '../../service/list/allowance';
import { commandFor } from '../command-text';
import type { Emit } from '../events';
import { Failure } from '../failure';
import { fileNameOf } from '../folder/journal/records';
import type { OrderContext } from '../order/context';
import { differencesText } from '../plan/change-text';
import { differingFields, shownByResults } from '../plan/changes';
import {
	countIf,
	countRows,
	isToOrder,
	makePlan,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
	type Todo,
} from '../plan/plan';
import { marksOf } from '../plan/reported';
import { ownId } from '../plan/try';
import { count, them } from '../text';
import { askService, type Asked } from './ask';
import { resultsOf } from './earlier-results';
import { planByJournal, type RunEnvironment, type RunRequest } from './request';
import { checkProductColumn } from './same-product-column';

/**
 * Says which rows need something, asks the service, and makes the plan. Orders nothing.
 * @throws {Failure} if the run cannot begin. It is put on record, so that `status` can say why a run did nothing
 */
export async function askFirst(request: RunRequest, env: RunEnvironment): Promise<Asked> {
	const { journal, events } = env;
	const { records } = journal;
	const known = planByJournal(request, records, request);
	reportRows(known, request, events.emit);
	try {
		checkProductColumn(request, known);
		const asked = await askService(known, request, env);
		for (const text of asked.notices) events.emit({ event: 'notice', text });
		return asked;
	} catch (error) {
		if (error instanceof Failure)
			await journal.append({ type: 'not_begun', csv: request.table.file, ...error.onRecord });
		throw error;
	}
}

/** Reports the rows that need something, before anything is asked. */
function reportRows(
	{ rows, source: { records } }: Plan,
	{ table: { set } }: Pick<RunRequest, 'table'>,
	emit: Emit,
): void {
	const marks = marksOf(rows);
	const known = (planned: PlannedRow) =>
		records.reported.has(marks.get(planned) ?? '') ? { known: true as const } : {};
	for (const planned of rows) {
		const { row, status, sameAs } = planned;
		const { number, problems, input } = row;
		const at = { row: number, ...ownId(row.ownId) };
		const { product_name } = input;
		if (sameAs !== undefined) emit({ event: 'row_duplicate', ...at, first_row: sameAs });
		else if (status === 'invalid')
			emit({ event: 'row_invalid', ...at, product_name, problems, ...known(planned) });
	}
	for (const planned of rows) {
		const { row, status, change, sameAs } = planned;
		if (status !== 'changed' || change === undefined || sameAs !== undefined) continue;
		const { number, input } = row;
		emit({
			event: 'row_changed',
			row: number,
			product_name: input.product_name,
			...ownId(row.ownId),
			brief_id: change.brief_id,
			fields: differingFields({ row, change }),
			differences: differencesText({ row, change }, set),
			...known(planned),
		});
	}
}

/** Puts the further tries on record that were asked for, before anything is ordered. Gives the plan after that. */
export async function putTriesOnRecord(
	plan: Plan,
	{ journal }: Pick<RunEnvironment, 'journal'>,
): Promise<Plan> {
	const { source } = plan;
	const { orderAgain = false, retryUpTo } = source.options;
	if (orderAgain === false && retryUpTo === undefined) return plan;
	const again = plan.rows.filter((row) => row.again !== undefined);
	const looks = new Map(source.looks);
	for (const planned of again) {
		await journal.append({ type: 'restarted', ...tryOfPlanned(planned, source.batch) });
		if (isToOrder(planned)) looks.delete(planned.row.number);
	}
	// A row that fails in this run is not ordered once more by it.
	const options = { ...source.options, orderAgain: false, retryUpTo: undefined };
	return makePlan({ ...source, looks, options });
}

/** Puts the beginning of the run on record, and says what it is about to do. */
export async function beginRun(
	request: RunRequest,
	{ rows, source }: Plan,
	{ allowance, used }: Allowance,
	{ workspace, journal, emit }: OrderContext,
): Promise<void> {
	const counts = countRows(rows);
	const to = (todo: Todo) => countIf(rows, (row) => row.todo === todo);
	const toCompare = to('take_over') + to('park');
	const isAtEnd = ({ status, todo, sameAs }: PlannedRow) =>
		(status === 'ready' || status === 'failed') && todo === 'nothing' && sameAs === undefined;
	const { file: csv, set, headers } = request.table;
	const results_of = resultsOf(request, journal.records);
	const options = [...request.typed];
	const started = { csv, allowance, used, set, ...(options.length > 0 && { options }), headers };
	const own = results_of === fileNameOf(csv) ? {} : { results_of };
	await journal.append({ type: 'run_started', ...started, ...own });
	const known = { ...source, whole: request.part?.whole?.rows };
	for (const one of shownByResults(request.table.rows, known))
		await journal.append({ type: 'recognised', ...one });
	emit({
		event: 'run_started',
		batch: request.batch,
		rows: rows.length,
		to_create: to('order'),
		...(toCompare > 0 ? { to_compare: toCompare } : {}),
		to_resume: to('resume'),
		done: countIf(rows, isAtEnd),
		changed: counts.changed,
		invalid: counts.invalid,
		duplicates: counts.duplicate,
		allowance,
		used,
		others_running: workspace.othersRunning(),
	});
	if (request.part === undefined || counts.failed === 0) return;
	const retry = commandFor('retry', journal.records, request.outDir);
	const text = `${count(counts.failed, 'row')} failed earlier and cost nothing now. To order ${them(counts.failed)} again: ${retry}`;
	emit({ event: 'notice', text });
}
