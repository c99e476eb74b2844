import type { Allowance } from '../../service/allowance';
import { ServiceError } from '../../service/errors';
import { SLOTS } from '../../service/limits';
import type { Clock } from '../../service/ports';
import type { BriefingService } from '../../service/service';
import { openTable, type Table } from '../csv/table';
import { EXIT, Failure, type ExitCode } from '../failure';
import type { Records } from '../journal/records';
import { inOneSpelling } from '../plan/spellings';
import { earlierResults, keptText } from '../run/files/earlier-results';
import {
	countListed,
	foreseeListed,
	NOTHING_FORESEEN,
	type Foreseen,
} from '../run/plan/foresee-listed';
import { countRows, shareOut } from '../run/plan/plan-counts';
import { plannedRows, type PlannedRow } from '../run/plan/planned-rows';
import { retryOptions } from '../run/plan/retry-worth';
import { standingOf } from '../run/plan/standing';
import { preflight, toTell } from '../run/preflight';
import { checkProductColumn } from '../run/same-product-column';
import { checkWorkspace } from '../run/same-workspace';
import { serviceFailure } from '../run/service-failure';
import { heldBack, mayOrder, summariseRows, type Summary } from '../run/rows/summarise';
import { batchOf, openResults, partOf } from './batch-of';
import type { Console } from './console';
import { planned } from './estimate';
import { openEnvironment } from './environment';
import { refuseToWriteOver } from './input-in-place';
import { readJournal } from './journal-file';
import { firstOfEach, ProblemLines, showRows } from './plan-rows';
import { planText, type Plan } from './plan-text';
import { checkBaseUrl } from './settings/base-url';
import { missingForService, type Settings } from './settings/settings';
import { terminalText } from './format';

/**
 * Checks every row, prices the run, spends nothing and writes nothing: it reads the journal without opening it, and
 * sends GETs only. Without an API key, or where the service does not answer, it shows the rows all the same, and says
 * what it could not check.
 */
export async function plan(
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
): Promise<ExitCode> {
	const notices: string[] = [];
	const notice = (text: string) => {
		notices.push(text);
		console.say(terminalText(text));
	};
	const { service, clock, disk } = openEnvironment(settings, {
		emit: (event) => {
			if (event.event === 'notice') notice(event.text);
		},
	});
	const records = await readJournal(disk, settings.outDir);
	if (settings.baseUrl !== '') checkBaseUrl(settings.baseUrl, records, settings.outDir);
	const read = await openTable(csv, settings.table);
	const table = { ...read, rows: inOneSpelling(read.rows, records, settings) };
	const { batch, isPart } = await batchOf(table, settings, records, disk);
	await refuseToWriteOver(table, settings.outDir, isPart);
	table.notices.forEach(notice);
	const problems = new ProblemLines(console);
	const options = {
		...settings,
		part: isPart ? await partOf(csv, settings.outDir, settings.table) : undefined,
	};
	const summary = await summariseRows(table, records, options, problems);
	problems.end();
	checkProductColumn({ table, part: options.part }, records, summary);
	const before = { table, outDir: settings.outDir, part: options.part };
	const open = () => openResults(settings.outDir, settings.table);
	const kept = await earlierResults({ ...before, openResults: open }, records, summary, disk);
	if (kept !== null) notice(keptText(kept, csv, 'will be'));

	const missing = missingForService(settings);
	const request = { ...settings, table, batch };
	const asked =
		missing ?? (await askService(request, summary, records, { service, clock, interruption }));
	const isAnswered = !(asked instanceof Failure);
	const foreseen = isAnswered ? asked.foreseen : NOTHING_FORESEEN;
	const allowance = isAnswered ? asked.allowance : null;
	if (isAnswered) asked.notices.forEach(notice);
	const failure = isAnswered || missing !== null ? null : asked;

	const counts = countRows(summary, settings, countListed(foreseen));
	const left = Math.max(0, (allowance?.remaining ?? Infinity) - settings.keep);
	const shares = shareOut(counts.ready_to_go, left, settings.max);
	const unfit = counts.invalid + counts.failed + counts.parked + counts.unclear;
	const rowsCode = exitCodeOf(
		unfit + heldBack(summary, settings),
		shares.deferred + shares.beyond_max,
	);
	const thePlan: Plan = {
		csv,
		batch,
		counts,
		shares,
		allowance,
		estimate: planned(shares.takes + counts.under_way, SLOTS - settings.leaveSlots),
		missing,
		failure,
		retryOptions: retryOptions(standingOf(records).failed, settings.maxGenerations),
		exitCode: failure?.exitCode ?? rowsCode,
		now: service.now(),
	};
	const perMonth = allowance?.allowance == null ? null : allowance.allowance - settings.keep;
	const bounds = { shares, perMonth, now: thePlan.now };
	const rows = plannedRows(table, records, settings, summary, foreseen, bounds);
	if (console.isJson) console.json(documentOf(thePlan, notices, rows));
	else {
		showRows(rows, counts, console);
		for (const line of planText(thePlan, settings, console.paint)) console.say(line);
	}
	if (failure !== null) throw failure;
	return thePlan.exitCode;
}

interface Answers {
	notices: string[];
	allowance: Allowance;
	foreseen: Foreseen;
}

/** @returns a Failure where the service refuses, or cannot be reached */
async function askService(
	request: Omit<Settings, 'table'> & { table: Table; batch: string },
	summary: Summary,
	records: Records,
	env: { service: BriefingService; clock: Clock; interruption: AbortSignal },
): Promise<Answers | Failure> {
	const { service, clock, interruption } = env;
	try {
		const before = await preflight(service, clock, request, interruption, records);
		const { allowance, listing } = before;
		if (mayOrder(summary, request)) await checkWorkspace(records, listing.briefs, request, env);
		const foreseen = await foreseeListed(request, summary, records, listing, env);
		return { notices: toTell(before, request.keep), allowance, foreseen };
	} catch (error) {
		const failure = error instanceof ServiceError ? serviceFailure(error, service.now()) : error;
		if (failure instanceof Failure) return failure;
		throw failure;
	}
}

function documentOf(
	{ batch, counts, shares, allowance, estimate, missing, failure, exitCode }: Plan,
	notices: string[],
	rows: readonly PlannedRow[],
): object {
	const { fresh, ...others } = counts;
	const unchecked = missing ?? failure;
	return {
		event: 'plan',
		batch,
		...others,
		new: fresh,
		allowance,
		...shares,
		estimate_ms: estimate,
		unchecked: unchecked === null ? null : { what: unchecked.what, cure: unchecked.cure },
		exit_code: exitCode,
		notices,
		by_row: firstOfEach(rows),
	};
}

function exitCodeOf(unfit: number, left: number): ExitCode {
	if (left > 0) return EXIT.leftForLater;
	return unfit > 0 ? EXIT.someFailed : EXIT.ok;
}
