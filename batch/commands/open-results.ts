import { join } from 'node:path';
import { openTable, type Table, type TableOptions } from '../csv/table';
import { realDisk } from '../folder/disk';
import { delimiterOfResults, RESULTS } from '../results/result-columns';
import { Stop } from '../stop';

/** Opens the results.csv under --out; null if there is no readable one. */
export async function openResults(
	outDir: string,
	{ map, set }: TableOptions,
): Promise<Table | null> {
	const file = join(outDir, RESULTS);
	const bytes = await realDisk.read(file);
	const delimiter = bytes === null ? undefined : delimiterOfResults(Buffer.from(bytes));
	try {
		return delimiter === undefined ? null : await openTable(file, { delimiter, map, set });
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}
