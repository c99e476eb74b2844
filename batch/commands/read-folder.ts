import { monthStart } from '../../core/dates';
import { UsageProblem } from '../cli-error';
import {
	createCommandBuilder,
	formatCsvOptions,
	formatLimits,
	formatPaths,
} from '../cli/command-line';
import type { Invocation } from '../cli/program';
import { CsvProblem } from '../csv/csv-problem';
import type { Table } from '../csv/types';
import type { FolderStore } from '../folder/folder-store';
import type { RunEntry } from '../orders/runs';
import { matchRows } from '../orders/match-rows';
import { findMissingFiles } from '../plan/read-facts';
import { listCurrentRows, makeReport, type Report } from '../report/report';
import type { Wording } from '../report/row-messages';
import type { Subject } from '../report/subject';
import type { Ports } from './session';
import { makeSubject } from '../cli/subject';

/** A folder as `status` sees it, without asking the service. */
interface FolderView {
	readonly subject: Subject;
	readonly lastRun: RunEntry;
	/** Null if the CSV cannot be read, or if every run was refused. */
	readonly table: Table | null;
	/** The rows, or the orders of the folder if the CSV cannot be read. */
	readonly report: Report;
}

/**
 * Reads the CSV in the same way as the runs before.
 * @throws {UsageProblem} if the folder has no run
 */
export async function readFolder(
	folder: FolderStore,
	{ settings, typed }: Invocation,
	{ readTable, clock }: Ports,
): Promise<FolderView> {
	const { runs, orders } = folder.store;
	const lastRun = runs.last;
	if (lastRun === undefined)
		throw new UsageProblem(
			`There is no run in ${folder.path}.`,
			'Name the folder of the journal: brief-batch status DIR.',
		);
	const { lastStarted, reference = lastStarted } = runs;
	const table =
		reference && (await readTable(reference.csv, reference.csvOptions).catch(nullIfUnusable));
	const lastName = settings.name === undefined ? (lastStarted?.name ?? null) : null;
	const options = [
		...(reference === undefined ? [] : formatCsvOptions(reference.csvOptions)),
		...formatPaths(folder.path, lastStarted?.profiles ?? settings.profile),
		...(lastStarted === undefined ? [] : formatLimits(lastStarted.limits)),
		...(lastName === null ? [] : ['--name', lastName]),
	];
	const csv = reference?.csv ?? null;
	const buildCommand = createCommandBuilder(csv ?? 'FILE.csv', typed, options);
	const now = clock.now();
	const wording = { buildCommand, shortenId: orders.shortenId };
	return {
		subject: makeSubject(folder.path, settings.name ?? lastName ?? undefined, csv),
		lastRun,
		table: table ?? null,
		report: await reportCurrentRows(folder, table ?? null, wording, now),
	};
}

/** Returns the rows of the CSV as the last run has left them, or the orders of the folder if the CSV cannot be read. */
export async function reportCurrentRows(
	{ store, files }: FolderStore,
	table: Table | null,
	wording: Wording,
	now: number,
): Promise<Report> {
	const missing = findMissingFiles(store.orders, await files.findMissing());
	const orders = store.orders.withChanges(missing);
	const rows =
		table === null ? null : listCurrentRows(table.rows, matchRows(table.rows, orders, now));
	const allowanceLeft = findAllowanceLeft(store.runs.lastStarted, now);
	return makeReport({ orders, rows, allowanceLeft, monthlyLimit: null, now, wording });
}

/** If the CSV was moved or can no longer be used, the orders are counted instead. Other errors are unexpected. */
function nullIfUnusable(error: unknown): null {
	if (error instanceof CsvProblem) return null;
	throw error;
}

/** Returns what the last run of this month left of the allowance: rows beyond it are deferred. Null if unknown. */
function findAllowanceLeft(lastRun: RunEntry | undefined, now: number): number | null {
	const end = lastRun?.end ?? null;
	const isThisMonth = end !== null && Date.parse(end.at) >= monthStart(now);
	return isThisMonth ? end.allowanceLeft : null;
}
