import { join } from 'node:path';
import { steadyClock } from '../clock';
import { EXIT, type ExitCode } from '../exit-codes';
import type { Records } from '../folder/records';
import { writeReport, writeShared } from '../page/report-files';
import { RESULTS } from '../results/result-columns';
import { batchOutcome } from '../results/batch-outcome';
import { resultTable } from '../results/result-table';
import { resultOfOrder } from '../results/row-result';
import { writeResults } from '../results/results';
import { selectionOf } from './chosen-rows';
import type { Row } from '../csv/table';
import { lastList } from './last-csv';
import type { Console } from '../screen/console';
import { newestFile } from '../folder/put-in-place';
import { readExistingJournal, releaseFolder, takeFolder } from '../folder/out-folder';
import { isSelected, type NamedRows, type RowSelection } from '../plan/row-selection';
import type { RawOptions } from '../settings/options';
import { clientName } from '../settings/settings';
import { readRows } from '../settings/values';
import { Stop } from '../stop';
import { count } from '../text';

/** Writes results.csv, the files beside it and report.html again, from the CSV of the newest run and the journal. */
export async function report(options: RawOptions, console: Console): Promise<ExitCode> {
	const { out: outDir } = options;
	const name = clientName(options);
	const only = readRows(options.only, '--only');
	if (only !== false && options.share !== true)
		throw new Stop('--only says which briefs are passed on.', 'Add --share, or leave --only out.');
	await readExistingJournal(outDir);
	const clock = steadyClock();
	const say = (text: string) => console.say(text);
	const { interruption: signal } = console;
	// A run that goes on writes both by itself.
	const folder = await takeFolder({ outDir, clock, say, signal, tell: console.events.tell });
	const { journal, lock } = folder;
	try {
		const { records } = journal;
		const now = clock.now();
		const last = await lastList(records);
		const selection = selectionInList(only, last?.table.rows, records);
		const place = { outDir, lastCommand: records };
		const deferral = records.lastRun?.deferral ?? { reason: 'used_up' as const };
		const outcome = batchOutcome(records, last?.list ?? null);
		const table = last && resultTable(last.list, outcome, last.table, { place, deferral, now });
		const how = { isLastTry: true, report: say };
		if (table === null) say(withoutCsv(outDir, records));
		else await writeResults(lock.disk, outDir, table, how);
		await writeReport(lock.disk, outDir, records, { ...how, table, outcome, now, name });
		const names = [...(table === null ? [] : [RESULTS]), 'report.html'];
		say(`Written: ${names.map((one) => newestFile(outDir, one)).join(' and ')}`);
		if (options.share !== true) return EXIT.ok;
		const title = options.name ?? records.batch ?? name;
		const all = table?.rows ?? records.newestTries().map((order) => resultOfOrder(order, place));
		const rows = selection === false ? all : all.filter((row) => isSelected(selection, row.number));
		const facts = { ...how, rows, title, now };
		const numbers = await writeShared(lock.disk, outDir, records, facts);
		const unfinished = selection === false ? 0 : rows.filter(({ file }) => file === '').length;
		say(sharedText({ ...numbers, unfinished }, outDir));
		return EXIT.ok;
	} finally {
		await releaseFolder(folder);
	}
}

/** @throws {Stop} if the list does not have these rows, or cannot be read */
function selectionInList(
	only: NamedRows,
	rows: readonly Row[] | undefined,
	records: Records,
): RowSelection {
	if (only === false) return false;
	if (rows !== undefined) return selectionOf('--only', only, rows);
	const what = `--only names rows of ${records.run?.csv ?? 'a CSV'}, which cannot be read.`;
	throw new Stop(what, 'Put the file back, or leave --only out.');
}

/** Counts the briefs that are passed on and those without their files, and rows of --only without a finished one. */
function sharedText(
	{ shared, missing, unfinished }: { shared: number; missing: number; unfinished: number },
	outDir: string,
): string {
	const lostText =
		missing === 0
			? ''
			: ` The files of ${count(missing, 'brief')} are gone from results/: the next run fetches them, which costs nothing.`;
	const restText =
		unfinished === 0
			? ''
			: ` ${count(unfinished, 'row')} of --only ${unfinished === 1 ? 'has' : 'have'} no finished brief.`;
	return shared === 0
		? `${unfinished > 0 ? '' : 'No brief is finished. '}There is nothing to pass on.${restText}${lostText}`
		: `To pass on: ${newestFile(outDir, 'briefs.html')}, with ${count(shared, 'brief')}.${restText}${lostText}`;
}

function withoutCsv(outDir: string, { run }: Records): string {
	const csv = run === undefined ? 'No run has read a CSV' : `${run.csv} cannot be read`;
	return `${csv}: ${join(outDir, RESULTS)} is left as it is, and the page has what the journal knows.`;
}
