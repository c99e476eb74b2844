import { promises as fs, statSync } from 'node:fs';
import { openTable, type Table, type TableOptions } from '../csv/table';
import { Failure } from '../failure';
import { newestFile } from '../folder/put-in-place';
import { delimiterOfResults, RESULTS } from '../results/result-columns';

/** Opens the results.csv under --out; null if there is no readable one. */
export async function openResults(
	outDir: string,
	{ map, set }: TableOptions,
): Promise<Table | null> {
	const file = newestFile(outDir, RESULTS);
	// A pipe would be waited for.
	if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
	try {
		const delimiter = delimiterOfResults(await fs.readFile(file));
		return delimiter === undefined ? null : await openTable(file, { delimiter, map, set });
	} catch (error) {
		if (error instanceof Failure) return null;
		throw error;
	}
}
