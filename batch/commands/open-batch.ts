import { BATCH_OUTAGE_MS } from '../../service/assumptions';
import { placeIn } from '../csv/columns';
import { openTable } from '../csv/table';
import { realDisk } from '../folder/disk';
import { EXIT } from '../exit-codes';
import { JOURNAL_FORMAT } from '../folder/events';
import type { Records } from '../folder/records';
import { fencedSend } from '../folder/lock/fence';
import { readJournal, releaseFolder, takeFolder } from '../folder/out-folder';
import { refuseWrongNumbers } from '../plan/own-numbers';
import { goneCondition } from '../run/remembered';
import type { RunEnvironment, RunRequest } from '../run/request';
import type { Console } from '../screen/console';
import { checkBaseUrl } from '../settings/address-and-key';
import { readingOfRun, orRemembered, rememberedTexts, tableOptions } from '../settings/reading';
import type { Settings } from '../settings/settings';
import { Stop } from '../stop';
import { batchName } from './batch-name';
import { chosenRows, asideText, tableOfList } from './chosen-rows';
import { openEnvironment } from './environment';
import { refuseOwnLists } from './own-lists';

/**
 * Opens a batch: reads its CSV, checks all that may be refused before the folder is touched, takes the folder's lock, and
 * reads the journal again with it held. Whoever opens it releases its folder, on which no other run works until then.
 */
export async function openBatch(
	csv: string,
	settings: Settings,
	console: Console,
	retryUpTo?: number,
) {
	// The API key stays with what sends.
	const { apiKey, ...options } = settings;
	const { outDir, baseUrl } = options;
	const { interruption, events } = console;
	const say = (text: string) => events.tell({ event: 'notice', text });
	const outside = openEnvironment(baseUrl, apiKey, say, true);
	const { clock } = outside;
	const recordsBefore = await readJournal(outDir);
	rememberedTexts(settings, recordsBefore.run).forEach(say);
	const rows = await readBatch(csv, settings, recordsBefore, interruption);
	const request: RunRequest = { ...options, ...rows, retryUpTo };
	[...request.table.notices, ...asideText(request)].forEach(say);
	await realDisk.makeFolder(outDir);
	const folder = await takeFolder({ outDir, clock, say, signal: interruption, tell: events.tell });
	try {
		const { journal, lock } = folder;
		const { batch } = request;
		if (journal.records.batch === null)
			journal.beginWith({ event: 'batch', format: JOURNAL_FORMAT, batch, base_url: baseUrl });
		else if (recordsBefore.batch === null) refuseOtherBatch(journal.records, batch, settings);
		const service = outside.service.over(fencedSend(outside.send, lock, clock));
		const asking = { service, clock, interruption, outage: BATCH_OUTAGE_MS };
		const env: RunEnvironment = { ...asking, disk: lock.disk, journal, events };
		return { request, env, folder };
	} catch (error) {
		await releaseFolder(folder);
		throw error;
	}
}

/**
 * Reads a CSV as the rows of a batch.
 * @throws {Stop} if they may not be ordered. Nothing is written before that.
 */
export async function readBatch(
	csv: string,
	settings: Settings,
	journal: Records,
	interruption: AbortSignal,
) {
	const { outDir, baseUrl } = settings;
	if (baseUrl !== '') checkBaseUrl(baseUrl, journal, outDir);
	const readingNow = readingOfRun(settings, journal.run);
	const { reading, remembered } = readingNow;
	const options = tableOptions(readingNow);
	const tableAsRead = await openTable(csv, options, process.stdin, interruption).catch(
		(error: unknown) => {
			throw orRemembered(error, remembered);
		},
	);
	await refuseOwnLists(tableAsRead, outDir);
	const batch = batchName(tableAsRead.file, settings, journal);
	const facts = { batch, reading, remembered };
	// It is refused when the folder is taken, so that this can be put on record.
	if (goneCondition(tableAsRead, remembered.where) !== undefined)
		return { ...facts, ...NOTHING_CHOSEN, table: tableAsRead, rows: tableAsRead.rows };
	const table = tableOfList(tableAsRead, reading, remembered.where === undefined);
	const { id } = reading;
	if (id !== undefined && (remembered.id === undefined || placeIn(id, table.columns) !== -1))
		refuseWrongNumbers(table, id);
	return { ...facts, table, ...chosenRows(table, settings, journal) };
}

const NOTHING_CHOSEN = { orderAgain: false, orderChanged: false, adopt: [] } as const;

/** @throws {Stop} if another run has begun another batch here since the folder was looked at */
function refuseOtherBatch(journal: Records, batch: string, { baseUrl, outDir }: Settings): void {
	if (journal.batch === batch && journal.baseUrl === baseUrl) return;
	throw new Stop(
		`Another run began the batch “${journal.batch}” in ${outDir} at this moment. Nothing was ordered.`,
		'Run the same command again.',
		'unusable',
		EXIT.stoppedEarly,
	);
}
