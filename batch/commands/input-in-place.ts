import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_INPUT } from '../csv/bytes';
import type { Table } from '../csv/table';
import { Failure } from '../failure';
import { otherName } from '../folder/put-in-place';
import {
	FILES_TO_RUN,
	hasResults,
	ownColumns,
	RESULT_COLUMNS,
	RESULTS,
} from '../results/result-columns';

/** The names under which a run writes or removes CSVs in --out. */
const WRITTEN = [RESULTS, ...Object.values(FILES_TO_RUN)].flatMap((name) => [
	name,
	otherName(name),
]);

/** Gives the name of this CSV if a run writes it under --out, whatever its path is. */
export async function writtenName(csv: string, outDir: string): Promise<string | undefined> {
	if (csv === STANDARD_INPUT) return undefined;
	const own = await realPath(csv);
	for (const name of own === null ? [] : WRITTEN)
		if ((await realPath(join(outDir, name))) === own) return name;
	return undefined;
}

function realPath(path: string): Promise<string | null> {
	return fs.realpath(path).catch(() => null);
}

/**
 * Refuses a CSV that the run would write over. A run writes results on the way. So if the CSV is one of the files that
 * it writes, that file must stay as it is (failed.csv and deferred.csv of this batch) or keep its layout
 * (results.csv). Any other would be lost.
 * @param name the one that it has under --out
 * @throws {Failure}
 */
export function refuseToWriteOver(table: Table, name: string, outDir: string): void {
	const isResults = name === RESULTS || name === otherName(RESULTS);
	if (isResults ? isAsWritten(table) : table.batch !== null) return;
	const why =
		isResults && hasResults(table.columns)
			? 'this run writes its results into the same file, with another layout or encoding than it has now'
			: `a run with --out ${outDir} writes or removes a ${name} there by itself`;
	throw new Failure(
		`“${table.file}” would be lost: ${why}.`,
		`Nothing was ordered or written. Save it under another name, such as my-rows.csv, and run that with --out ${outDir} and the same options: rows that the journal knows are not paid for again.`,
	);
}

/** Checks that a results.csv is as a run writes it. Its delimiter and its byte order mark are kept. */
function isAsWritten({ columns, headerRow, encoding }: Table): boolean {
	const written = [...ownColumns(columns).map((column) => columns[column]), ...RESULT_COLUMNS];
	const hasItsColumns =
		columns.length === written.length && columns.every((header, at) => header === written[at]);
	return hasItsColumns && headerRow === 1 && encoding === 'utf-8';
}
