import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { steadyClock } from '../clock';
import type { Table } from '../csv/table';
import { EXIT, type ExitCode } from '../failure';
import type { Records } from '../folder/journal/records';
import { writeReport, writeShared } from '../results/report-files';
import { RESULTS } from '../results/result-columns';
import { writeResults } from '../results/results';
import { tableFromJournal, tableFromResults } from '../run/result-table';
import { asRead, planOfLastCsv } from './last-csv';
import { openResults } from './open-results';
import type { Console } from '../screen/console';
import { newestFile, type HeldFile } from '../folder/put-in-place';
import { heldText } from '../results/words';
import { readExistingJournal, releaseFolder, takeFolder } from '../folder/out-folder';
import type { ReportOptions } from '../settings/options';
import { clientName } from '../settings/settings';
import { count } from '../text';

/**
 * Writes results.csv and report.html again, without the CSV. A results.csv that is there gives the rows and their own
 * columns, and is brought up to date; if there is none, the rows are those that the journal knows.
 */
export async function report(options: ReportOptions, console: Console): Promise<ExitCode> {
	const { out: outDir } = options;
	const name = clientName(options);
	await readExistingJournal(outDir);
	const clock = steadyClock();
	const say = (text: string) => console.say(text);
	const { interruption: signal } = console;
	// A run that goes on writes both by itself.
	const folder = await takeFolder({ outDir, clock, say, signal });
	const { journal, lock } = folder;
	try {
		const { records } = journal;
		const results = join(outDir, RESULTS);
		const whole = await resultsAsRead(outDir, records);
		const newest = newestFile(outDir, RESULTS);
		const isLeft = whole === null && existsSync(newest);
		if (isLeft) say(`${newest} was changed by another program and cannot be read: ${LEFT}`);
		else if (whole === null) say(`${results} was not there: ${NEW}`);
		const place = { outDir, newest: records };
		const csv = await planOfLastCsv(records);
		const table =
			whole === null
				? tableFromJournal(records, place, csv)
				: tableFromResults(whole, records, place, csv);
		const report = (held: HeldFile) => say(heldText(held));
		const how = { isLastTry: true, report };
		if (!isLeft) await writeResults(lock.disk, outDir, table, how);
		// A list of the journal's rows is not that of a CSV: the report says so.
		const known = whole === null ? null : table;
		const now = clock.now();
		await writeReport(lock.disk, outDir, records, { ...how, table: known, now, name });
		const names = [...(isLeft ? [] : [RESULTS]), 'report.html'];
		const written = names.map((name) => newestFile(outDir, name));
		say(`Written: ${written.join(' and ')}`);
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
	const gone =
		missing === 0
			? ''
			: ` The files of ${count(missing, 'brief')} are gone from results/: the next run fetches them, which costs nothing.`;
	return shared === 0
		? `No brief is finished, so there is nothing to pass on.${gone}`
		: `To pass on: ${newestFile(outDir, 'briefs.html')}, with ${count(shared, 'brief')}.${gone}`;
}

/** Opens results.csv with the columns that the run read whose rows it lists: a --map may have named them. */
async function resultsAsRead(outDir: string, records: Records): Promise<Table | null> {
	const { map, set } = asRead(records.run ?? { headers: {}, set: {}, form: undefined });
	return (await openResults(outDir, { map, set })) ?? (await openResults(outDir, { map: [], set }));
}

const LEFT =
	'it is left as it is. Move it away, and give this command again to have it written from the journal, or run the CSV again.';
const NEW =
	'it has the rows that the journal knows, without the CSV’s own columns. Run the CSV again to have all of them.';
