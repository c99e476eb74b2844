import { isUtf8 } from 'node:buffer';
import { existsSync, promises as fs, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { STANDARD_INPUT, type PipeWatch } from '../csv/bytes';
import { BATCH_COLUMN } from '../csv/own-file';
import { openTable, type Row, type Table, type TableOptions } from '../csv/table';
import { Failure } from '../failure';
import type { Records } from '../folder/journal/records';
import { areOrdersGone, type Earlier } from '../plan/changes';
import { refuseWrongIds, withOwnIds } from '../plan/own-ids';
import { inOneSpelling } from '../plan/spellings';
import { newestFile } from '../folder/put-in-place';
import { delimiterOfResults, FILES_TO_RUN, hasResults, RESULTS } from '../results/result-columns';
import { earlierIn } from '../results/earlier-rows';
import type { Part } from '../run/request';
import { chosenRows, refuseMissingRows } from './chosen-rows';
import { refuseToWriteOver, writtenName } from './input-in-place';
import type { JournalHead } from '../folder/journal/read';
import { headIn } from '../folder/out-folder';
import type { Settings } from '../settings/settings';

/** The rows of a CSV as those of its batch. */
export interface BatchRows {
	/** The rows have the spelling in which they were ordered. */
	table: Table;
	/** Those that --only and --where choose; undefined if nobody chooses. */
	chosen: Row[] | undefined;
	batch: string;
	part: Part | undefined;
	earlier: Earlier | undefined;
	/** Opens the results.csv under --out; null if there is no readable one. */
	openResults: () => Promise<Table | null>;
}

/**
 * Opens a CSV whose rows may be ordered.
 * @throws {Failure} if they may not. Nothing is written before that.
 */
export async function openToOrder(
	csv: string,
	settings: Settings,
	journal: JournalHead,
	watch: PipeWatch,
): Promise<Table> {
	const opened = await openTable(csv, settings.table, process.stdin, watch);
	const table = withOwnIds(opened, settings.idColumn);
	refuseWrongIds(table, settings.idColumn);
	await batchOf(table, settings, journal);
	await refuseToWriteOver(table, settings.outDir);
	refuseMissingRows(settings, table.rows);
	// Refuses --only and --where that fit nothing.
	chosenRows(table, settings);
	return table;
}

/**
 * Gives the rows of a CSV with their batch.
 * @throws {Failure} if the CSV, the journal and --batch do not agree
 */
export async function batchRows(
	table: Table,
	settings: Settings,
	records: Records,
	say: (text: string) => void = () => undefined,
): Promise<BatchRows> {
	const batch = await batchOf(table, settings, records);
	const spelled = { ...table, rows: inOneSpelling(table.rows, records, settings) };
	const part = table.batch === null ? undefined : await partOf(table.file, settings, say);
	const open = () => openResults(settings.outDir, settings.table, settings.idColumn);
	const results = areOrdersGone(spelled.rows, { records, options: settings })
		? (part?.whole ?? (await open()))
		: null;
	return {
		table: spelled,
		chosen: chosenRows(spelled, settings),
		batch,
		part,
		earlier: results === null ? undefined : earlierIn(results, spelled),
		openResults: open,
	};
}

/**
 * Gives the batch that the rows of a CSV belong to.
 * @throws {Failure} if the CSV, the journal and --batch do not agree
 */
export async function batchOf(
	table: Table,
	settings: Pick<Settings, 'batch' | 'outDir'>,
	journal: Pick<JournalHead, 'batch'>,
): Promise<string> {
	const { batch: asked } = settings;
	const isResults = hasResults(table.columns);
	const own = table.batch ?? (isResults ? await batchBeside(table) : null);
	if (table.file === STANDARD_INPUT && own === null && asked === undefined) {
		throw new Failure(
			'What comes out of a pipe has no file name, and so its batch has no name.',
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
	{ batch: asked, outDir }: Pick<Settings, 'batch' | 'outDir'>,
	journal: Pick<JournalHead, 'batch'>,
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

/**
 * Gives what a run must know of a CSV that is a part of its batch.
 * @throws {Failure} if results.csv, whose other rows it carries on, is no longer UTF-8
 */
async function partOf(
	file: string,
	{ outDir, table, idColumn }: Pick<Settings, 'outDir' | 'table' | 'idColumn'>,
	say: (text: string) => void,
): Promise<Part> {
	const name = await writtenName(file, outDir);
	const results = newestFile(outDir, RESULTS);
	if (existsSync(results) && !isUtf8(await fs.readFile(results))) {
		throw new Failure(
			`Another program has saved ${results} in another encoding than UTF-8, so its rows cannot be carried on. Nothing was ordered.`,
			'Open it once more and save it as CSV UTF-8; or move it away, and it lists the rows of this CSV only, until the whole CSV is run again.',
		);
	}
	const whole = await openResults(outDir, table, idColumn);
	if (whole === null && existsSync(results)) say(UNREADABLE_RESULTS);
	return { reads: Object.values(FILES_TO_RUN).find((toRun) => toRun === name), whole };
}

const UNREADABLE_RESULTS =
	'Another program has changed results.csv so that it cannot be read, so it now lists the rows of this CSV only. ' +
	'Run the whole CSV to have all rows listed again.';

/** Longer than any header. */
const HEADER_BYTES = 64 * 1024;

/**
 * Opens the results.csv under --out; null if there is no readable one.
 * @param idColumn the column of --id, which it may lack
 */
export async function openResults(
	outDir: string,
	{ map, set }: Pick<TableOptions, 'map' | 'set'>,
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
