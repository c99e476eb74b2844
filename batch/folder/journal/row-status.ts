/** The places where a row of the list can be, in the order of the report. */
export const LISTED_STATUSES = [
	'ready',
	'failed',
	'invalid',
	'parked',
	'changed',
	'deferred',
	'pending',
] as const;

/** The same, and that of a row that --where leaves out. */
export const ROW_STATUSES = [...LISTED_STATUSES, 'left_out'] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** Those for which a run orders nothing by itself: somebody has to look. */
export const NEEDING_A_PERSON = ['failed', 'invalid', 'parked', 'changed'] as const;

/** The number of rows of each status. Those that share the brief of another one are counted apart. */
export type Counts = Record<(typeof LISTED_STATUSES)[number] | 'duplicate', number>;

/** Gives counts in which no row is counted yet. */
export function noRows(): Counts {
	return {
		ready: 0,
		failed: 0,
		invalid: 0,
		deferred: 0,
		parked: 0,
		changed: 0,
		pending: 0,
		duplicate: 0,
	};
}
