import { sha256 } from '../sha256';
import type { ClassifiedRow } from './rows/classify-rows';

/*
 * What earlier runs have reported of rows that need something. A mark stands for one such report: of this row, with
 * this content, in this state. Any edit makes another mark, and so does a new order: then it is news, and counts for
 * the exit code. Where the record is lost, everything is news.
 */

/** So many different marks are kept of one run; what goes beyond is news in each run. */
const MOST_MARKS = 10_000;

export function invalidMark(cells: readonly string[], problems: readonly object[]): string {
	return markOf('invalid', cells, problems);
}

export function changedMark(row: string, orderedKey: string): string {
	return markOf('changed', row, orderedKey);
}

export function parkedMark(key: string, why: string | null): string {
	return markOf('parked', key, why);
}

function markOf(...of: unknown[]): string {
	return sha256(JSON.stringify(of)).slice(0, 16);
}

/** The mark of a row that needs something; null for any other. */
export function markOfRow(classified: ClassifiedRow): string | null {
	const { row } = classified;
	switch (classified.fate) {
		case 'invalid':
			return invalidMark(row.cells, row.problems);
		case 'done':
			return classified.record.status === 'failed' ? markOf('failed', classified.record.key) : null;
		case 'parked':
			return parkedMark(classified.record.key, classified.record.error);
		case 'new':
			return classified.change === undefined
				? null
				: changedMark(classified.change.row.key, classified.change.order.key);
		case 'duplicate':
		case 'begun':
			return null;
	}
}

/** Tells rows apart that are alike: the second one of a mark has a mark of its own. */
export class Marks {
	private readonly seen = new Map<string, number>();

	/** Null where there are too many to be kept. */
	next(mark: string): string | null {
		const times = (this.seen.get(mark) ?? 0) + 1;
		if (times === 1 && this.seen.size >= MOST_MARKS) return null;
		this.seen.set(mark, times);
		return times === 1 ? mark : `${mark} ${times}`;
	}
}
