import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { INPUT_FIELDS } from '../../service/input';
import { steadyClock } from '../clock';
import type { Table } from '../csv/table';
import { realDisk } from '../disk';
import { EXIT, type ExitCode } from '../failure';
import type { Records } from '../journal/records';
import { writeReport } from '../results/report';
import { writeResults } from '../results/results';
import { diskFailure } from '../run/disk-failure';
import { tableFromJournal, tableFromResults } from '../run/files/result-table';
import { newestResults, openResults } from './batch-of';
import type { Console } from './console';
import { holdFolder } from './hold-folder';
import { readExistingJournal } from './journal-file';

/**
 * Writes results.csv and report.html anew, without the CSV. A results.csv that is there gives the rows and their own
 * columns, and is brought up to date; where there is none, the rows are those that the journal knows.
 */
export async function report(outDir: string, console: Console): Promise<ExitCode> {
	await readExistingJournal(realDisk, outDir);
	const clock = steadyClock();
	const say = (text: string) => console.say(text);
	try {
		// A run that goes on writes both by itself.
		return await holdFolder({ disk: realDisk, outDir, clock, say }, async (lock) => {
			const records = await readExistingJournal(realDisk, outDir);
			const results = join(outDir, 'results.csv');
			const whole = await resultsAsRead(outDir, records);
			const newest = newestResults(outDir);
			const isLeft = whole === null && existsSync(newest);
			if (isLeft) say(`${newest} was changed by another program and cannot be read: ${LEFT}`);
			else if (whole === null) say(`${results} was not there: ${NEW}`);
			const table = whole === null ? tableFromJournal(records) : tableFromResults(whole, records);
			const how = { isLastTry: true, say };
			const listing = isLeft ? null : await writeResults(lock.disk, outDir, table, how);
			// A listing of the journal's rows is not that of a CSV: the report says so.
			const known = whole === null ? null : listing;
			await writeReport(lock.disk, outDir, records, { ...how, listing: known, now: clock.now() });
			const written = [...(isLeft ? [] : [results]), join(outDir, 'report.html')];
			say(`Written: ${written.join(' and ')}`);
			return EXIT.ok;
		});
	} catch (error) {
		throw diskFailure(error);
	}
}

/** Opens results.csv with the columns that the run read whose rows it lists: a --map may have named them. */
async function resultsAsRead(outDir: string, records: Records): Promise<Table | null> {
	const run = records.whole ?? records.run;
	const set = records.run?.set ?? {};
	const map = INPUT_FIELDS.flatMap((field) => {
		const header = run?.headers[field];
		return header === undefined ? [] : [{ header, field }];
	});
	return (await openResults(outDir, { map, set })) ?? (await openResults(outDir, { map: [], set }));
}

const LEFT =
	'it is left as it is. Move it away, and give this command again to have it written from the journal, or run the CSV again.';
const NEW =
	'it has the rows that the journal knows, without the CSV’s own columns. Run the CSV again to have all of them.';
