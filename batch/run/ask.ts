import { LOOKED_BACK_DAYS } from '../../service/assumptions';
import { ServiceError } from '../../service/api/errors';
import { instantOf } from '../../service/api/timestamps';
import { dayInWords } from '../../service/list/month';
import type { Look } from '../../service/order/shell';
import type { Disk } from '../folder/disk';
import { Claims } from '../order/claims';
import { keptIn, type Kept } from '../order/kept-briefs';
import { ListedBriefs } from '../order/listed-briefs';
import { isAsked } from '../plan/asked-rows';
import { OrdersByProduct, productOf } from '../plan/changes';
import {
	boundsOf,
	isToOrder,
	makePlan,
	mayOrder,
	tryOfPlanned,
	type Plan,
	type PlannedRow,
} from '../plan/plan';
import { readyRows } from '../results/result-columns';
import { serviceFailure } from '../service-failure';
import { count } from '../text';
import { preflight, type Preflight } from './preflight';
import type { Asking, RunRequest } from './request';
import { checkWorkspace } from './same-workspace';

/** What is known before anything is ordered. */
export interface Asked extends Preflight {
	/** Made with what the list and results/ show. */
	plan: Plan;
	/** What must be asked for before anything is ordered, besides the notices. */
	surprises: readonly string[];
	kept: Kept;
	/** Whose the listed briefs are, by the plan. */
	claims: Claims;
	listed: ListedBriefs;
}

/**
 * Asks the service, and makes the plan with what its list and results/ show: `plan` prints it, `run` and `retry` carry
 * it out. Sends GETs only.
 * @param known the plan by the journal alone
 * @throws {Failure} if nothing may be ordered: exit code 4 if key, scope or licence are refused, 5 if the service does
 * not answer, 2 for all else
 */
export async function askService(
	known: Plan,
	request: RunRequest,
	env: Asking & { disk: Disk },
): Promise<Asked> {
	const { service, clock, interval, interruption: waiting, disk } = env;
	const { outDir, openResults } = request;
	const { source } = known;
	const { records } = source;
	const kept = await keptIn(disk, outDir, records, async () => readyRows(await openResults()));
	const before = await preflight(request, env, records);
	const { listing, allowance } = before;
	if (mayOrder(known)) await checkWorkspace(records, listing.briefs, outDir, env);
	const claims = new Claims(known);
	const listed = new ListedBriefs(listing, { service, clock, interval, waiting, claims, kept });
	try {
		const looks = await compare(known, listed);
		const bounds = boundsOf(allowance, request, service.now());
		const plan = makePlan({ ...source, looks, bounds });
		const isNewFolder = records.all().length === 0;
		const surprises = [
			...strangeRows(plan, request),
			...namelessRows(request),
			...(isNewFolder ? knownProducts(plan, listed) : []),
		];
		const older = isNewFolder ? [] : olderText(plan, listed);
		const notices = [...othersText(kept), ...before.notices, ...older];
		return { ...before, notices, surprises, plan, kept, claims, listed };
	} catch (error) {
		throw error instanceof ServiceError ? serviceFailure(error, service.now()) : error;
	}
}

/** Compares the rows to order with the briefs that no row has, by the number of the row. Throws ServiceError. */
async function compare(
	{ rows, source }: Plan,
	listed: ListedBriefs,
): Promise<ReadonlyMap<number, Look>> {
	const looks = new Map<number, Look>();
	if (listed.size === 0) return looks;
	const look = async (planned: PlannedRow) => {
		const { number, input } = planned.row;
		const one = tryOfPlanned(planned, source.batch);
		// What is ordered again takes no brief, but must have another key than that of the brief.
		const isAgain = isAsked(source.options.orderAgain, number);
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

/** Says whether a brief in results/ becomes the row's. */
export function isTakenBack({ todo, briefIds: [id = ''] }: PlannedRow, kept: Kept): boolean {
	return todo === 'take_over' && kept.briefs.has(id);
}

/** Says that a folder knows no row of the CSV, nor any of its products: it may be another client's list. */
function strangeRows(
	{ rows, source: { records } }: Plan,
	{ outDir, table, part }: RunRequest,
): string[] {
	const ordered = records.all();
	// A part has the rows that were not ordered.
	if (ordered.length === 0 || part !== undefined || !rows.some(isToOrder)) return [];
	const byProduct = new OrdersByProduct(ordered);
	if (rows.some(({ change }) => change !== undefined)) return [];
	if (table.rows.some(({ input }) => byProduct.of(productOf(input)).length > 0)) return [];
	return [`The folder ${outDir} has orders, but none of a product in ${table.file}.`];
}

/** Says which option orders all rows again: a number may have been forgotten behind it. */
function namelessRows({ orderAgain, orderChanged }: RunRequest): string[] {
	const options = [
		['--order-again', orderAgain],
		['--order-changed', orderChanged],
	] as const;
	return options.flatMap(([option, rows]) =>
		rows === true ? [`${option} names no rows, so it means all of them.`] : [],
	);
}

const MOST_NAMED = 3;

/** Says which .json files in results/ are no briefs. */
function othersText({ others }: Pick<Kept, 'others'>): string[] {
	if (others.length === 0) return [];
	const [them, are] = others.length === 1 ? ['it', 'is'] : ['they', 'are'];
	const named = others.slice(0, MOST_NAMED).join(', ');
	const more = others.length > MOST_NAMED ? ', …' : '';
	return [
		`${count(others.length, 'file')} in results/ ${are} left alone, because ${them} ${are} no finished brief: ${named}${more}`,
	];
}

/** Says which rows are ordered although the list shows a brief of their product, because that is too old. */
function olderText(plan: Plan, listed: ListedBriefs): string[] {
	const found = leftOver(plan, listed, { isOld: true });
	if (found === null) return [];
	return [
		`The workspace has older briefs of ${found}. Only briefs of the last ${LOOKED_BACK_DAYS} days are taken over, so these rows are ordered.`,
	];
}

/** Says that a new folder would order products of which the workspace has briefs: the folder may be the wrong one. */
function knownProducts(plan: Plan, listed: ListedBriefs): string[] {
	const found = leftOver(plan, listed, { isOld: false });
	if (found === null) return [];
	return [
		`The workspace has briefs of ${found}, with other content or older than ${LOOKED_BACK_DAYS} days. This folder knows no order of them.`,
	];
}

/** Names the products to order of which a listed brief is left over; null if there are none. */
function leftOver({ rows }: Plan, listed: ListedBriefs, how: { isOld: boolean }): string | null {
	const found = rows
		.filter((row) => isToOrder(row) && row.record === undefined)
		.map(({ row }) => listed.leftOver(row.input, how))
		.filter((briefs) => briefs.length > 0);
	const times = found.flat().map(({ created_at }) => instantOf(created_at) ?? 0);
	if (times.length === 0) return null;
	return `${count(found.length, 'product')} in this list, the newest of ${dayInWords(Math.max(...times))}`;
}
