import type { Look } from '../../service/order/shell';
import type { Table } from '../csv/table';
import type { Events } from '../folder/events';
import type { Disk } from '../folder/disk';
import { BriefOwners } from '../order/brief-owners';
import { FreeBriefs } from '../order/free-briefs';
import { differencesText } from '../plan/change-text';
import { differingFields } from '../plan/changes';
import {
	boundsOf,
	isToOrder,
	keysOfOrdersWithoutRow,
	makePlan,
	rowStatus,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
} from '../plan/plan';
import { marksOf } from '../plan/marks';
import { ownNumberField } from '../plan/try';
import { stopOf } from '../stop-of';
import { getAdoptions } from './adopt';
import { notAgainTexts } from './not-again';
import { preflight, type Preflight } from './preflight';
import type { Asking, RunEnvironment, RunRequest } from './request';
import { refuseGoneCondition } from './remembered';
import { checkWorkspace, hasYoungBrief } from './same-workspace';
import { olderText, surprisesIn } from './surprises';

/** The answers of the service, and the plan that is made with them. */
export interface Answers extends Preflight {
	/** Made with what the list and results/ show. */
	plan: Plan;
	/** To be confirmed before anything is ordered. */
	surprises: readonly string[];
	owners: BriefOwners;
	/** The keys of orders in doubt of which this run has no row. */
	keysWithoutRow: ReadonlySet<string>;
	freeBriefs: FreeBriefs;
}

/**
 * Says which rows need something, asks the service, and makes the plan. Orders nothing.
 * @throws if the run cannot begin
 */
export async function askFirst(request: RunRequest, env: RunEnvironment): Promise<Answers> {
	const { batch, rows, table } = request;
	const { journal, events } = env;
	const { records } = journal;
	const planByJournal = makePlan({ batch, rows, csv: table.rows, records, options: request });
	try {
		refuseGoneCondition(request);
		reportRows(planByJournal, table, events.tell);
		const answers = await askService(planByJournal, request, env);
		for (const text of answers.notices) events.tell({ event: 'notice', text });
		return answers;
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

/** Reports the rows that need something, before anything is asked. */
function reportRows(
	{ rows, source: { records } }: Plan,
	{ set }: Table,
	tell: Events['tell'],
): void {
	const marks = marksOf(rows);
	const knownField = (plannedRow: PlannedRow) =>
		records.reportedMarks.has(marks.get(plannedRow) ?? '') ? { known: true as const } : {};
	for (const plannedRow of rows) {
		const { row, sameAs } = plannedRow;
		const { number, problems, input } = row;
		const at = { row: number, ...ownNumberField(row.ownNumber) };
		const { product_name } = input;
		if (sameAs !== undefined)
			tell({ event: 'row_duplicate', ...at, product_name, first_row: sameAs.row.number });
		else if (problems.length > 0)
			tell({ event: 'row_invalid', ...at, product_name, problems, ...knownField(plannedRow) });
	}
	for (const plannedRow of rows) {
		const { row, heldBy } = plannedRow;
		if (heldBy === undefined || rowStatus(plannedRow) !== 'changed') continue;
		const { number, input } = row;
		tell({
			event: 'row_changed',
			key: heldBy.key,
			row: number,
			product_name: input.product_name,
			...ownNumberField(row.ownNumber),
			brief_id: heldBy.state.briefId,
			fields: differingFields({ row, heldBy }),
			differences: differencesText({ row, heldBy }, set),
			...knownField(plannedRow),
		});
	}
}

/**
 * Asks the service, and makes the plan with what its list and results/ show: `plan` prints it, `run` and `retry` carry
 * it out. Sends GETs only.
 * @param planByJournal the plan by the journal alone
 * @throws {ServiceError} if the service refuses, or does not answer
 * @throws {Stop} if nothing may be ordered
 */
export async function askService(
	planByJournal: Plan,
	request: RunRequest,
	env: Asking & { disk: Disk },
): Promise<Answers> {
	const { service, clock, interruption: signal, disk } = env;
	const { outDir } = request;
	const { options, records, batch } = planByJournal.source;
	const owners = await BriefOwners.read(disk, outDir, records);
	const facts = await preflight(request, env, records);
	const { listing, allowance } = facts;
	const isToCheck = planByJournal.rows.some(isSent) || hasYoungBrief(records, service.now());
	if (isToCheck) await checkWorkspace(records, listing.briefs, outDir, env);
	const { briefs: adoptions, notices: adoptionNotices } = await getAdoptions(
		request,
		records,
		owners,
		env,
	);
	const source = { ...planByJournal.source, options: { ...options, adoptions } };
	const planBefore = makePlan(source);
	for (const plannedRow of planBefore.rows) {
		const brief = adoptions.get(plannedRow.row.number);
		if (brief !== undefined) owners.take(brief.id, tryOfPlanned(plannedRow, batch).key);
	}
	const keysWithoutRow = keysOfOrdersWithoutRow(planBefore);
	const tools = { service, clock, signal, records, owners, keysWithoutRow };
	const freeBriefs = new FreeBriefs(listing, tools);
	const looks = await compare(planBefore, freeBriefs);
	const bounds = boundsOf(allowance, request, service.now());
	const plan = makePlan({ ...source, looks, bounds });
	const surprises = surprisesIn(plan, request, freeBriefs);
	const notices = [
		...facts.notices,
		...adoptionNotices,
		...olderText(plan, freeBriefs),
		...notAgainTexts(plan),
	];
	return { ...facts, notices, surprises, plan, owners, keysWithoutRow, freeBriefs };
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

/** Says whether a run would send its order, new or once more. */
function isSent({ todo, record }: PlannedRow): boolean {
	return todo === 'order' || (todo === 'resume' && record?.state.stage === 'in_doubt');
}
