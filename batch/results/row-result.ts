import type { RowCounts } from '../folder/journal/events';
import type { BriefRecord } from '../folder/journal/records';

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

/** Where a row needs attention: a run by itself does not go on with it. */
export const NEEDING_ATTENTION = ['failed', 'invalid', 'parked', 'changed'] as const;

/** How many rows there are of each status, before any is seen. */
export function noRows(): RowCounts {
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
	/** What happened to it, in a sentence. */
	error: string;
	created_at: string;
	finished_at: string;
}

/** What results.csv says of an order. */
export function factsOf(record: BriefRecord): Omit<RowResult, 'number' | 'cells' | 'status'> {
	return {
		product: record.product_name,
		tries: record.generation,
		brief_id: record.brief_id ?? '',
		title: record.title ?? '',
		url: record.url ?? '',
		file: record.file === null ? '' : `results/${record.file}.md`,
		error_code: record.error_code ?? '',
		error: record.error ?? (record.status === 'failed' ? notWritten(record.error_code) : ''),
		created_at: String(record.created_at ?? ''),
		finished_at: String(record.finished_at ?? ''),
	};
}

/** A row of which only the journal knows. */
export function resultOfOrder(record: BriefRecord): RowResult {
	const { row_number: number } = record;
	return { ...factsOf(record), number, status: statusOf(record), cells: [] };
}

export function statusOf({
	state,
	status,
}: BriefRecord): Extract<RowStatus, 'ready' | 'failed' | 'parked' | 'pending'> {
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

/** Of a brief that has failed. */
export function notWritten(error_code: string | null): string {
	return `The service could not write this brief (${error_code ?? 'no reason given'}).`;
}
