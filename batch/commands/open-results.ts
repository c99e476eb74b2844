import { promises as fs, statSync } from 'node:fs';
import { openTable, type Table, type TableOptions } from '../csv/table';
import { Failure } from '../failure';
import { newestFile } from '../folder/put-in-place';
import { withOwnIds } from '../plan/own-ids';
import { delimiterOfResults, RESULTS } from '../results/result-columns';

/** Longer than any header. */
const HEADER_BYTES = 64 * 1024;

/**
 * Opens the results.csv under --out; null if there is no readable one.
 * @param idColumn the column of --id, which it may lack
 */
export async function openResults(
	outDir: string,
	{ map, set }: TableOptions,
	idColumn: string | null = null,
): Promise<Table | null> {
	const file = newestFile(outDir, RESULTS);
	// A pipe would be waited for.
	if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
	try {
		const delimiter = delimiterOfResults((await fs.readFile(file)).subarray(0, HEADER_BYTES));
		if (delimiter === undefined) return null;
		return withOwnIds(await openTable(file, { delimiter, map, set }), idColumn);
	} catch (error) {
		if (error instanceof Failure) return null;
		throw error;
	}
}
