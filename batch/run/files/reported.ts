import { EXIT, type ExitCode } from '../../failure';
import type { Journal } from '../../journal/journal';
import type { Records } from '../../journal/records';
import type { ClassifiedRow } from '../rows/classify-rows';
import { sha256 } from '../../sha256';

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
function markOfRow(classified: ClassifiedRow): string | null {
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
				: changedMark(classified.change.row.key, classified.change.order.record.key);
		case 'duplicate':
		case 'begun':
			return null;
	}
}

/** Tells rows apart that are alike: the second one of a mark has a mark of its own. */
class Marks {
	private readonly seen = new Map<string, number>();

	/** Null where there are too many to be kept. */
	next(mark: string): string | null {
		const times = (this.seen.get(mark) ?? 0) + 1;
		if (times === 1 && this.seen.size >= MOST_MARKS) return null;
		this.seen.set(mark, times);
		return times === 1 ? mark : `${mark} ${times}`;
	}
}

/** How many failed and invalid rows an earlier run has ended with 1 for. */
export interface Known {
	failed: number;
	invalid: number;
}

export const NOTHING_KNOWN: Known = { failed: 0, invalid: 0 };

/** The rows of one run that need something, held against what earlier runs have reported. */
export class ReportedRows {
	known: Known = NOTHING_KNOWN;
	private marks = new Marks();
	private current: string[] = [];

	constructor(private readonly records: Records) {}

	/** For an event: whether an earlier run has reported the same. */
	knownFlag(plain: string): { known?: true } {
		const mark = this.marks.next(plain);
		return mark !== null && this.records.reported.has(mark) ? { known: true } : {};
	}

	/** Before the rows are gone through, which may be several times. */
	start(): void {
		this.known = { ...NOTHING_KNOWN };
		this.marks = new Marks();
		this.current = [];
	}

	see(classified: ClassifiedRow): void {
		const plain = markOfRow(classified);
		const mark = plain === null ? null : this.marks.next(plain);
		if (mark === null) return;
		this.current.push(mark);
		if (!this.records.reported.get(mark)?.has(EXIT.someFailed)) return;
		if (classified.fate === 'invalid') this.known.invalid += 1;
		if (classified.fate === 'done') this.known.failed += 1;
	}

	/** Puts on record what a run has reported that came to its end. */
	async record(journal: Journal, exit_code: ExitCode): Promise<void> {
		const { reported } = this.records;
		const marks = this.current.filter((mark) => !reported.get(mark)?.has(exit_code));
		if (marks.length > 0) await journal.append({ type: 'reported', exit_code, marks });
	}
}
