import type { Brief } from '../../service/api/resources';
import type { Allowance } from '../../service/list/allowance';
import type { Listing, SharedList } from '../../service/list/brief-list';
import type { Look } from '../../service/order/shell';
import type { Disk } from '../folder/disk';
import { BriefOwners } from '../order/brief-owners';
import { FreeBriefs } from '../order/free-briefs';
import {
	boundsOf,
	isToOrder,
	keysOfOrdersWithoutRow,
	makePlan,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
} from '../plan/plan';
import { stopOf } from '../stop-of';
import { getAdoptions, refuseKeptTwice } from './adopt';
import { notAgainTexts } from './not-again';
import { preflight } from './preflight';
import type { Asking, RunEnvironment, RunRequest } from './request';
import { refuseGoneCondition } from './remembered';
import { reportRows } from './report-rows';
import { checkWorkspace, hasYoungBrief } from './same-workspace';
import { olderText, surprisesIn } from './surprises';

/** What the service said, and the plan that is made with it. `plan` shows it, `run` and `retry` carry it out. */
export interface Preparation {
	/** Sentences for a person. */
	notices: string[];
	allowance: Allowance;
	/** The time of the allowance, by the service's clock: it says nothing about the month after. */
	asOf: number;
	/** The workspace's briefs of this month and of the last 31 days, perhaps with some older ones. */
	listing: Listing;
	list: SharedList;
	/** Made with what the list and results/ show. */
	plan: Plan;
	/** To be confirmed before anything is ordered. */
	surprises: readonly string[];
	owners: BriefOwners;
	freeBriefs: FreeBriefs;
}

/**
 * Prepares a run up to the yes of a person: says which rows need something, asks the service, and makes the plan. Orders
 * nothing.
 * @throws if the run cannot begin
 */
export async function prepareRun(request: RunRequest, env: RunEnvironment): Promise<Preparation> {
	const { batch, rows, table } = request;
	const { journal, events } = env;
	const { records } = journal;
	const planByJournal = makePlan({ batch, rows, csv: table.rows, records, options: request });
	try {
		refuseGoneCondition(request);
		reportRows(planByJournal, table, events.tell);
		const preparation = await prepare(planByJournal, request, env);
		for (const text of preparation.notices) events.tell({ event: 'notice', text });
		return preparation;
	} catch (error) {
		return await notBegun(error, request, env);
	}
}

/**
 * Puts on record why a run cannot begin, so that `status` can say why it did nothing. What was typed wrong is said at
 * once, and not kept.
 */
export async function notBegun(
	error: unknown,
	{ table, typedToBegin, typedForOnce, retryUpTo }: RunRequest,
	{ journal, service, interruption }: RunEnvironment,
): Promise<never> {
	const { onRecord: stop, exitCode: exit_code } = stopOf(error, service.now());
	if (interruption.aborted || stop.reason === 'unusable') throw error;
	const command = retryUpTo === undefined ? 'run' : 'retry';
	const typedWords = {
		command,
		csv: table.file,
		options: [...typedToBegin, ...typedForOnce],
	} as const;
	const end = { event: 'run_ended', outcome: 'not_begun', exit_code, news: true, stop } as const;
	// It is told at the very end.
	await journal.keep({ ...end, ...typedWords });
	throw error;
}

/**
 * Asks the service, and makes the plan with what its list and results/ show. Sends GETs only.
 * @param planByJournal the plan by the journal alone
 * @throws {ServiceError} if the service refuses, or does not answer
 * @throws {Stop} if nothing may be ordered
 */
export async function prepare(
	planByJournal: Plan,
	request: RunRequest,
	env: Asking & { disk: Disk },
): Promise<Preparation> {
	const { service, clock, interruption: signal, disk } = env;
	const { outDir } = request;
	const { source } = planByJournal;
	const { options, records } = source;
	const owners = await BriefOwners.read(disk, outDir, records);
	const facts = await preflight(request, env, records);
	const { listing, allowance } = facts;
	if (planByJournal.rows.some(isSent) || hasYoungBrief(records, service.now()))
		await checkWorkspace(records, listing.briefs, outDir, env);
	const adoptions = await getAdoptions(request, records, owners, env);
	const planBefore = makePlan({ ...source, options: { ...options, adoptions: adoptions.briefs } });
	refuseKeptTwice(planBefore);
	takeAdopted(planBefore, adoptions.briefs, owners);
	const keysWithoutRow = keysOfOrdersWithoutRow(planBefore);
	const tools = { service, clock, signal, records, owners, keysWithoutRow };
	const freeBriefs = new FreeBriefs(listing, tools);
	const looks = await compare(planBefore, freeBriefs);
	const bounds = boundsOf(allowance, request, service.now());
	const plan = makePlan({ ...planBefore.source, looks, bounds });
	const notices = [
		...facts.notices,
		...adoptions.notices,
		...olderText(plan, freeBriefs),
		...notAgainTexts(plan),
	];
	const surprises = surprisesIn(plan, request, freeBriefs);
	return { ...facts, notices, surprises, plan, owners, freeBriefs };
}

/** Says whether a run would send its order, new or once more. */
function isSent({ todo, record }: PlannedRow): boolean {
	return todo === 'order' || (todo === 'resume' && record?.state.stage === 'in_doubt');
}

function takeAdopted(
	{ rows, source }: Plan,
	briefs: ReadonlyMap<number, Brief>,
	owners: BriefOwners,
): void {
	for (const plannedRow of rows) {
		const brief = briefs.get(plannedRow.row.number);
		if (brief !== undefined) owners.take(brief.id, tryOfPlanned(plannedRow, source.batch).key);
	}
}

/** Compares the rows to order with the briefs that no row has, by the number of the row. */
async function compare(
	{ rows, source }: Plan,
	freeBriefs: FreeBriefs,
): Promise<ReadonlyMap<number, Look>> {
	const looks = new Map<number, Look>();
	if (freeBriefs.size === 0) return looks;
	const look = async (plannedRow: PlannedRow) => {
		const { number, input } = plannedRow.row;
		const one = tryOfPlanned(plannedRow, source.batch);
		// Also what is ordered again: its brief is no other row's, and the next one must have another key.
		looks.set(number, (await freeBriefs.take(one, input)).look);
	};
	const rowsToCompare = rows.filter(
		(row) => isToOrder(row) && freeBriefs.mayHave(tryOfPlanned(row, source.batch), row.row.input),
	);
	for (const plannedRow of rowsToCompare) await look(plannedRow);
	// Only after the others have their briefs do we know which briefs belong to nobody.
	for (const plannedRow of rowsToCompare)
		if (looks.get(plannedRow.row.number)?.is === 'unclear') await look(plannedRow);
	return looks;
}
