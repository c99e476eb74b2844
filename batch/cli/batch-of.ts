import { isUtf8 } from 'node:buffer';
import { existsSync, promises as fs, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readStart, STANDARD_INPUT } from '../csv/bytes';
import { openTable, type Table, type TableOptions } from '../csv/table';
import type { Disk } from '../disk';
import { Failure } from '../failure';
import { newestOf } from '../results/put-in-place';
import { delimiterOfResults, FILES_TO_RUN, hasResults } from '../results/result-columns';
import type { Part } from '../run/request';
import { writtenName } from './input-in-place';
import { headIn, type JournalHead } from './journal-file';
import { batchName } from './settings/batch-name';
import type { Settings } from './settings/settings';

/**
 * The batch that the rows of a CSV belong to, and whether they are only a part of it.
 * @throws {Failure} if the CSV, the journal and --batch do not agree
 */
export async function batchOf(
	table: Table,
	settings: Pick<Settings, 'batch' | 'outDir'>,
	journal: Pick<JournalHead, 'batch'>,
	disk: Disk,
): Promise<{ batch: string; isPart: boolean }> {
	const { batch: asked } = settings;
	const isResults = hasResults(table.columns);
	const own = table.batch ?? (isResults ? await batchBeside(table, disk) : null);
	if (table.file === STANDARD_INPUT && own === null && asked === undefined) {
		throw new Failure(
			'Standard input has no file name, and so its batch has no name.',
			'Give it one with --batch, and the same one each time: it is part of the key of each row.',
		);
	}
	const batch = batchName(table.file, settings, journal, own);
	if (isResults && own === null && asked === undefined && journal.batch === null) {
		throw new Failure(
			`“${table.file}” is the results.csv of an earlier run, and nothing says of which batch: every row would be ordered and paid for again.`,
			'Run the CSV that it was made of, or name its folder with --out. To order new briefs for all rows, give the batch a name with --batch.',
		);
	}
	return { batch, isPart: table.batch !== null };
}

/** A results.csv has no column that names its batch: it is that of the journal beside it. */
async function batchBeside(table: Table, disk: Disk): Promise<string | null> {
	if (table.file === STANDARD_INPUT) return null;
	return (await headIn(disk, dirname(table.file))).batch;
}

/** Longer than any header. */
const HEADER_BYTES = 64 * 1024;

/**
 * What a run must know of a CSV that is a part of its batch.
 * @throws {Failure} if results.csv, whose other rows it carries on, is no longer UTF-8
 */
export async function partOf(
	file: string,
	outDir: string,
	options: TableOptions,
	say: (text: string) => void = () => undefined,
): Promise<Part> {
	const name = await writtenName(file, outDir);
	const folder = existsSync(outDir) ? await fs.realpath(outDir) : resolve(outDir);
	const results = newestResults(folder);
	if (existsSync(results) && !isUtf8(await fs.readFile(results))) {
		throw new Failure(
			`Another program has saved ${results} in another encoding than UTF-8, so its rows cannot be carried on. Nothing was ordered.`,
			'Open it once more and save it as CSV UTF-8; or move it away, and it lists the rows of this CSV only, until the whole CSV is run again.',
		);
	}
	const whole = await openResults(folder, options);
	if (whole === null && existsSync(results)) say(UNREADABLE_RESULTS);
	return { reads: Object.values(FILES_TO_RUN).find((toRun) => toRun === name), whole };
}

const UNREADABLE_RESULTS =
	'Another program has changed results.csv so that it cannot be read, so it now lists the rows of this CSV only. ' +
	'Run the whole CSV to have all rows listed again.';

/** Where the newest results under --out are or will be. */
export function newestResults(outDir: string): string {
	const files = existsSync(outDir) ? readdirSync(outDir) : [];
	return join(outDir, newestOf('results.csv', files));
}

/** The results.csv under --out; null if there is no readable one. */
export async function openResults(
	outDir: string,
	{ map, set }: Pick<TableOptions, 'map' | 'set'>,
): Promise<Table | null> {
	const file = newestResults(outDir);
	if (!existsSync(file)) return null;
	try {
		const delimiter = delimiterOfResults(await readStart(file, HEADER_BYTES));
		return delimiter === undefined ? null : await openTable(file, { delimiter, map, set });
	} catch (error) {
		if (error instanceof Failure) return null;
		throw error;
	}
}
