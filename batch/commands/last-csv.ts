import { STANDARD_INPUT } from '../csv/csv-text';
import { openTable } from '../csv/table';
import type { Records } from '../folder/records';
import { planOfList, type Bounds } from '../plan/plan';
import { tableOptions } from '../settings/reading';
import { Stop } from '../stop';
import { tableOfList } from './chosen-rows';

/**
 * Plans the CSV of the newest run as it is now, by the journal alone, and as the folder remembers how it is read. Null if
 * it is not there any more, or cannot be read.
 */
export async function lastList(records: Records) {
	const { run, batch } = records;
	if (run === undefined || run.csv === STANDARD_INPUT) return null;
	try {
		const table = tableOfList(await openTable(run.csv, tableOptions({ reading: run })), run);
		const source = { batch: batch ?? '', rows: table.rows, csv: table.rows, records, options: {} };
		return { table, list: planOfList(source, boundsOfLastRun(records)) };
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}

/** Gives what the last run left of the allowance of its month, as long as that lasts. */
function boundsOfLastRun({ lastRun, isUnderWay }: Records): Bounds | undefined {
	if (lastRun === null || isUnderWay || lastRun.rest === null) return undefined;
	const now = Date.now();
	if (now >= Date.parse(lastRun.resets_at)) return undefined;
	return { rest: lastRun.rest, max: Infinity, perMonth: null, now };
}
