import { basename, dirname } from 'node:path';
import { STANDARD_INPUT } from '../csv/bytes';
import { BATCH_COLUMN } from '../csv/own-file';
import type { Table } from '../csv/table';
import { Failure } from '../failure';
import type { JournalHead } from '../folder/journal/read';
import { headIn } from '../folder/out-folder';
import { hasResults } from '../results/result-columns';

/** The batch that was asked for, if one was, and the folder that may belong to one already. */
interface Asked {
	batch: string | undefined;
	outDir: string;
}

/**
 * Gives the batch that the rows of a CSV belong to.
 * @throws {Failure} if the CSV, the journal and --batch do not agree
 */
export async function batchOf(table: Table, asked: Asked, journal: JournalHead): Promise<string> {
	const isResults = hasResults(table.columns);
	const own = table.batch ?? (isResults ? await batchBeside(table) : null);
	const isNamed = own !== null || asked.batch !== undefined;
	if (table.file === STANDARD_INPUT && !isNamed) {
		throw new Failure(
			'What comes out of a pipe has no file name, and so its batch has no name.',
			'Give it one with --batch, and the same one each time: it is part of the key of each row.',
		);
	}
	const batch = batchName(table.file, asked, journal, own);
	if (isResults && !isNamed && journal.batch === null) {
		throw new Failure(
			`“${table.file}” is the results.csv of an earlier run, and nothing says of which batch: every row would be ordered and paid for again.`,
			'Run the CSV that it was made of, or name its folder with --out. To order new briefs for all rows, give the batch a name with --batch.',
		);
	}
	return batch;
}

/** Gives the batch of a results.csv. No column names it, so it is that of the journal beside it. */
async function batchBeside(table: Table): Promise<string | null> {
	if (table.file === STANDARD_INPUT) return null;
	return (await headIn(dirname(table.file))).batch;
}

/**
 * Gives the name of the batch. It is part of every idempotency key, so it must not contradict the journal or the file
 * itself.
 * @param own the batch that wrote the file, if it is one of ours
 */
export function batchName(
	csv: string,
	{ batch: asked, outDir }: Asked,
	journal: JournalHead,
	own: string | null = null,
): string {
	if (asked !== undefined && asked.trim() === '') {
		throw new Failure('--batch is empty.', 'Give the batch a name, or leave the option out.');
	}
	if (asked !== undefined && journal.batch !== null && asked !== journal.batch) {
		throw new Failure(
			`The folder ${outDir} belongs to the batch “${journal.batch}”, not to “${asked}”.`,
			'Leave --batch out to go on with it, or give the new batch its own folder with --out.',
		);
	}
	if (own !== null && asked !== undefined && asked !== own) {
		throw new Failure(
			`“${csv}” belongs to the batch “${own}”, not to “${asked}”: its rows would be paid for again.`,
			`Leave --batch out. To order new briefs for these rows, remove the column ${BATCH_COLUMN}, rename the file and use a new --out.`,
		);
	}
	if (own !== null && journal.batch !== null && own !== journal.batch) {
		throw new Failure(
			`“${csv}” belongs to the batch “${own}”, and the folder ${outDir} to the batch “${journal.batch}”.`,
			`Name the folder of “${own}” with --out, or a new one: in both, rows that have a brief are not paid for again.`,
		);
	}
	return own ?? asked ?? journal.batch ?? basename(csv);
}
