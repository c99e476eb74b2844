import { FailedGroups, type FailedGroup } from './failed-groups';
import type { ShownColumn } from './result-columns';
import { noRows, type RowResult } from './row-result';

/** The statuses of rows that need attention or more allowance, the most urgent first. */
export const ATTENTION = ['parked', 'changed', 'failed', 'invalid', 'deferred'] as const;
export type AttentionStatus = (typeof ATTENTION)[number];

/** The report says what happened to this many rows of a status, and results.csv to all: a CSV may have 100,000. */
export const MOST_EXPLAINED = 200;

/** The report lists this many rows, those with a brief first, so that its size is bounded. */
export const MOST_ROWS = 20_000;

/** The report shows this much of a cell. */
const MOST_OF_A_CELL = 200;

/** A row as the report shows it. */
export interface ListedRow extends Pick<
	RowResult,
	'number' | 'product' | 'status' | 'brief_id' | 'title' | 'url' | 'file' | 'error' | 'error_code'
> {
	/** Of a failed row. */
	group?: FailedGroup | undefined;
	/** Its cells in the listing's columns. */
	own?: readonly string[];
}

/**
 * What the report has to know of the rows, gathered while results.csv is written. Its size does not grow with the CSV,
 * but for the IDs of the briefs.
 */
export class ReportRows {
	readonly counts = noRows();
	/** At most MOST_EXPLAINED rows of each status. */
	readonly explained: Record<AttentionStatus, ListedRow[]> = {
		parked: [],
		changed: [],
		failed: [],
		invalid: [],
		deferred: [],
	};
	readonly failed = new FailedGroups();
	private readonly briefIds = new Set<string>();
	private readonly withBrief: ListedRow[] = [];
	private readonly others: ListedRow[] = [];

	constructor(readonly columns: readonly ShownColumn[] = []) {}

	add(row: RowResult): void {
		const { number, product, status, brief_id, title, url, file, error, error_code } = row;
		this.counts[status] += 1;
		const group = status === 'failed' ? this.failed.add(row) : undefined;
		if (brief_id !== '') this.briefIds.add(brief_id);
		const list = brief_id === '' ? this.others : this.withBrief;
		const explained = status === 'ready' || status === 'pending' ? null : this.explained[status];
		const isExplained = explained !== null && explained.length < MOST_EXPLAINED;
		if (list.length >= MOST_ROWS && !isExplained) return;
		const own = this.columns.map(({ at }) => (row.cells[at] ?? '').slice(0, MOST_OF_A_CELL));
		const facts = { number, product, status, brief_id, title, url, file, error, error_code };
		const listed = { ...facts, group, own };
		if (list.length < MOST_ROWS) list.push(listed);
		if (isExplained) explained.push(listed);
	}

	has(briefId: string): boolean {
		return this.briefIds.has(briefId);
	}

	/** At most MOST_ROWS rows in the order of the CSV. */
	rows(): ListedRow[] {
		return [...this.withBrief, ...this.others]
			.slice(0, MOST_ROWS)
			.sort((a, b) => a.number - b.number);
	}
}
