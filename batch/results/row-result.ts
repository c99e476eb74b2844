/** Where a row can be, in the order of the report. */
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

/** How many rows there are of each status, before any is seen. */
export function noRows(): Record<RowStatus, number> {
	return { ready: 0, failed: 0, invalid: 0, deferred: 0, parked: 0, changed: 0, pending: 0 };
}

/** What became of one row of the CSV. */
export interface RowResult {
	/** As a spreadsheet counts: the header is row 1. */
	number: number;
	/** Its name, for a person. */
	product: string;
	/** How many times it was ordered. */
	tries: number;
	/** The row's cells in the CSV. There may be more or fewer than there are columns. */
	cells: string[];
	status: RowStatus;
	brief_id: string;
	title: string;
	url: string;
	/** Relative to --out: results/x.md */
	file: string;
	error_code: string;
	error: string;
	created_at: string;
	finished_at: string;
}
