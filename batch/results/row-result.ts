import { notWritten } from '../text';
import { statusOf, type RowStatus } from '../folder/journal/status';
import type { BriefRecord } from '../folder/journal/brief-record';

/** The facts about a row that its order gives. */
export interface OrderFacts {
	/** Its name, for a person. */
	product: string;
	/** The number of times that it was ordered. */
	tries: number;
	brief_id: string;
	title: string;
	url: string;
	/** Relative to --out: results/x.md */
	file: string;
	error_code: string;
	/** A sentence about what happened to it. */
	error: string;
	created_at: string;
	finished_at: string;
}

/** A row of the CSV, and what became of it. */
export interface RowResult extends OrderFacts {
	/** As a spreadsheet counts: the header is row 1. */
	number: number;
	/** The row's cells in the CSV. There may be more or fewer than there are columns. */
	cells: string[];
	status: RowStatus;
}

/** Gives what results.csv says of an order. */
export function factsOf(record: BriefRecord): OrderFacts {
	return {
		product: record.product_name,
		tries: record.generation,
		brief_id: record.brief_id ?? '',
		title: record.title ?? '',
		url: record.url ?? '',
		file: record.file === null ? '' : `results/${record.file}.md`,
		error_code: record.error_code ?? '',
		error: record.error ?? (record.ended_as === 'failed' ? notWritten(record.error_code) : ''),
		created_at: String(record.created_at ?? ''),
		finished_at: String(record.finished_at ?? ''),
	};
}

/** Makes a row of which only the journal knows. */
export function resultOfOrder(record: BriefRecord): RowResult {
	const { row_number: number } = record;
	return { ...factsOf(record), number, status: statusOf(record), cells: [] };
}
