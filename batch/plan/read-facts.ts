import type { BriefSummary } from '../../core/api/types';
import { monthStart } from '../../core/dates';
import { CLOCK_ERROR_MS, REUSE_WINDOW_MS } from '../../core/assumptions';
import { fetchOnce } from '../../core/orders/existing-briefs';
import type { Allowance } from '../../core/workspace/allowance';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { Row } from '../csv/types';
import { matchRows, type RowMatches } from '../orders/match-rows';
import {
	toAcceptedState,
	getOrderBrief,
	isUnconfirmed,
	makeFirstLine,
	makeSuccessor,
	type Order,
	type OrderChange,
} from '../orders/order';
import type { Orders } from '../orders/orders';
import type { ConnectedSession } from '../session';
import { findUnclaimed, type ListedBriefs } from '../workspace/find-reusable-brief';
import { settleOrder, type RowState } from '../workspace/settle-order';
import { willResend } from './plan-rows';
import { readAllowance } from './read-allowance';
import { getRowStatus } from './row-status';
import type { Selection } from './selection';

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
export interface Facts extends ListedBriefs {
	/** The service's clock. */
	readonly now: number;
	readonly allowance: Allowance;
	readonly changes: readonly OrderChange[];
	/** A copy of the orders with these changes. The run compares it with the orders at its end. */
	readonly orders: Orders;
	/** The rows matched with these orders. */
	readonly matches: RowMatches;
	/** The brief list is complete from this time on. */
	readonly listedSince: number;
}

export async function readFacts(session: ConnectedSession, selection: Selection): Promise<Facts> {
	const { folder, table, workspace, context } = session;
	const { orders } = folder.store;
	await workspace.briefs.readNewestPage(context, 0);
	const now = context.client.now();
	const matches = matchRows(table.rows, orders, now);
	const listedSince = findListStart(table.rows, matches, orders, now);
	const briefs = await workspace.briefs.readSince(listedSince, context);
	const getBrief = fetchOnce((id) => workspace.readBrief(id, context));
	const listed = { now, briefs, getBrief };
	const rowStates = findRowStates(table.rows, matches, selection);
	const changes = [
		...(await settleOrders(orders, listed, rowStates)),
		...findReadyBriefs(orders, briefs),
		...findMissingFiles(orders, await folder.files.findMissing()),
	];
	const settled = orders.withChanges(changes);
	const settledMatches = changes.length === 0 ? matches : matchRows(table.rows, settled, now);
	const settlement = { changes, orders: settled, matches: settledMatches };
	const isSentAgain = ({ id }: Order) => rowStates.get(id) === 'resend';
	const allowance = await readAllowance(session, settled, isSentAgain);
	return { ...listed, ...settlement, allowance, listedSince };
}

/** Returns how far back the brief list has to be read, by the service's clock. */
function findListStart(
	rows: readonly Row[],
	matches: RowMatches,
	orders: Orders,
	now: number,
): number {
	const windowStart = now - REUSE_WINDOW_MS;
	// Only a list that goes back to its first request can show that an unconfirmed order has no brief.
	const sent = orders.live.filter(isUnconfirmed).map(({ state }) => state.firstSentAt);
	const firstSent = findEarliest(sent) - CLOCK_ERROR_MS;
	const isAllReady = rows.every((row) => getRowStatus(row, matches.get(row)) === 'ready');
	if (!isAllReady) return Math.min(windowStart, firstSent);
	// The orders without a row, and the newest brief, which shows whether this is the workspace of the folder.
	const open = orders.live.filter(({ state }) => state.kind !== 'ready');
	const start = Math.min(monthStart(now), findNewest(orders.live), findEarliest(getTimes(open)));
	return Math.min(firstSent, Math.max(windowStart, start - CLOCK_ERROR_MS));
}

function getTimes(orders: readonly Order[]): number[] {
	return orders.flatMap((order) => getOrderBrief(order) ?? []).map(getCreationTime);
}

function findEarliest(times: readonly number[]): number {
	return times.reduce((earliest, time) => Math.min(earliest, time), Infinity);
}

function findNewest(orders: readonly Order[]): number {
	return getTimes(orders).reduce((newest, time) => Math.max(newest, time), -Infinity);
}

async function settleOrders(
	orders: Orders,
	{ now, briefs, getBrief }: ListedBriefs & { readonly now: number },
	rowStates: ReadonlyMap<number, RowState>,
): Promise<OrderChange[]> {
	const listed = { candidates: findUnclaimed(orders, briefs), getBrief };
	const changes: OrderChange[] = [];
	let { nextId } = orders;
	for (const order of orders.live.filter(isUnconfirmed)) {
		const options = { rowState: rowStates.get(order.id) ?? 'removed', now };
		const settled = await settleOrder(order, listed, options);
		if (settled === null) continue;
		const { state, reused } = settled;
		changes.push({ order: order.id, state });
		if (reused !== null) changes.push(makeFirstLine(nextId++, makeSuccessor(order), reused));
	}
	return changes;
}

/** Returns whether the run sends each unconfirmed order whose content a row has. */
function findRowStates(
	rows: readonly Row[],
	matches: RowMatches,
	selection: Selection,
): ReadonlyMap<number, RowState> {
	const states = new Map<number, RowState>();
	for (const row of rows) {
		const match = matches.get(row);
		if (match.kind !== 'same') continue;
		const { id } = match.order;
		if (willResend(row, match, selection)) states.set(id, 'resend');
		else if (!states.has(id)) states.set(id, 'in_csv');
	}
	return states;
}

/** A brief that failed, is late or was missing is used once the list shows it as ready, also if it was replaced. */
function findReadyBriefs(orders: Orders, briefs: readonly BriefSummary[]): OrderChange[] {
	const listed = new Map(briefs.map((brief) => [brief.id, brief]));
	return orders.live.flatMap((order): OrderChange[] => {
		const { state } = order;
		const isUnused =
			state.kind === 'failed' || (state.kind === 'accepted' && state.review !== null);
		const brief = listed.get(getOrderBrief(order)?.id ?? '');
		if (!isUnused || brief?.status !== 'ready') return [];
		return [{ order: order.id, state: toAcceptedState(brief, state.isPaid) }];
	});
}

function findMissingFiles(orders: Orders, isMissing: (name: string) => boolean): OrderChange[] {
	return orders.live.flatMap(({ id, state }: Order): OrderChange[] => {
		if (state.kind !== 'ready' || !isMissing(state.file)) return [];
		return [{ order: id, state: toAcceptedState(state.brief, state.isPaid) }];
	});
}
