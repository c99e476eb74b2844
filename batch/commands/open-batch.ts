import { BATCH_OUTAGE_MS } from '../../service/assumptions';
import { realDisk } from '../folder/disk';
import { JOURNAL_FORMAT } from '../folder/journal/events';
import type { Journal } from '../folder/journal/journal';
import { headIn, takeFolder } from '../folder/out-folder';
import { adoptBriefs } from '../run/adopt';
import type { RunEnvironment, RunRequest } from '../run/request';
import { Totals } from '../run/totals';
import type { Console } from '../screen/console';
import { checkBaseUrl } from '../settings/base-url';
import type { Settings } from '../settings/settings';
import { batchRows, openToOrder } from './batch-of';
import { leftOutText } from './chosen-rows';
import { openEnvironment } from './environment';

/** A batch that no other run works on. */
export interface OpenBatch {
	request: RunRequest;
	env: RunEnvironment;
	close: () => Promise<void>;
}

/**
 * Opens a CSV and takes its folder. What may be refused is checked before the folder is touched; the whole journal is
 * read with its lock held.
 */
export async function openBatch(
	csv: string,
	settings: Settings,
	console: Console,
): Promise<OpenBatch> {
	const { outDir, baseUrl } = settings;
	const { interruption, events } = console;
	const totals = new Totals(events);
	const say = (text: string) => events.emit({ event: 'notice', text });
	const { clock, serviceBehind } = openEnvironment(settings, say, true);
	const head = await headIn(outDir);
	checkBaseUrl(baseUrl, head, outDir);
	const table = await openToOrder(csv, settings, head, console);
	table.notices.forEach(say);
	await realDisk.makeFolder(outDir);
	const folder = await takeFolder({ outDir, clock, say, signal: interruption });
	const { journal, lock } = folder;
	try {
		// Another run may have begun the journal since it was checked.
		checkBaseUrl(baseUrl, journal.records, outDir);
		const rows = await batchRows(table, settings, journal.records, say);
		beginJournal(journal, rows.batch, baseUrl);
		leftOutText(rows.table.rows, rows.chosen).forEach(say);
		const request = { ...requestOf(settings), ...rows };
		const service = serviceBehind(lock);
		const asking = { service, clock, interruption, outage: BATCH_OUTAGE_MS };
		const env = { ...asking, disk: lock.disk, journal, events, totals };
		await adoptBriefs(settings.adopt, request, env);
		return { request, env, close: folder.release };
	} catch (error) {
		await folder.release();
		throw error;
	}
}

function beginJournal(journal: Journal, batch: string, base_url: string): void {
	if (journal.records.batch !== null) return;
	journal.beginWith({ type: 'batch', format: JOURNAL_FORMAT, batch, base_url });
}

/** Gives what a run needs of the settings; the API key is not among it. */
export function requestOf(settings: Settings): Omit<RunRequest, 'table' | 'batch' | 'openResults'> {
	const { outDir, typed, name, baseUrl, knownOk, max, keep, leaveSlots, timeout } = settings;
	const { interval, allowDuplicates, orderChanged, orderAgain } = settings;
	return {
		outDir,
		typed,
		name,
		baseUrl,
		knownOk,
		max,
		keep,
		leaveSlots,
		timeout,
		interval,
		allowDuplicates,
		orderChanged,
		orderAgain,
	};
}
