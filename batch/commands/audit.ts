import { briefPages } from '../../service/list/pages';
import { ServiceError } from '../../service/api/errors';
import { isRunning, type Brief, type BriefSummary } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import type { PipeWatch } from '../csv/bytes';
import { realDisk } from '../folder/disk';
import { EXIT, type ExitCode } from '../failure';
import type { Records } from '../folder/journal/records';
import { whoIsAtWork } from '../folder/lock/holder';
import { briefsOfOthers, findDifferences, type Difference } from '../audit/audit';
import { repairAll, type Repaired } from '../audit/repair';
import { planByJournal } from '../run/request';
import { firstFailure, serviceFailure } from '../service-failure';
import { isToOrder } from '../plan/plan';
import { count } from '../text';
import type { Console } from '../screen/console';
import { openEnvironment, type Environment } from './environment';
import { openCsv, rowsOfBatch } from './open-csv';
import { readExistingJournal, takeFolder } from '../folder/out-folder';
import { report } from './report';
import { checkBaseUrl } from '../settings/base-url';
import type { Settings } from '../settings/settings';
import { oneLine, rowName, terminalText } from '../screen/format';

/**
 * Compares the CSV, the journal, the files and the service. Sends GETs only. It changes nothing, unless --repair is
 * given: then it fetches what is missing.
 */
export async function audit(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const { outDir, baseUrl, apiKey } = settings;
	const environment = openEnvironment(baseUrl, apiKey, (text) => console.say(terminalText(text)));
	const { service, clock } = environment;
	const atWork = await whoIsAtWork(realDisk, outDir);
	const isBusy = atWork.is === 'alive' || atWork.is === 'perhaps';
	const records = await readExistingJournal(outDir);
	checkBaseUrl(baseUrl, records, outDir);
	const toOrder = await rowsToOrder(csv, settings, records, console);

	const listed = await wholeList(service, baseUrl, console.interruption);
	const tools = { disk: realDisk, outDir, service, clock };
	const found = await findDifferences(records, listed, { ...tools, isBusy });
	const isToRepair = settings.repair && found.some(({ repair }) => repair !== null);
	const { done, left } = isToRepair
		? await repairFolder(listed, settings, environment, console)
		: { done: [], left: found };
	if (done.some(({ isCured }) => isCured))
		await report({ out: outDir, name: settings.name }, console);

	const ids = new Set(listed.filter(isRunning).map(({ id }) => id));
	const orders = records.all();
	const running = orders.filter(({ brief_id: id }) => id !== null && ids.has(id)).length;
	const others = briefsOfOthers(records, listed, tools);
	return show({ done, left, toOrder, running, others, orders: orders.length }, console);
}

/** Counts the rows of the CSV that are still to be ordered. */
async function rowsToOrder(
	csv: string,
	settings: Settings,
	records: Records,
	watch: PipeWatch,
): Promise<number> {
	const { allowDuplicates } = settings;
	// All of the CSV, also if the profile chooses some for its runs.
	const opened = { table: await openCsv(csv, settings, watch) };
	const rows = await rowsOfBatch(opened, settings, records);
	return planByJournal(rows, records, { allowDuplicates }).rows.filter(isToOrder).length;
}

/**
 * Repairs what an audit has found, as the one that holds the folder.
 * @param listed all briefs of the workspace
 * @returns what was done, and what differs after it
 * @throws {Failure} if another run holds the folder, or the service gives no answer
 */
async function repairFolder(
	listed: readonly BriefSummary[],
	{ outDir, interval }: Settings,
	{ service, clock }: Environment,
	console: Console,
): Promise<{ done: Repaired[]; left: Difference[] }> {
	const say = (text: string) => console.say(terminalText(text));
	const { interruption } = console;
	const folder = await takeFolder({ outDir, clock, say, signal: interruption });
	const { journal, lock } = folder;
	const env = { disk: lock.disk, outDir, service, clock };
	const run = {
		...env,
		interval,
		journal,
		signal: interruption,
		kept: new Map<string, Brief>(),
		emit: () => undefined,
		forget: () => undefined,
	};
	try {
		const found = await findDifferences(journal.records, listed, env);
		const done: Repaired[] = [];
		for await (const one of repairAll(found, run)) done.push(one);
		return { done, left: await findDifferences(journal.records, listed, env) };
	} catch (error) {
		throw error instanceof ServiceError ? serviceFailure(error, service.now()) : error;
	} finally {
		await folder.release();
	}
}

/** The findings of an audit. */
interface Findings {
	done: readonly Repaired[];
	/** The differences that are left. */
	left: readonly Difference[];
	/** Rows that are not ordered yet. */
	toOrder: number;
	/** Our briefs that the service is writing. */
	running: number;
	/** Briefs of these products that the journal has not ordered. */
	others: readonly BriefSummary[];
	/** The number of orders in the journal. */
	orders: number;
}

function show(
	{ done, left, toOrder, running, others, orders }: Findings,
	console: Console,
): ExitCode {
	const exitCode = left.length === 0 ? EXIT.ok : EXIT.someFailed;
	console.json({
		event: 'audit',
		differences: left,
		repaired: done,
		not_ordered: toOrder,
		being_written: running,
		briefs_of_others: others.map(({ id, product_name, created_at }) => ({
			brief_id: id,
			product_name,
			created_at,
		})),
		exit_code: exitCode,
	});
	for (const line of lines(left, done)) console.say(line);
	if (running > 0) console.say(`${count(running, 'brief')} being written.`);
	if (others.length > 0) console.say(othersText(others));
	const compared = count(orders, 'order');
	const result =
		left.length === 0
			? `Journal, files and service agree on ${compared}.`
			: `${count(left.length, 'difference')} in ${compared}.`;
	console.say(`${result} ${count(toOrder, 'row')} not ordered yet.`);
	return exitCode;
}

async function wholeList(
	service: BriefingService,
	baseUrl: string,
	signal: AbortSignal,
): Promise<BriefSummary[]> {
	const listed: BriefSummary[] = [];
	try {
		// A brief that is missing in half a list would be blamed for nothing.
		for await (const page of briefPages(service, { signal, isAllNeeded: true }))
			listed.push(...page);
		return listed;
	} catch (error) {
		throw error instanceof ServiceError ? firstFailure(error, service.now(), baseUrl) : error;
	}
}

function lines(left: readonly Difference[], done: readonly Repaired[]): string[] {
	return [
		...done.map(({ row, product_name, what }) => `${rowName(row, product_name)} ${what}`),
		...left.map(({ row, product_name, what, cure }) =>
			terminalText(`${rowName(row, product_name)} ${what}. ${cure}`),
		),
	];
}

function othersText(others: readonly BriefSummary[]): string {
	const ids = others.slice(0, 5).map(({ id }) => id);
	const more = others.length > ids.length ? ', …' : '';
	const were = others.length === 1 ? 'was' : 'were';
	return oneLine(
		`${count(others.length, 'brief')} of these products ${were} ordered by somebody else in the workspace, or with another folder (${ids.join(', ')}${more}). If nobody did, ask the vendor’s support.`,
		600,
	);
}
