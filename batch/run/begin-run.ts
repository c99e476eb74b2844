import type { Allowance } from '../../service/list/allowance';
import { commandFor } from '../command-text';
import { EXIT, Failure } from '../failure';
import { fileNameOf } from '../folder/journal/records';
import { differencesText } from '../plan/change-text';
import { differingFields } from '../plan/changes';
import { countIf, countRows, mayOrder, type Plan, type PlannedRow, type Todo } from '../plan/plan';
import { retryOptions } from '../plan/retry';
import { count, them } from '../text';
import type { Run } from './prepare';
import { resultsOf } from './earlier-results';
import { preflight, type Preflight } from './preflight';
import type { Emit } from './events';
import { marksOf } from './reported';
import type { RunEnvironment, RunRequest } from './request';
import { checkProductColumn } from './same-product-column';
import { checkWorkspace } from './same-workspace';

/** Reports the rows that need something, before anything is asked. */
export function reportRows(
	{ rows, source: { records } }: Plan,
	{ table: { set } }: Pick<RunRequest, 'table'>,
	emit: Emit,
): void {
	const marks = marksOf(rows);
	const known = (planned: PlannedRow) =>
		records.reported.has(marks.get(planned) ?? '') ? { known: true as const } : {};
	for (const planned of rows) {
		const { row, status, sameAs } = planned;
		const { number, problems } = row;
		if (sameAs !== undefined) emit({ event: 'row_duplicate', row: number, first_row: sameAs });
		else if (status === 'invalid')
			emit({ event: 'row_invalid', row: number, problems, ...known(planned) });
	}
	for (const planned of rows) {
		const { row, status, change, sameAs } = planned;
		if (status !== 'changed' || change === undefined || sameAs !== undefined) continue;
		const { number, input } = row;
		emit({
			event: 'row_changed',
			row: number,
			product_name: input.product_name,
			brief_id: change.brief_id,
			fields: differingFields({ row, change }),
			differences: differencesText({ row, change }, set),
			...known(planned),
		});
	}
}

/**
 * Reads licence and list, and checks that they are of the journal's own workspace if something may be ordered.
 * @throws {Failure} if the run cannot begin. It is put on record, so that `status` can say why a run did nothing
 */
export async function askFirst(
	request: RunRequest,
	env: RunEnvironment,
	plan: Plan,
): Promise<Preflight> {
	const { journal, emit } = env;
	const { records } = journal;
	try {
		checkProductColumn(request, plan);
		const before = await preflight(request, env, records);
		for (const text of before.notices) emit({ event: 'notice', text });
		if (mayOrder(plan)) await checkWorkspace(records, before.listing.briefs, request, env);
		return before;
	} catch (error) {
		if (error instanceof Failure)
			await journal.append({
				type: 'not_begun',
				csv: request.table.file,
				...error.onRecord,
			});
		throw error;
	}
}

/**
 * Only what a person has confirmed is ordered: the CSV is read once.
 * @throws {Failure} if the person says no
 */
export async function confirmOrders(
	plan: Plan,
	{ allowance, remaining }: Allowance,
	{ confirm }: Pick<RunEnvironment, 'confirm'>,
): Promise<void> {
	const rows = plan.rows.filter(({ ordered }) => ordered === 'now');
	if (confirm === undefined || rows.length === 0) return;
	const leftAfterwards = remaining === null ? null : remaining - rows.length;
	if (await confirm({ rows, leftAfterwards, allowance })) return;
	throw new Failure('Nothing was ordered.', 'The rows stay as they are.', EXIT.unusable);
}

/** Puts the beginning of the run on record, and says what it is about to do. */
export async function beginRun(
	request: RunRequest,
	{ rows }: Plan,
	{ allowance, used }: Allowance,
	{ tools, journal, emit }: Run,
): Promise<void> {
	const counts = countRows(rows);
	const to = (todo: Todo) => countIf(rows, (row) => row.todo === todo);
	const toCompare = to('compare');
	const isAtEnd = ({ status, todo, sameAs }: PlannedRow) =>
		(status === 'ready' || status === 'failed') && todo === 'nothing' && sameAs === undefined;
	const { file: csv, set, headers } = request.table;
	const results_of = resultsOf(request, journal.records);
	const options = [...request.typed];
	const started = { csv, allowance, used, set, ...(options.length > 0 && { options }), headers };
	const own = results_of === fileNameOf(csv) ? {} : { results_of };
	await journal.append({ type: 'run_started', ...started, ...own });
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
		others_running: tools.workspace.othersRunning(),
	});
	if (request.part === undefined || counts.failed === 0) return;
	const { records } = journal;
	const retry = commandFor('retry', records, request.outDir, ...retryOptions(records));
	const text = `${count(counts.failed, 'row')} failed earlier and cost nothing now. To order ${them(counts.failed)} again: ${retry}`;
	emit({ event: 'notice', text });
}
