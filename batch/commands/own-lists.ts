import { promises as fs } from 'node:fs';
import { dirname, join } from 'node:path';
import { STANDARD_INPUT } from '../csv/bytes';
import type { Table } from '../csv/table';
import { commandFor } from '../command-text';
import { Failure } from '../failure';
import { readJournal } from '../folder/out-folder';
import { otherName } from '../folder/put-in-place';
import { LISTS, RESULTS, STATUS_COLUMN } from '../results/result-columns';

/**
 * Refuses a list that brief-batch wrote, wherever it is, and a CSV in the place of one, which a run would write over.
 * @throws {Failure}
 */
export async function refuseOwnLists(table: Table, outDir: string): Promise<void> {
	const { file, columns, rows } = table;
	const place = columns.indexOf(STATUS_COLUMN);
	if (place !== -1) {
		const isFailed = rows.length > 0 && rows.every(({ cells }) => cells[place] === 'failed');
		throw new Failure(
			`“${file}” is a list that brief-batch wrote, to read and not to run: it has the column ${STATUS_COLUMN}. Nothing was ordered.`,
			`Run the CSV that it was made of:\n${await commandToRun(isFailed ? 'retry' : 'run', file, outDir)}\nIf this is that CSV, take the column out.`,
		);
	}
	const name = await nameInPlace(file, outDir);
	if (name === undefined) return;
	throw new Failure(
		`“${file}” would be lost: a run with --out ${outDir} writes or removes a ${name} there by itself.`,
		'Nothing was ordered or written. Save it under another name, such as my-rows.csv, and run that.',
	);
}

/** Gives the command of the newest run, in the folder that the list lies in, or else in --out. */
async function commandToRun(name: 'run' | 'retry', file: string, outDir: string): Promise<string> {
	const beside = file === STANDARD_INPUT ? outDir : dirname(file);
	const records = await readJournal(beside);
	if (records.batch !== null) return commandFor(name, records, beside);
	return commandFor(name, await readJournal(outDir), outDir);
}

/** The names under which a run writes or removes CSVs in --out. */
const WRITTEN = [RESULTS, ...Object.values(LISTS)].flatMap((name) => [name, otherName(name)]);

/** Gives the name of a CSV if a run writes it under --out, whatever its path is. */
async function nameInPlace(csv: string, outDir: string): Promise<string | undefined> {
	const own = csv === STANDARD_INPUT ? null : await realPath(csv);
	for (const name of own === null ? [] : WRITTEN)
		if ((await realPath(join(outDir, name))) === own) return name;
	return undefined;
}

function realPath(path: string): Promise<string | null> {
	return fs.realpath(path).catch(() => null);
}
