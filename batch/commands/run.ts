import type { Table } from '../csv/table';
import { realDisk } from '../folder/disk';
import type { ExitCode } from '../failure';
import { JOURNAL_FORMAT } from '../folder/journal/events';
import type { Journal } from '../folder/journal/journal';
import type { Lock } from '../folder/lock/lock';
import { adoptBriefs } from '../run/adopt';
import { retryOptions } from '../plan/retry';
import { rowsToPlan, type Orders, type RunRequest } from '../run/request';
import { runBatch } from '../run/run-batch';
import { checkWorkspace } from '../run/same-workspace';
import { count, formatNumber } from '../text';
import { batchRows, openToOrder } from './batch-of';
import { leftOutText, refuseAllRows } from './chosen-rows';
import type { Console } from '../screen/console';
import { openEnvironment, type Environment } from './environment';
import { FEW_ROWS, rowName } from '../screen/format';
import { headIn, holdJournal } from '../folder/out-folder';
import { checkBaseUrl } from '../settings/base-url';
import type { Settings } from '../settings/settings';
import { summary } from '../screen/summary';

/** What a command does to the journal before the rows are carried. Gives how many orders a person has confirmed. */
export type Prepare = (
	rows: ReturnType<typeof rowsToPlan>,
	journal: Journal,
	/** Throws a Failure if the API key belongs to another workspace than the journal. */
	checkKey: () => Promise<void>,
) => Promise<number>;

const nothingToConfirm: Prepare = () => Promise.resolve(0);

interface RunCommand {
	table: Table;
	settings: Settings;
	console: Console;
	environment: Environment;
	say: (text: string) => void;
	prepare: Prepare;
}

/**
 * Takes a CSV through the service. The same command resumes. What may be refused is checked before the folder is
 * touched; the whole journal is read with its lock held.
 */
export async function run(
	csv: string,
	settings: Settings,
	console: Console,
	prepare = nothingToConfirm,
): Promise<ExitCode> {
	const { outDir, baseUrl } = settings;
	const { interruption: signal } = console;
	const say = (text: string) => console.emit({ event: 'notice', text });
	const environment = openEnvironment(settings, say);
	const { clock } = environment;
	const head = await headIn(outDir);
	checkBaseUrl(baseUrl, head, outDir);
	const table = await openToOrder(csv, settings, head);
	refuseAllRows(settings, console.canAsk);
	table.notices.forEach(say);
	const command = { table, settings, console, environment, say, prepare };
	await realDisk.makeFolder(outDir);
	return holdJournal({ outDir, clock, say, signal }, (journal, lock) =>
		carryOut(command, journal, lock),
	);
}

/** Runs the batch in the folder that it holds, and shows what came of it. */
async function carryOut(command: RunCommand, journal: Journal, lock: Lock): Promise<ExitCode> {
	const { settings, console, environment, say, prepare } = command;
	const { interruption } = console;
	const request = await requestOf(command, journal);
	const { table, chosen } = request;
	leftOutText(table.rows, chosen).forEach(say);
	const { clock } = environment;
	const service = environment.serviceBehind(lock);
	const env = { service, clock, disk: lock.disk, journal, emit: console.emit, interruption };
	await adoptBriefs(settings.adopt, request, env);
	const checkKey = () => checkWorkspace(journal.records, [], settings, env);
	const confirmed = await prepare(rowsToPlan(request), journal, checkKey);
	const mayAsk = console.canAsk && !settings.yes;
	const confirm = async (orders: Orders) =>
		!mayAsk || orders.rows.length <= confirmed || confirmOrders(orders, console);
	const report = await runBatch(request, { ...env, confirm });
	if (!report.isNews && console.isQuiet) return report.exitCode;
	const again = retryOptions(journal.records, settings.maxTries);
	const shown = { ...settings, csv: table.file, retryOptions: again };
	for (const text of summary(report, shown, console, service.now())) console.say(text);
	return report.exitCode;
}

async function requestOf(
	{ table, settings, say }: RunCommand,
	journal: Journal,
): Promise<RunRequest> {
	const { outDir, baseUrl } = settings;
	const { records } = journal;
	// Another run may have begun the journal since it was checked.
	checkBaseUrl(baseUrl, records, outDir);
	const rows = await batchRows(table, settings, records, say);
	const { batch } = rows;
	if (records.batch === null)
		await journal.append({ type: 'batch', format: JOURNAL_FORMAT, batch, base_url: baseUrl });
	return { ...settings, ...rows };
}

/** Shows what a run is about to order, unless only `plan` has room for it, and asks once. */
async function confirmOrders(
	{ rows, leftAfterwards, allowance }: Orders,
	console: Console,
): Promise<boolean> {
	if (rows.length <= FEW_ROWS)
		for (const { row } of rows) console.say(rowName(row.number, row.input.product_name));
	const upTo = rows.some(({ todo }) => todo === 'compare') ? 'up to ' : '';
	const left =
		leftAfterwards === null || allowance === null
			? ''
			: ` ${formatNumber(leftAfterwards)} of ${formatNumber(allowance)} are left afterwards.`;
	return console.confirm(`Order ${upTo}${count(rows.length, 'brief')}?${left}`);
}
