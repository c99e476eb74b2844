import { monthStart } from '../../core/dates';
import type { Finding } from '../../core/finding';
import { getCreationTime } from '../../core/workspace/brief-time';
import type { ExitCode } from '../exit-codes';
import { getOrderBrief, hasOrderPaid, type StoredOrder } from '../orders/order';
import type { Orders } from '../orders/orders';
import { wasPostponed, type PlannedRow } from '../plan/planned-row';
import { getOrderStatus, ROW_STATUSES, type RowStatus } from '../plan/row-status';
import { rateRows, type Scope } from './exit-code';
import type { GroupName, OverviewRow } from './overview-row';
import { describeGroup } from './group-messages';
import {
	describeReason,
	describeOrder,
	explainRow,
	getErrorCode,
	type Wording,
} from './row-messages';

/**
 * The state of a CSV, before or after a run. `plan`, the question before a run, the end of a run, `status`, results.csv, the
 * report, the notification and the exit code are all made from this one object, so they agree:
 *
 *     groups     to_order      58 rows   brief-batch run products.csv
 *                failed         2 rows   brief-batch retry products.csv
 *                ready        240 rows
 *     counts     { ready: 240, failed: 2, pending: 58, … }
 *     exitCode   3
 */
export interface Overview {
	/** The rows of the CSV, then the briefs that have no row in it. */
	readonly rows: readonly OverviewRow[];
	/** Rows with the same next step, the most urgent first. */
	readonly groups: readonly OverviewGroup[];
	/** Rows of the CSV per status. Duplicates count with their first row. */
	readonly counts: Readonly<Record<RowStatus, number>>;
	/** Briefs that orders of this folder have paid for, per UTC month such as 2026-11. */
	readonly paidByMonth: ReadonlyMap<string, number>;
	readonly exitCode: ExitCode;
}

export interface OverviewGroup extends Finding {
	readonly name: GroupName;
	readonly rows: readonly OverviewRow[];
}

const GROUPS_BY_URGENCY: readonly GroupName[] = [
	'to_reuse',
	'to_resend',
	'to_order',
	'to_reuse_failed',
	'needs_review',
	'changed',
	'failed',
	'invalid',
	'unconfirmed',
	'being_written',
	'not_reordered',
	'not_ordered',
	'deferred',
	'ready',
	'removed',
	'replaced',
	'skipped',
];

interface OverviewInput {
	readonly orders: Orders;
	/** Null if the CSV cannot be read: then the orders of the folder count in place of the rows. */
	readonly planned: readonly PlannedRow[] | null;
	readonly scope: Scope;
	readonly wording: Wording;
	/** True before a run: the rows are grouped by what the run does with them. */
	readonly isPlan?: boolean;
}

export function makeOverview(input: OverviewInput): Overview {
	const { orders, planned, scope, wording, isPlan = false } = input;
	const rowsWithoutNumber = findOtherOrders(orders, planned).map(([order, group]) =>
		describeOrderRow(order, orders.findReview(order.contentId), group, wording),
	);
	const numberedRows = planned?.map((each) => describeRow(each, wording, isPlan)) ?? [];
	const rows = [...numberedRows, ...rowsWithoutNumber];
	const counted = planned === null ? rowsWithoutNumber : numberedRows;
	return {
		rows,
		groups: groupRows(rows, wording),
		counts: countStatuses(counted.filter(({ isDuplicate }) => !isDuplicate)),
		paidByMonth: countPaid(orders),
		exitCode: rateRows(counted, scope),
	};
}

function groupRows(rows: readonly OverviewRow[], wording: Wording): OverviewGroup[] {
	return GROUPS_BY_URGENCY.flatMap((name): OverviewGroup[] => {
		const members = rows.filter((row) => row.group === name && !row.isDuplicate);
		return members.length === 0
			? []
			: [{ name, rows: members, ...describeGroup(name, members, wording) }];
	});
}

