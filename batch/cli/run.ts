import { openTable, type Row, type Table } from '../csv/table';
import type { Disk } from '../disk';
import type { ExitCode } from '../failure';
import { JOURNAL_FORMAT } from '../journal/events';
import type { Journal } from '../journal/journal';
import type { Lock } from '../lock/lock';
import { adoptBriefs } from '../run/adopt';
import { diskFailure } from '../run/disk-failure';
import { retryOptions } from '../plan/retry';
import { standingOf } from '../plan/standing';
import { inOneSpelling } from '../plan/spellings';
import type { Orders, RunRequest } from '../run/request';
import { runBatch } from '../run/run-batch';
import { checkWorkspace } from '../run/same-workspace';
import { batchOf, openResults, partOf } from './batch-of';
import { chosenRows, leftOutText } from './chosen-rows';
import { confirmOrders, refuseAllRows, refuseMissingRows } from './confirm-rows';
import type { Console, Terminal } from './console';
import { openEnvironment } from './environment';
import { holdJournal } from './hold-folder';
import { refuseToWriteOver } from './input-in-place';
import { headIn } from './journal-file';
import { checkBaseUrl } from './settings/base-url';
import type { Settings } from './settings/settings';
import { summary } from './summary';

/** What a command does to the journal before the rows are carried. Gives how many orders a person has confirmed. */
export type Prepare = (
	rows: { batch: string; rows: readonly Row[] },
	journal: Journal,
	/** Throws a Failure if the API key belongs to another workspace than the journal. */
	checkKey: () => Promise<void>,
) => Promise<number>;

const nothingToConfirm: Prepare = () => Promise.resolve(0);

/** Takes a CSV through the service. The same command resumes. */
export async function run(
	csv: string,
	settings: Settings,
	terminal: Terminal,
	prepare = nothingToConfirm,
): Promise<ExitCode> {
	const { outDir } = settings;
	const { console, interruption: signal } = terminal;
	const environment = openEnvironment(settings, console);
	const { clock, disk } = environment;
	const table = await checkedTable(csv, settings, console, disk);
	const say = (text: string) => console.emit({ event: 'notice', text });
	table.notices.forEach(say);
	const command = { csv, table, settings, terminal, environment, prepare };
	try {
		await disk.makeFolder(outDir);
		return await holdJournal({ disk, outDir, clock, say, signal }, (journal, lock) =>
			carryOut(command, journal, lock),
		);
	} catch (error) {
		throw diskFailure(error);
	}
}

/** The CSV. What may be refused is checked before the folder is touched; the whole journal is read with its lock held. */
async function checkedTable(
	csv: string,
	settings: Settings,
	console: Console,
	disk: Disk,
): Promise<Table> {
	const { outDir, baseUrl } = settings;
	const known = await headIn(disk, outDir);
	checkBaseUrl(baseUrl, known, outDir);
	const table = await openTable(csv, settings.table);
	const { isPart } = await batchOf(table, settings, known, disk);
	await refuseToWriteOver(table, outDir, isPart);
	refuseMissingRows(settings, table.rows);
	chosenRows(table, settings);
	refuseAllRows(settings, console);
	return table;
}

interface RunCommand {
	csv: string;
	table: Table;
	settings: Settings;
	terminal: Terminal;
	environment: ReturnType<typeof openEnvironment>;
	prepare: Prepare;
}

/** Runs the batch in the folder that it holds, and shows what came of it. */
async function carryOut(command: RunCommand, journal: Journal, lock: Lock): Promise<ExitCode> {
	const { csv, settings, terminal, environment, prepare } = command;
	const { console, interruption } = terminal;
	const request = await requestOf(command, journal);
	const { table, chosen, batch } = request;
	leftOutText(table.rows, chosen).forEach((text) => console.emit({ event: 'notice', text }));
	const { clock } = environment;
	const service = environment.serviceBehind(lock);
	const env = { service, clock, disk: lock.disk, journal, emit: console.emit, interruption };
	await adoptBriefs(settings.adopt, request, env);
	const checkKey = () => checkWorkspace(journal.records, [], settings, env);
	const confirmed = await prepare({ batch, rows: chosen ?? table.rows }, journal, checkKey);
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
}

async function requestOf(
	{ csv, table, settings, terminal, environment }: RunCommand,
	journal: Journal,
): Promise<RunRequest> {
	const { outDir, baseUrl } = settings;
	const { records } = journal;
	// Another run may have begun the journal since it was checked.
	const { batch, isPart } = await batchOf(table, settings, records, environment.disk);
	checkBaseUrl(baseUrl, records, outDir);
	if (records.batch === null)
		await journal.append({ type: 'batch', format: JOURNAL_FORMAT, batch, base_url: baseUrl });
	const notice = (text: string) => terminal.console.emit({ event: 'notice', text });
	const part = isPart ? await partOf(csv, outDir, settings.table, notice) : undefined;
	const whole = { ...table, rows: inOneSpelling(table.rows, records, settings) };
	return {
		...settings,
		table: whole,
		chosen: chosenRows(whole, settings),
		batch,
		part,
		openResults: () => openResults(outDir, settings.table),
	};
}
