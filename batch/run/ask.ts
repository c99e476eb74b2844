import type { Look } from '../../service/order/shell';
import type { Table } from '../csv/table';
import type { Emit } from '../events';
import type { Disk } from '../folder/disk';
import { stopCauseOf, type Surprise } from '../folder/journal/stop-causes';
import { BriefOwners } from '../order/brief-owners';
import { FreeBriefs } from '../order/free-briefs';
import { isSelected } from '../plan/row-selection';
import { differencesText } from '../plan/change-text';
import { differingFields } from '../plan/changes';
import {
	boundsOf,
	isToOrder,
	keysOfGoneRows,
	makePlan,
	rowStatus,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
} from '../plan/plan';
import { marksOf } from '../plan/marks';
import { ownId } from '../plan/try';
import { count } from '../text';
import { preflight, type Preflight } from './preflight';
import type { Asking, RunEnvironment, RunRequest } from './request';
import { checkProductColumn } from './same-product-column';
import { checkWorkspace } from './same-workspace';
import { olderText, surprisesIn } from './surprises';

/** The answers of the service, and the plan that is made with them. */
export interface Asked extends Preflight {
	/** Made with what the list and results/ show. */
	plan: Plan;
	/** To be confirmed before anything is ordered. */
	surprises: readonly Surprise[];
	owners: BriefOwners;
	/** The keys of orders in doubt whose row is no longer in the CSV. */
	goneKeys: ReadonlySet<string>;
	listed: FreeBriefs;
}

/**
 * Says which rows need something, asks the service, and makes the plan. Orders nothing.
 * @throws if the run cannot begin
 */
export async function askFirst(request: RunRequest, env: RunEnvironment): Promise<Asked> {
	const { batch, rows, table } = request;
	const { journal, events } = env;
	const { records } = journal;
	const known = makePlan({ batch, rows, csv: table.rows, records, options: request });
	reportRows(known, table, events.emit);
	try {
		checkProductColumn(table, known);
		const asked = await askService(known, request, env);
		for (const text of asked.notices) events.emit({ event: 'notice', text });
		return asked;
	} catch (error) {
		return await notBegun(error, request, env);
	}
}

/** Puts on record why a run cannot begin, so that `status` can say why it did nothing. */
export async function notBegun(
	error: unknown,
	{ table }: RunRequest,
	{ journal, interruption }: RunEnvironment,
): Promise<never> {
	if (!interruption.aborted)
		await journal.append({ type: 'not_begun', csv: table.file, cause: stopCauseOf(error) });
	throw error;
}

/** Reports the rows that need something, before anything is asked. */
function reportRows({ rows, source: { records } }: Plan, { set }: Table, emit: Emit): void {
	const marks = marksOf(rows);
	const known = (planned: PlannedRow) =>
		records.reportedMarks.has(marks.get(planned) ?? '') ? { known: true as const } : {};
	for (const planned of rows) {
		const { row, sameAs } = planned;
		const { number, problems, input } = row;
		const at = { row: number, ...ownId(row.ownId) };
		const { product_name } = input;
		if (sameAs !== undefined) emit({ event: 'row_duplicate', ...at, first_row: sameAs.row.number });
		else if (problems.length > 0)
			emit({ event: 'row_invalid', ...at, product_name, problems, ...known(planned) });
	}
	for (const planned of rows) {
		const { row, change } = planned;
		if (change === undefined || rowStatus(planned) !== 'changed') continue;
		const { number, input } = row;
		emit({
			event: 'row_changed',
			key: change.key,
			row: number,
			product_name: input.product_name,
			...ownId(row.ownId),
			brief_id: change.brief_id,
			fields: differingFields({ row, change }),
			differences: differencesText({ row, change }, set),
			...known(planned),
		});
	}
}

/**
 * Asks the service, and makes the plan with what its list and results/ show: `plan` prints it, `run` and `retry` carry
 * it out. Sends GETs only.
 * @param known the plan by the journal alone
 * @throws {ServiceError} if the service refuses, or does not answer
 * @throws {StopError} if nothing may be ordered
 */
export async function askService(
	known: Plan,
	request: RunRequest,
	env: Asking & { disk: Disk },
): Promise<Asked> {
	const { service, clock, interval, interruption: waiting, disk } = env;
	const { outDir } = request;
	const { source } = known;
	const { records } = source;
	const owners = await BriefOwners.read(disk, outDir, records);
	const before = await preflight(request, env, records);
	const { listing, allowance } = before;
	if (known.rows.some(isSent)) await checkWorkspace(records, listing.briefs, outDir, env);
	for (const planned of known.rows) {
		const brief = request.adoptions?.get(planned.row.number);
		if (brief !== undefined) owners.take(brief.id, tryOfPlanned(planned, source.batch).key);
	}
	const goneKeys = keysOfGoneRows(known);
	const tools = { service, clock, interval, waiting, records, owners, goneKeys };
	const listed = new FreeBriefs(listing, tools);
	const looks = await compare(known, listed);
	const bounds = boundsOf(allowance, request, service.now());
	const plan = makePlan({ ...source, looks, bounds });
	const surprises = surprisesIn(plan, request, listed);
	const notices = [...strangeText(owners), ...before.notices, ...olderText(plan, listed)];
	return { ...before, notices, surprises, plan, owners, goneKeys, listed };
}

/** Compares the rows to order with the briefs that no row has, by the number of the row. */
async function compare(
	{ rows, source }: Plan,
	listed: FreeBriefs,
): Promise<ReadonlyMap<number, Look>> {
	const looks = new Map<number, Look>();
	if (listed.size === 0) return looks;
	const look = async (planned: PlannedRow) => {
		const { number, input } = planned.row;
		const one = tryOfPlanned(planned, source.batch);
		// What is ordered again takes no brief, but must have another key than that of the brief.
		const isAgain = isSelected(source.options.orderAgain, number);
		looks.set(
			number,
			isAgain ? await listed.find(one, input) : (await listed.take(one, input)).look,
		);
	};
	const open = rows.filter(
		(row) => isToOrder(row) && listed.mayHave(tryOfPlanned(row, source.batch), row.row.input),
	);
	for (const planned of open) await look(planned);
	// Only after the others have their briefs do we know which briefs belong to nobody.
	for (const planned of open)
		if (looks.get(planned.row.number)?.is === 'unclear') await look(planned);
	return looks;
}

/** Says whether a run would send its order, new or once more. */
function isSent({ todo, record }: PlannedRow): boolean {
	return todo === 'order' || (todo === 'resume' && record?.stage === 'in_doubt');
}

const MOST_NAMED = 3;

/** Says which .json files in results/ are no briefs. */
function strangeText({ strangeFiles: others }: BriefOwners): string[] {
	if (others.length === 0) return [];
	const [them, are] = others.length === 1 ? ['it', 'is'] : ['they', 'are'];
	const named = others.slice(0, MOST_NAMED).join(', ');
	const more = others.length > MOST_NAMED ? ', …' : '';
	return [
		`${count(others.length, 'file')} in results/ ${are} left alone, because ${them} ${are} no finished brief: ${named}${more}`,
	];
}
