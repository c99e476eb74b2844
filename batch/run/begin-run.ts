import { commandFor } from '../command-text';
import { Failure } from '../failure';
import { fileNameOf } from '../journal/records';
import { count } from '../text';
import type { Dependencies } from './dependencies';
import { failureOnRecord } from './failure-on-record';
import { resultsOf } from './files/earlier-results';
import { retryOptions } from './plan/retry-worth';
import { standingOf } from './plan/standing';
import { countReady } from './plan/foresee-listed';
import { preflight, toTell, type Preflight } from './preflight';
import { checkProductColumn } from './same-product-column';
import type { RunEnvironment, RunRequest } from './request';
import { heldBack, mayOrder, type Summary } from './rows/summarise';
import { checkWorkspace } from './same-workspace';

/**
 * Asks licence and list, and whether they are of the journal's own workspace where something may be ordered.
 * @throws {Failure} where the run cannot begin; it is put on record for `status`, which otherwise could not tell why a
 * run of last night did nothing
 */
export async function askFirst(
	request: RunRequest,
	env: RunEnvironment,
	summary: Summary,
): Promise<Preflight> {
	const { journal, service, clock, interruption, emit } = env;
	const { records } = journal;
	try {
		checkProductColumn(request, records, summary);
		const before = await preflight(service, clock, request, interruption, records);
		for (const text of toTell(before, request.keep)) emit({ event: 'notice', text });
		if (mayOrder(summary, request))
			await checkWorkspace(records, before.listing.briefs, request, env);
		return before;
	} catch (error) {
		if (error instanceof Failure)
			await journal.append({
				type: 'not_begun',
				csv: request.table.file,
				...failureOnRecord(error),
			});
		throw error;
	}
}

/** Puts the beginning of the run on record, and tells what it is about to do. */
export async function beginRun(
	request: RunRequest,
	{ journal, emit }: RunEnvironment,
	summary: Summary,
	{ allowance: { allowance, used } }: Preflight,
	{ listed, workspace }: Pick<Dependencies, 'listed' | 'workspace'>,
): Promise<void> {
	const { ready, toCompare, ended } = countReady(request, summary, journal.records, listed);
	const { file: csv, set, headers } = request.table;
	const results_of = resultsOf(request, journal.records);
	const isOwn = results_of !== fileNameOf(csv);
	const started = { csv, allowance, used, set, headers, ...(isOwn ? { results_of } : {}) };
	await journal.append({ type: 'run_started', ...started });
	emit({
		event: 'run_started',
		batch: request.batch,
		rows: summary.rows,
		to_create: ready,
		...(toCompare > 0 ? { to_compare: toCompare } : {}),
		to_resume: summary.begun.length,
		done: ended,
		changed: heldBack(summary, request),
		invalid: summary.invalid,
		duplicates: summary.duplicates,
		allowance,
		used,
		others_running: workspace.othersRunning(),
	});
	if (request.part === undefined || summary.failed === 0) return;
	const newest = { lastCsv: csv, lastSet: set };
	const options = retryOptions(standingOf(journal.records).failed);
	const retry = commandFor('retry', newest, request.outDir, ...options);
	const text = `${count(summary.failed, 'row')} failed earlier and cost nothing now. To order ${summary.failed === 1 ? 'it' : 'them'} again: ${retry}`;
	emit({ event: 'notice', text });
}
