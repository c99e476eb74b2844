import { openTable, type Table } from '../csv/table';
import type { ExitCode } from '../failure';
import { JOURNAL_FORMAT } from '../journal/events';
import type { Journal } from '../journal/journal';
import type { Lock } from '../lock/lock';
import { adoptBriefs } from '../run/adopt';
import { diskFailure } from '../run/disk-failure';
import { retryOptions } from '../plan/retry';
import { standingOf } from '../plan/standing';
import { inOneSpelling } from '../plan/spellings';
import type { Orders } from '../run/request';
import { runBatch } from '../run/run-batch';
import { checkWorkspace } from '../run/same-workspace';
import { batchOf, openResults, partOf } from './batch-of';
import { chosenRows, leftOutText } from './chosen-rows';
import { confirmOrders, refuseAllRows, refuseMissingRows } from './confirm-rows';
import type { Console } from './console';
import { openEnvironment } from './environment';
import { holdJournal } from './hold-folder';
import { refuseToWriteOver } from './input-in-place';
import { headIn } from './journal-file';
import { checkBaseUrl } from './settings/base-url';
import type { Settings } from './settings/settings';
import { summary } from './summary';

/** What a command does to the journal before the rows are carried. Gives how many orders a person has confirmed. */
export type Prepare = (
	table: Table,
	journal: Journal,
	batch: string,
	/** Throws a Failure where the API key belongs to another workspace than the journal. */
	checkKey: () => Promise<void>,
) => Promise<number>;

/** Takes a CSV through the service. The same command resumes. */
export async function run(
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
	prepare?: Prepare,
): Promise<ExitCode> {
	const { outDir, baseUrl } = settings;
	const { serviceBehind, clock, disk } = openEnvironment(settings, console);
	// What may be refused is checked before the folder is touched. The whole journal is read once the lock is held.
	const known = await headIn(disk, outDir);
	checkBaseUrl(baseUrl, known, outDir);
	const table = await openTable(csv, settings.table);
	const found = await batchOf(table, settings, known, disk);
	await refuseToWriteOver(table, outDir, found.isPart);
	refuseMissingRows(settings, table.rows);
	chosenRows(table, settings);
	refuseAllRows(settings, console);
	for (const text of table.notices) console.emit({ event: 'notice', text });

	const work = async (journal: Journal, lock: Lock) => {
		// Another run may have begun the journal since the check above.
		const { batch, isPart } = await batchOf(table, settings, journal.records, disk);
		checkBaseUrl(baseUrl, journal.records, outDir);
		if (journal.records.batch === null) {
			await journal.append({ type: 'batch', format: JOURNAL_FORMAT, batch, base_url: baseUrl });
		}
		const service = serviceBehind(lock);
		const notice = (text: string) => console.emit({ event: 'notice', text });
		const part = isPart ? await partOf(csv, outDir, settings.table, notice) : undefined;
		const open = () => openResults(outDir, settings.table);
		const rows = inOneSpelling(table.rows, journal.records, settings);
		const whole = { ...table, rows };
		const chosen = chosenRows(whole, settings);
		leftOutText(rows, chosen).forEach(notice);
		const request = { ...settings, table: whole, chosen, batch, part, openResults: open };
		const env = { service, clock, disk: lock.disk, journal, emit: console.emit, interruption };
		await adoptBriefs(settings.adopt, request, env);
		const checkKey = () => checkWorkspace(journal.records, [], settings, env);
		const confirmed =
			(await prepare?.({ ...whole, rows: chosen ?? rows }, journal, batch, checkKey)) ?? 0;
		const mayAsk = console.canAsk && !settings.yes;
		const confirm = async (orders: Orders) =>
			!mayAsk || orders.rows.length <= confirmed || confirmOrders(orders, console, interruption);
		const report = await runBatch(request, { ...env, confirm });
		console.close();
		if (!report.isNews && console.isQuiet) return report.exitCode;
		const { failed } = standingOf(journal.records);
		const again = retryOptions(failed, settings.maxGenerations);
		const shown = { ...settings, csv, retryOptions: again };
		for (const text of summary(report, shown, console, service.now())) console.say(text);
		return report.exitCode;
	};
	try {
		await disk.makeFolder(outDir);
		const say = (text: string) => console.emit({ event: 'notice', text });
		return await holdJournal({ disk, outDir, clock, say, signal: interruption }, work);
	} catch (error) {
		throw diskFailure(error);
	}
}
