import { BATCH_OUTAGE_MS } from '../../service/assumptions';
import { realDisk } from '../folder/disk';
import { JOURNAL_FORMAT } from '../folder/journal/events';
import { headIn, takeFolder } from '../folder/out-folder';
import { adoptBriefs } from '../run/adopt';
import type { RunEnvironment, RunRequest } from '../run/request';
import { Totals } from '../run/totals';
import type { Console } from '../screen/console';
import { checkBaseUrl } from '../settings/base-url';
import type { Settings } from '../settings/settings';
import { leftOutText } from './chosen-rows';
import { openEnvironment } from './environment';
import { openToOrder, rowsOfBatch } from './open-csv';

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
	// No run needs the API key.
	const { apiKey, ...options } = settings;
	const { outDir, baseUrl, interval } = options;
	const { interruption, events } = console;
	const totals = new Totals(events);
	const say = (text: string) => events.emit({ event: 'notice', text });
	const { clock, serviceBehind } = openEnvironment(baseUrl, apiKey, say, true);
	const head = await headIn(outDir);
	checkBaseUrl(baseUrl, head, outDir);
	const opened = await openToOrder(csv, settings, head, console);
	opened.table.notices.forEach(say);
	await realDisk.makeFolder(outDir);
	const { journal, lock, release } = await takeFolder({ outDir, clock, say, signal: interruption });
	try {
		const { records } = journal;
		// Another run may have begun the journal since it was checked.
		checkBaseUrl(baseUrl, records, outDir);
		const rows = await rowsOfBatch(opened, settings, records, say);
		const { batch } = rows;
		if (records.batch === null)
			journal.beginWith({ type: 'batch', format: JOURNAL_FORMAT, batch, base_url: baseUrl });
		leftOutText(rows).forEach(say);
		const request = { ...options, ...rows };
		const service = serviceBehind(lock);
		const asking = { service, clock, interval, interruption, outage: BATCH_OUTAGE_MS };
		const env = { ...asking, disk: lock.disk, journal, events, totals };
		await adoptBriefs(settings.adopt, request, env);
		return { request, env, close: release };
	} catch (error) {
		await release();
		throw error;
	}
}