function describeRow(planned: PlannedRow, wording: Wording, isPlan: boolean): OverviewRow {
	const { row, match, status, action, duplicateOf } = planned;
	const order = match.kind === 'new' ? null : match.order;
	const state = order?.state;
	const isShown = status === 'ready' && state?.kind === 'ready';
	const explanation = explainRow(planned, wording);
	return {
		number: row.number,
		name: row.input.product_name || (row.cells.find((cell) => cell.trim() !== '') ?? ''),
		rowId: row.rowId,
		productId: row.input.product_id ?? null,
		status,
		group: (isPlan ? choosePlanGroup(planned) : null) ?? chooseGroup(planned),
		brief: action.kind === 'reuse' ? action.brief : order && getOrderBrief(order),
		file: isShown ? state.file : null,
		errorCode: status === 'failed' && state !== undefined ? getErrorCode(state) : '',
		...explanation,
		reason: describeReason(planned) ?? explanation.message,
		isDuplicate: duplicateOf !== null,
		leaveReason: action.kind === 'leave' ? action.reason : null,
		wasPostponed: wasPostponed(action),
	};
}

/** Returns the group of a row for which the run does something. */
function choosePlanGroup({ action }: PlannedRow): GroupName | null {
	switch (action.kind) {
		case 'order':
			return 'to_order';
		case 'resend':
			return 'to_resend';
		case 'reuse':
			return action.brief.status === 'failed' ? 'to_reuse_failed' : 'to_reuse';
		case 'leave':
			return null;
	}
}

function chooseGroup({ status, action, match }: PlannedRow): GroupName {
	const reason = action.kind === 'leave' ? action.reason : null;
	const isFinished = reason === 'ordered_recently' || reason === 'not_finished';
	if (isFinished || (wasPostponed(action) && status === 'ready')) return 'not_reordered';
	if (status !== 'pending') return status;
	return match.kind === 'new' ? 'not_ordered' : choosePendingGroup(match.order);
}

function choosePendingGroup({ state }: StoredOrder): GroupName {
	if (state.kind === 'unconfirmed') return 'unconfirmed';
	return state.kind === 'accepted' ? 'being_written' : 'not_ordered';
}

/** Returns the orders that are shown without a row, with their groups. */
function findOtherOrders(
	orders: Orders,
	planned: readonly PlannedRow[] | null,
): Array<[StoredOrder, GroupName]> {
	if (planned === null) {
		const current = orders.live.filter((order) => !orders.isReplaced(order));
		return current.map((order) => {
			const status = getOrderStatus(order, orders.findReview(order.contentId));
			return [order, status === 'pending' ? choosePendingGroup(order) : status];
		});
	}
	const matched = planned.flatMap(({ match }) => (match.kind === 'new' ? [] : [match.order]));
	const ids = new Set(matched.map(({ id }) => id));
	const briefIds = new Set(matched.map((order) => getOrderBrief(order)?.id));
	const others = orders.live.filter((order) => {
		if (ids.has(order.id)) return false;
		const brief = getOrderBrief(order);
		// A brief that a row shows is not shown twice.
		return brief === null ? order.state.kind === 'unconfirmed' : !briefIds.has(brief.id);
	});
	return others.map((order) => [order, orders.isReplaced(order) ? 'replaced' : 'removed']);
}

function describeOrderRow(
	order: StoredOrder,
	review: readonly string[],
	group: GroupName,
	wording: Wording,
): OverviewRow {
	const { input, rowIds, state } = order;
	const brief = getOrderBrief(order);
	const message = describeOrder(state, review, wording);
	return {
		number: null,
		name: input.product_name,
		rowId: rowIds.at(-1)?.rowId ?? null,
		productId: input.product_id ?? null,
		status: getOrderStatus(order, review),
		group,
		brief,
		file: state.kind === 'ready' ? state.file : null,
		errorCode: getErrorCode(state),
		message,
		reason: message,
		nextSteps: [],
		isDuplicate: false,
		leaveReason: null,
		wasPostponed: false,
	};
}

function countStatuses(rows: readonly OverviewRow[]): Record<RowStatus, number> {
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
