import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { steadyClock } from '../clock';
import type { Table } from '../csv/table';
import { EXIT, type ExitCode } from '../exit-codes';
import type { Records } from '../folder/records';
import { writeReport, writeShared } from '../results/report-files';
import { RESULTS } from '../results/result-columns';
import { rewriteResults } from '../results/results';
import { tableFromJournal, tableFromResults } from '../run/result-table';
import { planOfLastCsv } from './last-csv';
import { openResults } from './open-results';
import type { Console } from '../screen/console';
import { newestFile, type HeldFile } from '../folder/put-in-place';
import { heldText } from '../results/words';
import { readExistingJournal, releaseFolder, takeFolder } from '../folder/out-folder';
import type { RawOptions } from '../settings/options';
import { rememberedOptions } from '../settings/reading';
import { clientName } from '../settings/settings';
import { count } from '../text';

/**
 * Writes results.csv and report.html again, without the CSV. A results.csv that is there gives the rows and their own
 * columns, and is brought up to date; if there is none, the rows are those that the journal knows.
 */
export async function report(options: RawOptions, console: Console): Promise<ExitCode> {
	const { out: outDir } = options;
	const name = clientName(options);
	await readExistingJournal(outDir);
	const clock = steadyClock();
	const say = (text: string) => console.say(text);
	const { interruption: signal } = console;
	// A run that goes on writes both by itself.
	const folder = await takeFolder({ outDir, clock, say, signal, tell: console.events.tell });
	const { journal, lock } = folder;
	try {
		const { records } = journal;
		const results = join(outDir, RESULTS);
		const resultsCsv = await resultsAsRead(outDir, records);
		const isLeft = resultsCsv === null && existsSync(results);
		if (isLeft) say(`${results} was changed by another program and cannot be read: ${LEFT}`);
		else if (resultsCsv === null) say(`${results} was not there: ${NEW}`);
		const place = { outDir, lastCommand: records };
		const csv = await planOfLastCsv(records);
		const table =
			resultsCsv === null
				? tableFromJournal(records, place, csv)
				: tableFromResults(resultsCsv, records, place, csv);
		const report = (file: HeldFile) => say(heldText(file));
		const how = { isLastTry: true, report };
		if (!isLeft) await rewriteResults(lock.disk, outDir, table, how);
		// A list of the journal's rows is not that of a CSV: the report says so.
		const tableOfCsv = resultsCsv === null ? null : table;
		const now = clock.now();
		await writeReport(lock.disk, outDir, records, { ...how, table: tableOfCsv, now, name });
		const names = [...(isLeft ? [] : [RESULTS]), 'report.html'];
		const paths = names.map((name) => newestFile(outDir, name));
		say(`Written: ${paths.join(' and ')}`);
		if (options.share !== true) return EXIT.ok;
		const title = options.name ?? records.batch ?? name;
		const facts = { ...how, rows: table.rows, title, now };
		say(sharedText(await writeShared(lock.disk, outDir, records, facts), outDir));
		return EXIT.ok;
	} finally {
		await releaseFolder(folder);
	}
}

function sharedText(
	{ shared, missing }: { shared: number; missing: number },
	outDir: string,
): string {
	const lostText =
		missing === 0
			? ''
			: ` The files of ${count(missing, 'brief')} are gone from results/: the next run fetches them, which costs nothing.`;
	return shared === 0
		? `No brief is finished, so there is nothing to pass on.${lostText}`
		: `To pass on: ${newestFile(outDir, 'briefs.html')}, with ${count(shared, 'brief')}.${lostText}`;
}

/** Opens results.csv with the columns that the run read whose rows it lists: a --map may have named them. */
function resultsAsRead(outDir: string, records: Records): Promise<Table | null> {
	return openResults(outDir, rememberedOptions(records.run));
}

const LEFT =
	'it is left as it is. Move it away, and give this command again to have it written from the journal, or run the CSV again.';
const NEW =
	'it has the rows that the journal knows, without the CSV’s own columns. Run the CSV again to have all of them.';
