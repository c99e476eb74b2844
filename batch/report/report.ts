import { monthStart } from '../../core/dates';
import { getCreationTime } from '../../core/workspace/brief-time';
import { groupBy } from '../collections';
import type { Row } from '../csv/types';
import type { RowMatches } from '../orders/match-rows';
import { getOrderBrief, hasOrderPaid, type LiveOrder } from '../orders/order';
import type { Orders } from '../orders/orders';
import { findFirstRows } from '../orders/same-content';
import { makeOfflineFacts } from '../plan/offline-facts';
import { NO_ACTION, type PlannedRow } from '../plan/planned-row';
import { describeGroup, type GroupFinding } from './group-messages';
import { GROUP_NAMES, type GroupName } from './groups';
import {
	makeOrderRow,
	makeReportRow,
	listNumbers,
	type ReportRow,
	type RowPlace,
} from './report-row';
import type { Wording } from './row-messages';
import {
	ROW_STATES,
	ROW_STATUSES,
	toOrderState,
	toRowState,
	type FolderFacts,
	type RowState,
	type RowStatus,
} from './row-state';

/**
 * The state of a CSV, before or after a run. `plan`, the question before a run, the end of a run, `status`, results.csv, the
 * page, the notification and the exit code are all made from this one object, so they agree:
 *
 *     groups     to_order      58 rows   brief-batch run products.csv
 *                failed         2 rows   brief-batch retry products.csv
 *                ready        240 rows
 *     counts     { ready: 240, failed: 2, pending: 58, … }
 */
export interface Report {
	/** The rows of the CSV, then the briefs that have no row in it. */
	readonly rows: readonly ReportRow[];
	/** Rows with the same next step, the most urgent first. */
	readonly groups: readonly ReportGroup[];
	/** Rows of the CSV per status. */
	readonly counts: Readonly<Record<RowStatus, number>>;
	/** Briefs that orders of this folder have paid for, per UTC month such as 2026-11. */
	readonly paidByMonth: ReadonlyMap<string, number>;
}

export interface ReportGroup extends GroupFinding {
	readonly name: GroupName;
	readonly rows: readonly ReportRow[];
	/** True if the rows stay as they are until the user does something. */
	readonly needsUser: boolean;
}

interface ReportInput {
	readonly orders: Orders;
	/** With the actions of a plan, or what a run has left. Null if the CSV cannot be read: then the orders of the folder count in place of the rows. */
	readonly rows: readonly PlannedRow[] | null;
	/** What is known to be left of this month's allowance, so that rows beyond it are deferred; null in a plan. */
	readonly allowanceLeft: number | null;
	/** Briefs per month; null if unknown. */
	readonly monthlyLimit: number | null;
	/** The service's clock. */
	readonly now: number;
	readonly wording: Wording;
}

export function makeReport(input: ReportInput): Report {
	const { orders, rows, allowanceLeft, monthlyLimit, now, wording } = input;
	const folder = { orders, facts: makeOfflineFacts(orders, now) };
	const others = findOtherOrders(orders, rows).map(({ order, place }) =>
		makeOrderRow(order, place, toOrderState(order, folder), wording),
	);
	const described = rows === null ? [] : makeReportRows(rows, { folder, allowanceLeft, wording });
	const counted = rows === null ? others : described;
	const all = [...described, ...others];
	return {
		rows: all,
		groups: groupRows(all, wording, monthlyLimit),
		counts: countStatuses(counted),
		paidByMonth: countPaid(orders),
	};
}

/** Returns the rows of a CSV as the last run has left them. */
export function listCurrentRows(rows: readonly Row[], matches: RowMatches): PlannedRow[] {
	const firstRows = findFirstRows(rows);
	return rows.map((row) => {
		const duplicateOf = firstRows.get(row.number) ?? null;
		return { row, match: matches.get(row), action: NO_ACTION, duplicateOf };
	});
}

interface RowContext {
	readonly folder: FolderFacts;
	readonly allowanceLeft: number | null;
	readonly wording: Wording;
}

