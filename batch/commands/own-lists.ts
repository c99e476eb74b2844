import { promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { STANDARD_INPUT } from '../csv/csv-text';
import type { Table } from '../csv/table';
import { readJournal } from '../folder/out-folder';
import { otherName } from '../folder/put-in-place';
import type { Place } from '../command-text';
import { ownListRefused } from '../screen/own-list-text';
import { LISTS, RESULTS, STATUS_COLUMN } from '../results/result-columns';
import { Stop } from '../stop';

/**
 * Refuses a list that brief-batch wrote, wherever it is, and a CSV in the place of one, which a run would write over.
 * @throws {Stop}
 */
export async function refuseOwnLists(table: Table, outDir: string): Promise<void> {
	const { file, columns, rows } = table;
	const place = columns.indexOf(STATUS_COLUMN);
	if (place !== -1) {
		const isFailed = rows.length > 0 && rows.every(({ cells }) => cells[place] === 'failed');
		throw ownListRefused(file, isFailed, await placeBeside(file, outDir));
	}
	const name = await nameInPlace(file, outDir);
	if (name === undefined) return;
	throw new Stop(
		`“${file}” would be lost: a run with --out ${outDir} writes or removes a ${name} there by itself.`,
		'Nothing was ordered or written. Save it under another name, such as my-rows.csv, and run that.',
	);
}

/** Gives the folder with a batch that the list lies in, or else that of --out. */
async function placeBeside(file: string, outDir: string): Promise<Place> {
	const beside = file === STANDARD_INPUT ? outDir : dirname(file);
	const records = await readJournal(beside);
	return records.batch === null
		? { outDir, lastCommand: await readJournal(outDir) }
		: { outDir: beside, lastCommand: records };
}

/** The names under which a run writes or removes CSVs in --out. */
const WRITTEN = [RESULTS, ...Object.values(LISTS)].flatMap((name) => [name, otherName(name)]);

/** Gives the name of a CSV if a run writes it under --out, whatever its path is. */
async function nameInPlace(csv: string, outDir: string): Promise<string | undefined> {
	const ownPath = csv === STANDARD_INPUT ? null : await realPath(csv);
	for (const name of ownPath === null ? [] : WRITTEN)
		if ((await realPath(join(outDir, name))) === ownPath) return name;
	return undefined;
}

function realPath(path: string): Promise<string | null> {
	return fs.realpath(path).catch(() => null);
}
