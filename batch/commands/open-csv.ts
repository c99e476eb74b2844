import { isUtf8 } from 'node:buffer';
import { existsSync, promises as fs } from 'node:fs';
import type { PipeWatch } from '../csv/bytes';
import { openTable, type Table } from '../csv/table';
import { Failure } from '../failure';
import type { Records } from '../folder/journal/records';
import type { JournalHead } from '../folder/journal/read';
import { newestFile } from '../folder/put-in-place';
import { refuseWrongIds, withOwnIds } from '../plan/own-ids';
import { FILES_TO_RUN, RESULTS } from '../results/result-columns';
import type { BatchRows, Part } from '../run/request';
import type { Settings } from '../settings/settings';
import { batchOf } from './batch-name';
import { chosenRows, refuseMissingRows } from './chosen-rows';
import { refuseToWriteOver, writtenName } from './input-in-place';
import { openResults } from './open-results';

/** A CSV as a command has read it. */
interface OpenCsv {
	table: Table;
	/** The numbers of the rows that --only and --where choose; undefined if nobody chooses. */
	chosen?: ReadonlySet<number> | undefined;
	/** Its name, if a run writes it under --out. */
	written?: string | undefined;
}

/** Opens a CSV, and gives its rows their own numbers. */
export async function openCsv(csv: string, settings: Settings, watch: PipeWatch): Promise<Table> {
	const { table: options, idColumn } = settings;
	const table = withOwnIds(await openTable(csv, options, process.stdin, watch), idColumn);
	refuseWrongIds(table, idColumn);
	return table;
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
): Promise<OpenCsv> {
	const table = await openCsv(csv, settings, watch);
	await batchOf(table, settings, journal);
	const written = await writtenName(table.file, settings.outDir);
	if (written !== undefined) refuseToWriteOver(table, written, settings.outDir);
	refuseMissingRows(settings, table.rows);
	return { table, chosen: chosenRows(table, settings), written };
}

/**
 * Gives the rows of a CSV as those of its batch.
 * @throws {Failure} if the CSV, the journal and --batch do not agree
 */
export async function rowsOfBatch(
	{ table, chosen, written }: OpenCsv,
	settings: Settings,
	records: Records,
	say: (text: string) => void = () => undefined,
): Promise<BatchRows> {
	const { outDir, table: options, idColumn } = settings;
	const batch = await batchOf(table, settings, records);
	const open = () => openResults(outDir, options, idColumn);
	const part = table.batch === null ? undefined : await partOf(written, outDir, open, say);
	return {
		table,
		chosen: chosen && table.rows.filter(({ number }) => chosen.has(number)),
		batch,
		part,
		openResults: open,
	};
}

/**
 * Gives what a run must know of a CSV that is a part of its batch.
 * @throws {Failure} if results.csv, whose other rows it carries on, is no longer UTF-8
 */
async function partOf(
	written: string | undefined,
	outDir: string,
	open: BatchRows['openResults'],
	say: (text: string) => void,
): Promise<Part> {
	const results = newestFile(outDir, RESULTS);
	if (existsSync(results) && !isUtf8(await fs.readFile(results))) {
		throw new Failure(
			`Another program has saved ${results} in another encoding than UTF-8, so its rows cannot be carried on. Nothing was ordered.`,
			'Open it once more and save it as CSV UTF-8; or move it away, and it lists the rows of this CSV only, until the whole CSV is run again.',
		);
	}
	const whole = await open();
	if (whole === null && existsSync(results)) say(UNREADABLE_RESULTS);
	return { reads: Object.values(FILES_TO_RUN).find((toRun) => toRun === written), whole };
}

const UNREADABLE_RESULTS =
	'Another program has changed results.csv so that it cannot be read, so it now lists the rows of this CSV only. ' +
	'Run the whole CSV to have all rows listed again.';
