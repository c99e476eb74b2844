/** Everything that can become of a row, in the order in which the report shows it. */
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

/** What became of one row of the CSV. */
export interface RowResult {
	/** As a spreadsheet counts: the header is row 1. */
	number: number;
	/** Its name, for a person. */
	product: string;
	/** How many times it was ordered from the start. */
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
