import type { BriefSummary } from '../../core/api/types';
import { DAY_MS, REUSE_WINDOW_MS } from '../../core/assumptions';
import { monthStart } from '../../core/dates';
import type { Decision, Policy } from '../../core/orders/decide-order';
import { readFacts, type FactSources } from '../../core/orders/facts';
import type { Allowance } from '../../core/workspace/allowance';
import { BriefDetails } from '../../core/workspace/brief-details';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { ListSnapshot } from '../../core/workspace/brief-list';
import type { RequestContext } from '../../core/workspace/request-context';
import type { Workspace } from '../../core/workspace/workspace';
import { isUsable, type CsvOptions, type Row, type Table } from '../csv/types';
import type { FolderStore } from '../folder/folder-store';
import { matchRows, type RowMatch, type RowMatches } from '../orders/match-rows';
import {
	getOrderBrief,
	isUnconfirmedOrder,
	toAcceptedState,
	type StoredOrder,
} from '../orders/order';
import type { Orders, PlannedOrders } from '../orders/orders';
import type { CommandRepeater } from './command-builder';
import { RUN_POLICY } from './policy';
import { recordFolderBriefs, readAllowance } from './read-allowance';
import { isReordered, type Selection } from './selection';
import {
	findResentContents,
	settleOrders,
	type PlanChange,
	type SettleRules,
} from './settle-orders';

/**
 * The facts about the workspace that a plan is made from, read with GETs only. Nothing is written.
 *
 *     GET /briefs          the briefs of 90 days, newest first
 *     GET /briefs/{id}     each brief that could belong to an unconfirmed order, to compare its input
 *     GET /licences        this month's allowance
 *
 * `changes`: the changes of orders that follow from these answers. Unconfirmed orders are settled, briefs that have become
 * ready are used, and briefs whose files are missing are fetched again.
 */
export interface PlanFacts extends Omit<FactSources, 'owners'>, SettledFolder {
	/** The list is complete from this time on. */
	readonly listedSince: number;
	readonly allowance: Allowance;
}

interface SettledFolder {
	readonly changes: readonly PlanChange[];
	/** What was decided about each order that was unconfirmed, by order ID. */
	readonly decisions: ReadonlyMap<number, Decision>;
	/** A copy of the orders with these changes. The run compares it with the orders at its end. */
	readonly orders: PlannedOrders;
	/** The rows matched with these orders. */
	readonly matches: RowMatches;
}

/** What a plan is made from: the CSV, its folder, and the workspace that is asked. */
export interface PlanContext {
	readonly table: Table;
	readonly folder: Pick<FolderStore, 'path' | 'store' | 'files'>;
	readonly workspace: Workspace;
	readonly requests: RequestContext;
	readonly commandLine: CommandRepeater;
	/** Identifies address and API key. */
	readonly keyFingerprint: string;
	/** Reads the CSV with other options. Throws {CsvProblem} if it cannot be used with them. */
	readonly readCsv: (options: CsvOptions) => Promise<Table>;
}

export async function readPlanFacts(
	context: PlanContext,
	selection: Selection,
): Promise<PlanFacts> {
	const { folder, table, workspace, requests } = context;
	const { rows } = table;
	const { orders: stored } = folder.store;
	await workspace.briefs.readNewestPage(requests, 0);
	const now = requests.client.now();
	const matches = matchRows(rows, stored, now);
	const listedSince = findListStart({ rows, matches, orders: stored, selection }, now);
	const list = await workspace.briefs.readSince(listedSince, requests);
	const details = new BriefDetails((id) => workspace.readBrief(id, requests));
	const sources = { list, details, display: workspace.display, now };
	const resent = findResentContents(rows, matches, selection);
	const settled = await settleFolder(context, sources, matches, {
		ordersOfRows: findOrdersOfRows(rows, matches),
		getPolicy: makePolicies(rows, stored, selection, resent),
	});
	recordFolderBriefs(workspace.allowance, settled.orders, resent);
	const allowance = await readAllowance(workspace.allowance, requests);
	return { ...sources, listedSince, allowance, ...settled };
}

