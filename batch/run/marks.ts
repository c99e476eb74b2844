import { sha256 } from '../sha256';
import { rowKey } from '../plan/changes';
import type { PlannedRow } from '../plan/plan';

/*
 * What earlier runs have reported of rows that need something. A mark stands for one such report: of this row, with
 * this content, in this state. Any edit makes another mark, and so does a new order: then it is news, and counts for
 * the exit code. Where the record is lost, everything is news.
 */

/** So many different marks are kept of one run; what goes beyond is news in each run. */
const MOST_MARKS = 10_000;

export function parkedMark(key: string, why: string | null): string {
	return markOf('parked', key, why);
}

function markOf(...of: unknown[]): string {
	return sha256(JSON.stringify(of)).slice(0, 16);
}

/** The mark of a row that needs something; null for any other. */
export function markOfRow({ row, ordinal, record, status, change, sameAs }: PlannedRow) {
	if (sameAs !== undefined) return null;
	if (status === 'invalid') return markOf('invalid', row.cells, row.problems);
	if (status === 'changed') return markOf('changed', rowKey(row.id, ordinal), change?.key);
	if (record === undefined) return null;
	if (status === 'failed') return markOf('failed', record.key);
	return status === 'parked' ? parkedMark(record.key, record.error) : null;
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