/** A duplicate has the state of the first row with its content. */
function makeReportRows(
	rows: readonly PlannedRow[],
	{ folder, allowanceLeft, wording }: RowContext,
): ReportRow[] {
	const states = new Map<number, RowState>();
	for (const { row, match, action, duplicateOf } of rows)
		if (duplicateOf === null) states.set(row.number, toRowState(row, match, action, folder));
	const deferred = findDeferred(states, allowanceLeft);
	return rows.flatMap((each) => {
		const number = each.duplicateOf ?? each.row.number;
		const state = deferred.has(number) ? DEFERRED : states.get(number);
		return state === undefined ? [] : [makeReportRow(each, state, wording)];
	});
}

const DEFERRED: RowState = { kind: 'beyond_allowance' };

/** Returns the rows that the next run cannot order this month. An order without an answer might have used its brief already. */
function findDeferred(
	states: ReadonlyMap<number, RowState>,
	allowanceLeft: number | null,
): ReadonlySet<number> {
	if (allowanceLeft === null) return new Set();
	const all = [...states];
	const used = all.filter(([, { kind }]) => kind === 'unanswered').length;
	const open = all.filter(([, { kind }]) => ROW_STATES[kind].group === 'not_ordered');
	return new Set(open.slice(Math.max(0, allowanceLeft - used)).map(([number]) => number));
}

function groupRows(
	rows: readonly ReportRow[],
	wording: Wording,
	monthlyLimit: number | null,
): ReportGroup[] {
	const byGroup = groupBy(rows, ({ group }) => group);
	return GROUP_NAMES.flatMap((name): ReportGroup[] => {
		const members = byGroup.get(name) ?? [];
		if (members.length === 0) return [];
		const needsUser = members.some(
			({ group, state }) => group === ROW_STATES[state.kind].group && needsTheUser(state),
		);
		// A command names the first of the rows that share a brief.
		const first = members.filter(({ duplicateOf }) => duplicateOf === null);
		const context = { wording, monthlyLimit, newRows: listNewRows(rows) };
		return [{ name, rows: members, needsUser, ...describeGroup(name, first, context) }];
	});
}

/** Returns the rows that a plan orders, and that have no order yet. */
function listNewRows(rows: readonly ReportRow[]): number[] {
	const isNew = ({ state, brief, duplicateOf }: ReportRow) =>
		state.kind === 'to_order' && brief === null && duplicateOf === null;
	return listNumbers(rows.filter(isNew));
}

function needsTheUser({ kind }: RowState): boolean {
	return ROW_STATES[kind].needsUser === true;
}

interface OtherOrder {
	readonly order: LiveOrder;
	readonly place: Exclude<RowPlace, { kind: 'row' }>;
}

/** Returns the orders that are shown without a row. */
function findOtherOrders(orders: Orders, rows: readonly PlannedRow[] | null): OtherOrder[] {
	if (rows === null) {
		const current = orders.live.filter((order) => !orders.isReplaced(order));
		return current.map((order) => ({ order, place: { kind: 'unread' } }));
	}
	const matched = rows.flatMap(({ match }) => (match.kind === 'new' ? [] : [match.order]));
	const ids = new Set(matched.map(({ id }) => id));
	const briefIds = new Set(matched.map((order) => getOrderBrief(order)?.id));
	const others = orders.live.filter((order) => {
		if (ids.has(order.id)) return false;
		const brief = getOrderBrief(order);
		// A brief that a row shows is not shown twice.
		return brief === null ? order.state.kind === 'unconfirmed' : !briefIds.has(brief.id);
	});
	// After an edit was undone, the row is back with the order that this order had replaced.
	const isUndone = ({ previousOrderId }: LiveOrder) =>
		previousOrderId !== null && ids.has(previousOrderId);
	return others.map((order) => {
		const isReplaced = orders.isReplaced(order) || isUndone(order);
		return { order, place: { kind: isReplaced ? 'replaced' : 'removed' } };
	});
}

function countStatuses(rows: readonly ReportRow[]): Record<RowStatus, number> {
	const counts = Object.fromEntries(ROW_STATUSES.map((status) => [status, 0]));
	for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
	return counts as Record<RowStatus, number>;
}

function countPaid(orders: Orders): Map<string, number> {
	const paid = new Map<string, number>();
	for (const order of orders.live) {
		const brief = getOrderBrief(order);
		if (brief === null || !hasOrderPaid(order) || !Number.isFinite(getCreationTime(brief)))
			continue;
		const month = new Date(monthStart(getCreationTime(brief))).toISOString().slice(0, 7);
		paid.set(month, (paid.get(month) ?? 0) + 1);
	}
	return paid;
}
