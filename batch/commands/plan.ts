import { NEEDING_A_PERSON } from '../folder/journal/row-status';
import type { Allowance } from '../../service/list/allowance';
import { hints } from '../csv/hints';
import { realDisk } from '../folder/disk';
import { EXIT, type ExitCode } from '../exit-codes';
import { idHint } from '../plan/own-numbers';
import { boundsOf, isToOrder, makePlan, rowStatus, type Plan, type PlannedRow } from '../plan/plan';
import { prepare, type Preparation } from '../run/prepare';
import type { RunRequest } from '../run/request';
import { refuseGoneCondition } from '../run/remembered';
import { damagedRows } from '../run/surprises';
import { count } from '../text';
import { asideText } from './chosen-rows';
import type { Console } from '../screen/console';
import { openEnvironment } from './environment';
import { readBatch } from './open-batch';
import { readJournal } from '../folder/out-folder';
import { countKinds, documentsOf, showRows } from '../screen/plan-rows';
import { estimateOfPlan, planText, sharesOf } from '../screen/plan-text';
import { rememberedTexts } from '../settings/reading';
import { missingForService } from '../settings/address-and-key';
import type { Settings } from '../settings/settings';
import { terminalText } from '../screen/format';
import { Stop } from '../stop';
import { stopOf } from '../stop-of';

/**
 * Checks every row, prices the run, spends nothing and writes nothing: it reads the journal without opening it, and
 * sends GETs only. Without an API key, or if the service does not answer, it still shows the rows, and says what it
 * could not check.
 */
export async function plan(csv: string, settings: Settings, console: Console): Promise<ExitCode> {
	const { interruption } = console;
	const notices: string[] = [];
	const notice = (text: string) => {
		notices.push(text);
		console.say(terminalText(text));
	};
	const { apiKey, ...options } = settings;
	const { outDir, baseUrl } = options;
	const { service, clock } = openEnvironment(baseUrl, apiKey, notice);
	const records = await readJournal(outDir);
	rememberedTexts(settings, records.run).forEach(notice);
	const batchRows = await readBatch(csv, settings, records, interruption);
	const request: RunRequest = { ...options, ...batchRows };
	const { batch, rows, table } = request;
	refuseGoneCondition(request);
	const planByJournal = makePlan({ batch, rows, csv: table.rows, records, options: request });
	noticesOf(request, planByJournal).forEach(notice);

	const missing = missingForService(settings);
	const env = { service, clock, interruption, disk: realDisk };
	const outcome =
		missing ??
		(await prepare(planByJournal, request, env).catch((error: unknown) =>
			refusal(error, interruption, service.now()),
		));
	const preparation = outcome instanceof Stop ? null : outcome;
	const allowance = preparation?.allowance ?? null;
	const unchecked = outcome instanceof Stop ? outcome : null;
	const bounds = boundsOf(null, settings, service.now());
	const plan = preparation?.plan ?? makePlan({ ...planByJournal.source, bounds });
	for (const text of preparation === null ? damagedRows(plan, request) : notesOf(preparation))
		notice(text);
	const failure = missing === null ? unchecked : null;
	const exitCode = failure?.exitCode ?? exitCodeOfPlan(plan.rows);
	if (console.isJson)
		console.json({
			...planDocument(plan, allowance, settings),
			unchecked: unchecked && { what: unchecked.what, cure: unchecked.cure },
			exit_code: exitCode,
			notices,
			by_row: documentsOf(plan, request),
		});
	else {
		showRows(plan, request, console);
		for (const line of planText(plan, allowance, request, console.paint)) console.say(line);
		if (missing !== null) console.say(`${missing.what} ${missing.cure}`);
	}
	// It is said below all that.
	if (failure !== null) throw failure;
	return exitCode;
}

function noticesOf(request: RunRequest, { rows }: Plan): string[] {
	const { table, reading } = request;
	const toOrder = rows.filter(isToOrder).map(({ row }) => row);
	return [
		...table.notices,
		...asideText(request),
		...hints(table, toOrder, (reading.where ?? []).length > 0),
		...(reading.id === undefined && toOrder.length > 0 ? idHint(table) : []),
	];
}

/** Gives the failure that a plan shows at its end, after the rows. */
function refusal(error: unknown, interruption: AbortSignal, now: number): Stop {
	if (interruption.aborted) throw error;
	return stopOf(error, now);
}

/** Gives what a person should know of list and folder. */
function notesOf({ notices, surprises, plan, owners }: Preparation): string[] {
	const isBack = ({ todo, briefIds: [id = ''] }: PlannedRow) =>
		todo === 'take_over' && owners.isInResults(id);
	const back = plan.rows.filter(isBack).length;
	const backText = `A run takes ${count(back, 'brief')} back from results/, which costs nothing.`;
	return [...notices, ...surprises, ...(back > 0 ? [backText] : [])];
}

function planDocument(plan: Plan, allowance: Allowance | null, { leaveSlots }: Settings): object {
	const { duplicate: duplicates, ...others } = countKinds(plan.rows);
	return {
		event: 'plan',
		batch: plan.source.batch,
		rows: plan.rows.length,
		...others,
		duplicates,
		to_order: plan.rows.filter(isToOrder).length,
		allowance,
		...sharesOf(plan),
		estimate_ms: estimateOfPlan(plan, leaveSlots),
	};
}

function exitCodeOfPlan(rows: readonly PlannedRow[]): ExitCode {
	const isLeft = ({ when, notAgain }: PlannedRow) =>
		notAgain !== undefined || (when !== undefined && when.is !== 'now');
	if (rows.some(isLeft)) return EXIT.leftForLater;
	const isUnfit = (row: PlannedRow) => {
		const status = rowStatus(row);
		return row.todo === 'park' || (!row.again && NEEDING_A_PERSON.some((each) => each === status));
	};
	return rows.some(isUnfit) ? EXIT.someFailed : EXIT.ok;
}
