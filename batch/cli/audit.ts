import { IdSet } from '../../service/brief-id';
import { briefPages } from '../../service/pages';
import { ServiceError } from '../../service/errors';
import { isRunning, type BriefSummary } from '../../service/resources';
import type { BriefingService } from '../../service/service';
import { openTable } from '../csv/table';
import { EXIT, type ExitCode } from '../failure';
import { whoIsAtWork } from '../lock/holder';
import { briefsOfOthers, findDifferences, type Difference } from '../run/audit/audit';
import { inOneSpelling } from '../plan/spellings';
import { diskFailure } from '../run/disk-failure';
import type { Repaired } from '../run/audit/repair';
import { firstFailure } from '../run/service-failure';
import { countIf, isToOrder, makePlan } from '../plan/plan';
import { count } from '../text';
import { batchOf, partOf } from './batch-of';
import type { Console } from './console';
import { openEnvironment } from './environment';
import { readExistingJournal } from './journal-file';
import { repairFolder } from './repair-folder';
import { report } from './report';
import { checkBaseUrl } from './settings/base-url';
import type { Settings } from './settings/settings';
import { oneLine, rowLabel, terminalText } from './format';

/**
 * Compares the CSV, the journal, the files and the service. Sends GETs only. It changes nothing, unless --repair is
 * given: then it fetches what is missing.
 */
export async function audit(
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
): Promise<ExitCode> {
	const { outDir } = settings;
	const environment = openEnvironment(settings, {
		emit: (event) => {
			if (event.event === 'notice') console.say(terminalText(event.text));
		},
	});
	const { service, clock, disk } = environment;
	const atWork = await whoIsAtWork(disk, outDir);
	const isBusy = atWork.is === 'alive' || atWork.is === 'perhaps';
	const records = await readExistingJournal(disk, outDir);
	checkBaseUrl(settings.baseUrl, records, outDir);
	const read = await openTable(csv, settings.table);
	const table = { ...read, rows: inOneSpelling(read.rows, records, settings) };
	const { batch, isPart } = await batchOf(table, settings, records, disk);
	const part = isPart ? await partOf(csv, outDir, settings.table) : undefined;
	const options = { allowDuplicates: settings.allowDuplicates };
	const { rows } = makePlan({
		batch,
		rows: table.rows,
		whole: part?.whole?.rows,
		records,
		options,
	});
	const toOrder = countIf(rows, isToOrder);

	const listed = await wholeList(service, settings.baseUrl, interruption);
	const tools = { disk, outDir, service, clock };
	const found = await findDifferences(records, listed, { ...tools, isBusy }).catch(
		(error: unknown) => {
			throw diskFailure(error);
		},
	);
	const isToRepair = settings.repair && found.some(({ repair }) => repair !== null);
	const repaired = isToRepair
		? await repairFolder(listed, settings, environment, { console, waiting: interruption })
		: { done: [], left: found };
	const { done, left } = repaired;
	if (done.some(({ isCured }) => isCured))
		await report({ out: outDir }, { ...console, json: () => undefined });

	const ids = new IdSet(listed.filter(isRunning).map(({ id }) => id));
	const ours = records.all().filter(({ brief_id: id }) => id !== null && ids.has(id));
	const others = briefsOfOthers(records, listed, tools);
	const exitCode = left.length === 0 ? EXIT.ok : EXIT.someFailed;
	console.json({
		event: 'audit',
		differences: left,
		repaired: done,
		not_ordered: toOrder,
		being_written: ours.length,
		briefs_of_others: others.map(({ id, product_name, created_at }) => ({
			brief_id: id,
			product_name,
			created_at,
		})),
		exit_code: exitCode,
	});
	for (const line of lines(left, done)) console.say(line);
	const tried = count(records.all().length, 'order');
	const notOrdered = `${count(toOrder, 'row')} not ordered yet.`;
	if (ours.length > 0) console.say(`${count(ours.length, 'brief')} being written.`);
	if (others.length > 0) console.say(othersText(others));
	console.say(
		left.length === 0
			? `Journal, files and service agree on ${tried}. ${notOrdered}`
			: `${count(left.length, 'difference')} in ${tried}. ${notOrdered}`,
	);
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
	const label = (row: number, name: string) => `${rowLabel(row)} ${oneLine(name, 50)}`;
	return [
		...done.map(({ row, product_name, what }) => `${label(row, product_name)} ${what}`),
		...left.map(({ row, product_name, what, cure }) =>
			terminalText(`${label(row, product_name)} ${what}. ${cure}`),
		),
	];
}

function othersText(others: readonly BriefSummary[]): string {
	const ids = others.slice(0, 5).map(({ id }) => id);
	const more = others.length > ids.length ? ', …' : '';
	const were = others.length === 1 ? 'was' : 'were';
	return oneLine(
		`${count(others.length, 'brief')} of these products ${were} not ordered by this journal (${ids.join(', ')}${more}): others in the workspace did, or another folder. Only if nobody did, ask the vendor’s support.`,
		600,
	);
}
