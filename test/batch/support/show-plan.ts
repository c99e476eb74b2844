import type { Row } from '../../../batch/csv/types';
import { matchRows } from '../../../batch/orders/match-rows';
import type { Orders } from '../../../batch/orders/orders';
import { NO_LIMITS, planRows, type OrderLimits } from '../../../batch/plan/plan-rows';
import type { PlannedRow, RowAction } from '../../../batch/plan/planned-row';
import type { RowSearch } from '../../../batch/plan/search-rows';
import { ALL_ROWS, type RowDecision, type Selection } from '../../../batch/plan/selection';
import { DAY } from '../../support/time';
import { makeOrders, START } from './order-builder';

/** The input of a plan where it differs from an empty folder. */
export interface Situation {
	readonly orders?: Orders;
	readonly selection?: Partial<Selection>;
	/** The search result of each row. If it is missing, nothing was searched. */
	readonly search?: RowSearch | undefined;
	readonly limits?: Partial<OrderLimits>;
	/** Two days after the orders of `STATES`. */
	readonly now?: number;
}

export function plan(rows: readonly Row[], situation: Situation = {}): PlannedRow[] {
	const { orders = makeOrders(), selection, search, limits, now = START + 2 * DAY } = situation;
	const contents = search === undefined ? [] : rows.map(({ contentId }) => contentId);
	return planRows({
		rows,
		orders,
		matches: matchRows(rows, orders, now),
		selection: { ...ALL_ROWS, ...selection },
		searches: new Map(contents.map((contentId) => [contentId, search as RowSearch])),
		limits: { ...NO_LIMITS, ...limits },
		now,
	});
}

/** Returns the status and the action of each row, separated by ` | `: `order after 'B1'` supersedes brief B1. */
export function showPlan(rows: readonly Row[], situation: Situation = {}): string {
	const words = plan(rows, situation).map(({ status, action, duplicateOf }) => {
		const shared = duplicateOf === null ? [] : [`as row ${duplicateOf}`];
		return [status, ...showAction(action), ...shared].join(', ');
	});
	return words.join(' | ');
}

function showAction(action: RowAction): string[] {
	switch (action.kind) {
		case 'order': {
			const attempt = action.attempt === 1 ? '' : ` attempt ${action.attempt}`;
			return [`order after '${action.supersedes}'${attempt}`];
		}
		case 'reuse':
			return [`reuse ${action.brief.id}`];
		case 'resend':
			return ['resend'];
		case 'leave':
			return action.reason === null ? ['leave'] : ['leave', action.reason];
	}
}

export const RETRY = { mode: 'retry' } as const;

export function reorder(...rows: number[]): Partial<Selection> {
	const decide = (row: number): [number, RowDecision] => [row, { kind: 'reorder' }];
	return { decisions: new Map(rows.map(decide)) };
}