/** @param matches of the orders as the journal has them */
async function settleFolder(
	{ folder, table: { rows } }: PlanContext,
	sources: Omit<FactSources, 'owners'>,
	matches: RowMatches,
	rules: SettleRules,
): Promise<SettledFolder> {
	const orders = folder.store.orders.withChanges([]);
	const unconfirmed = orders.live.filter(isUnconfirmedOrder);
	const facts = await readFacts(unconfirmed, { ...sources, owners: orders });
	const { changes: settled, decisions } = settleOrders(orders, facts, rules);
	const others = [
		...findReadyBriefs(orders, sources.list),
		...findMissingFiles(orders, await folder.files.findMissing()),
	];
	for (const change of others) orders.apply(change);
	const changes = [...settled, ...others];
	return {
		changes,
		decisions,
		orders,
		matches: changes.length === 0 ? matches : matchRows(rows, orders, sources.now),
	};
}

/**
 * Returns the policies for the orders that earlier commands have left unconfirmed.
 * @param resent the contents whose orders the run sends again
 */
function makePolicies(
	rows: readonly Row[],
	stored: Orders,
	selection: Selection,
	resent: ReadonlySet<string>,
): (order: StoredOrder) => Policy {
	const reordered = new Set(
		rows
			.filter(isUsable)
			.flatMap(({ number, contentId }) => (isReordered(selection, number) ? [contentId] : [])),
	);
	return ({ contentId }) => ({
		...RUN_POLICY,
		canResend: resent.has(contentId),
		seen: new Set(reordered.has(contentId) ? stored.listNamedBriefs(contentId) : []),
	});
}

function findOrdersOfRows(rows: readonly Row[], matches: RowMatches): ReadonlySet<number> {
	const found = rows.map((row) => matches.get(row));
	return new Set(found.flatMap((match) => (match.kind === 'same' ? [match.order.id] : [])));
}

/** What the brief list is read for. */
interface ListedFor {
	readonly rows: readonly Row[];
	readonly matches: RowMatches;
	readonly orders: Orders;
	readonly selection: Selection;
}

/** Returns how far back the brief list has to be read, by the service's clock. */
function findListStart({ rows, matches, orders, selection }: ListedFor, now: number): number {
	const windowStart = now - REUSE_WINDOW_MS;
	// Only a list that goes back to its first request can show that an unconfirmed order has no brief.
	const sent = orders.live.filter(isUnconfirmedOrder).map(({ state }) => state.firstSentAt);
	const firstSent = findEarliest(sent) - DAY_MS;
	const isAllReady = rows.every((row) => isReady(row, matches.get(row)));
	// A draft that does not know all briefs of its product would take an old one for its own.
	const isReorder = [...selection.choices.values()].some(({ kind }) => kind === 'reorder');
	if (!isAllReady || isReorder) return Math.min(windowStart, firstSent);
	// The orders without a row, and the newest brief, which shows whether this is the workspace of the folder.
	const open = orders.live.filter(({ state }) => state.kind !== 'ready');
	const start = Math.min(monthStart(now), findNewest(orders.live), findEarliest(getTimes(open)));
	return Math.min(firstSent, Math.max(windowStart, start - DAY_MS));
}

function isReady(row: Row, match: RowMatch): boolean {
	return isUsable(row) && match.kind === 'same' && match.order.state.kind === 'ready';
}

function getTimes(orders: readonly StoredOrder[]): number[] {
	return orders.flatMap((order) => getOrderBrief(order) ?? []).map(getCreationTime);
}

function findEarliest(times: readonly number[]): number {
	return times.reduce((earliest, time) => Math.min(earliest, time), Infinity);
}

function findNewest(orders: readonly StoredOrder[]): number {
	return getTimes(orders).reduce((newest, time) => Math.max(newest, time), -Infinity);
}

/** A brief that failed, is late or was missing is used once the list shows it as ready, even if it was replaced. */
function findReadyBriefs(orders: Orders, list: ListSnapshot): PlanChange[] {
	return orders.live.flatMap(({ id, state }): PlanChange[] => {
		const isUnused =
			state.kind === 'failed' || (state.kind === 'accepted' && state.review !== null);
		if (!isUnused) return [];
		const brief: BriefSummary | undefined = list.find(state.brief.id);
		return brief?.status === 'ready'
			? [{ order: id, state: toAcceptedState(brief, state.source) }]
			: [];
	});
}

/** Returns the changes of orders whose files are missing: their briefs are finished, and are saved again. */
export function findMissingFiles(
	orders: Orders,
	isMissing: (name: string) => boolean,
): PlanChange[] {
	return orders.live.flatMap(({ id, state }): PlanChange[] => {
		if (state.kind !== 'ready' || !isMissing(state.file)) return [];
		return [{ order: id, state: toAcceptedState(state.brief, state.source) }];
	});
}
