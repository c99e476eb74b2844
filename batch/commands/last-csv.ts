import { STANDARD_INPUT } from '../csv/bytes';
import { openTable } from '../csv/table';
import type { Records } from '../folder/records';
import { makePlan, type Plan } from '../plan/plan';
import { rememberedOptions } from '../settings/reading';
import { Stop } from '../stop';
import { tableOfList } from './chosen-rows';

/**
 * Plans the CSV of the newest run as it is now, by the journal alone: so commands name rows by the numbers that they have
 * now. Null if it is not there any more, or cannot be read.
 */
export async function planOfLastCsv(records: Records): Promise<Plan | null> {
	const { run, batch } = records;
	if (run === undefined || run.csv === STANDARD_INPUT) return null;
	try {
		const table = await openTable(run.csv, rememberedOptions(run));
		const { rows: csv } = tableOfList(table, run);
		const rows = csv.filter(({ isLeftOut }) => isLeftOut !== true);
		return makePlan({ batch: batch ?? '', rows, csv, records, options: {} });
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}
