import { toSummary, type Brief } from '../../../core/api/types';
import { getSupersededText } from '../../../core/orders/order';
import { Facts } from '../../../core/orders/facts';
import { InputDisplay } from '../../../core/workspace/input-display';
import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { NO_LIMITS, planRows, type OrderLimits } from '../../../batch/plan/plan-rows';
import { makeOfflineFacts } from '../../../batch/plan/offline-facts';
import { makeOfflineSources } from '../../../batch/plan/row-planner';
import type { PlannedRow, RowAction } from '../../../batch/plan/planned-row';
import type { RowChoice, Selection } from '../../../batch/plan/selection';
import { ROW_STATES, toRowState } from '../../../batch/report/row-state';
import { FetchedDetails, makeList } from '../../core/support/facts';
import { DAY } from '../../support/time';
import { makeOrders, START } from './order-builder';

export const ALL_ROWS: Selection = {
	mode: 'run',
	only: null,
	choices: new Map(),
	damage: 'review',
	canAsk: false,
};

/** The input of a plan where it differs from an empty folder. */
export interface Situation {
	readonly orders?: Orders;
	readonly selection?: Partial<Selection>;
	/** The briefs of the workspace. If they are missing, the service was not asked. */
	readonly listed?: readonly Brief[] | undefined;
	readonly limits?: Partial<OrderLimits>;
	/** Two days after the orders of `STATES`. */
	readonly now?: number;
}

export function plan(rows: readonly Row[], situation: Situation = {}): PlannedRow[] {
	const { orders = makeOrders(), selection, listed, limits, now = START + 2 * DAY } = situation;
	const sources =
		listed === undefined
			? makeOfflineSources(orders, now)
			: { facts: makeFacts(listed, orders, now), decisions: new Map(), stored: orders };
	return planRows({
		rows,
		orders,
		matches: matchRows(rows, orders, now),
		selection: { ...ALL_ROWS, ...selection },
		sources,
		limits: { ...NO_LIMITS, ...limits },
	});
}

function makeFacts(listed: readonly Brief[], owners: Orders, now: number): Facts {
	const display = new InputDisplay();
	for (const brief of listed) display.addBrief(brief);
	const list = makeList(listed.map(toSummary), now);
	return new Facts({ list, owners, details: new FetchedDetails(listed), display, now });
}

/**
 * Returns the action of each row, separated by ` | `: `order after 'B1'` supersedes brief B1. A row that is left has its
 * status.
 */
export function showPlan(rows: readonly Row[], situation: Situation = {}): string {
	const { orders = makeOrders(), now = START + 2 * DAY } = situation;
	const folder = { orders, facts: makeOfflineFacts(orders, now) };
	const words = plan(rows, situation).map(({ row, match, action, duplicateOf }) => {
		const { status } = ROW_STATES[toRowState(row, match, action, folder).kind];
		const shared = duplicateOf === null ? [] : [`as row ${duplicateOf}`];
		return [
			...(action.kind === 'leave' || action.kind === 'none' ? [status] : []),
			...showAction(action),
			...shared,
		].join(', ');
	});
	return words.join(' | ');
}

function showAction(action: RowAction): string[] {
	switch (action.kind) {
		case 'order':
			return [`order after '${getSupersededText(action.order.supersedes)}'`];
		case 'reuse':
			return [`reuse ${action.brief.id}`];
		case 'resend':
			return ['resend'];
		case 'leave':
			return ['leave', action.reason];
		case 'none':
			return ['leave'];
	}
}

export const RETRY = { mode: 'retry' } as const;

export function reorder(...rows: number[]): Partial<Selection> {
	const choose = (row: number): [number, RowChoice] => [row, { kind: 'reorder' }];
	return { choices: new Map(rows.map(choose)) };
}
