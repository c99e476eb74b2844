/** The places where a row can be, in the order of the report. */
export const ROW_STATUSES = [
	'ready',
	'failed',
	'invalid',
	'parked',
	'changed',
	'deferred',
	'pending',
] as const;
export type RowStatus = (typeof ROW_STATUSES)[number];

/** Those with which a run by itself does not go on: somebody has to look. */
export const NEEDING_ATTENTION = ['failed', 'invalid', 'parked', 'changed'] as const;

/** The number of rows of each status. */
export type RowCounts = Record<RowStatus, number>;

/** The same for all rows of a CSV: those that share the brief of another one are counted apart. */
export interface Counts extends RowCounts {
	duplicate: number;
}

/** Gives counts in which no row is counted yet. */
export function noRows(): RowCounts {
	return { ready: 0, failed: 0, invalid: 0, deferred: 0, parked: 0, changed: 0, pending: 0 };
}

/** The stages of a row's order, by the journal. */
export type RecordState =
	/** A create was sent or is about to be, and its answer is not on record. */
	| 'in_doubt'
	/** No brief exists; it may be sent. */
	| 'withdrawn'
	| 'accepted'
	/** The service has finished it; its files are still to be written. */
	| 'ended'
	| 'done'
	| 'parked';

/** Gives where a row is that was ordered. */
export function statusOf({
	state,
	status,
}: {
	state: RecordState;
	status: 'ready' | 'failed' | null;
}): Extract<RowStatus, 'ready' | 'failed' | 'parked' | 'pending'> {
	switch (state) {
		case 'withdrawn':
		case 'in_doubt':
		case 'accepted':
		case 'ended':
			return 'pending';
		case 'parked':
			return 'parked';
		case 'done':
			return status === 'failed' ? 'failed' : 'ready';
	}
}
