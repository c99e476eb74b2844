import { isRunning } from '../../service/api/resources';
import type { Events, OrderName } from '../folder/events';
import { type Order, type Records, statusOf } from '../folder/records';

/** The state of a run, for the live view. */
export interface Progress {
	/** The slots that this run may use, of the two of the workspace. */
	usable: number;
	/** The rows that this run orders, takes over or goes on with. */
	total: number;
	/** Those of them that it has finished. */
	ready: number;
	failed: number;
	parked: number;
	invalid: number;
	/** The briefs that are being written. */
	slots: ReadonlyArray<OrderName & { status: string; since: number }>;
	/** The milliseconds that each brief took which this run ordered and fetched. */
	durations: readonly number[];
	/** Of the month; null if it is not known. */
	allowance: number | null;
	/** The briefs of the month, by everybody. */
	used: number;
	/** Briefs of others in the workspace that are being written. */
	othersRunning: number;
}

/** Gives how far a run is, by what is on record; null before it has begun. */
export function progressOf(
	records: Records,
	{ usable, othersRunning }: Pick<Progress, 'usable' | 'othersRunning'>,
	nameOf: Events['nameOf'],
): Progress | null {
	const { run } = records;
	if (run === undefined) return null;
	const filedOrders = records.lately('filed');
	const { to_order, to_compare, to_resume, invalid } = run.rows;
	const are = (orders: readonly Order[], status: 'failed' | 'parked') =>
		orders.filter((order) => statusOf(order) === status).length;
	return {
		usable,
		total: to_order + to_compare + to_resume,
		ready: filedOrders.length,
		failed: are(records.lately('ended'), 'failed'),
		parked: are(records.lately('parked'), 'parked'),
		invalid,
		slots: records.all().flatMap((order) => {
			const { state, brief, key, product_name, accepted_at, cause } = order;
			const isPutOff = cause !== null;
			if (state.stage !== 'running' || isPutOff || brief === null || !isRunning(brief)) return [];
			const name = nameOf(key) ?? { product_name };
			return [{ ...name, status: brief.status, since: Date.parse(accepted_at ?? '') }];
		}),
		durations: filedOrders.flatMap(({ took_ms }) => took_ms ?? []),
		allowance: run.allowance,
		used: run.used + records.lately('accepted').filter(({ is_paid }) => is_paid).length,
		othersRunning,
	};
}
