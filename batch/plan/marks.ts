import { EXIT, type ExitCode } from '../exit-codes';
import type { OrderCause } from '../folder/journal/causes';
import type { Journal } from '../folder/journal/journal';
import type { Order, Records } from '../folder/records';
import { rowStatus, type PlannedRow } from './plan';
import type { KnownCounts } from '../folder/events';
import { sha256 } from '../sha256';

/*
 * A mark is a report of a row that needs something: this row, this content, this state. An edit or another try makes
 * another mark: then the row is news, and counts for the exit code. If the record is lost, everything is news.
 */

export const NOTHING_KNOWN: KnownCounts = { failed: 0, invalid: 0, parked: 0, changed: 0 };

/** The number of marks that a run keeps. Rows beyond it are news in each run. */
const MOST_MARKS = 10_000;

/** The mark of each row that needs something, and of each parked order that has no row. */
type Marks = ReadonlyMap<PlannedRow | Order, string>;

/** Gives the marks of the rows that need something. Identical rows are numbered, so that each has its own. */
export function marksOf(
	rows: readonly PlannedRow[],
	parkedWithoutRow: readonly Order[] = [],
): Marks {
	const timesSeen = new Map<string, number>();
	const marks = new Map<PlannedRow | Order, string>();
	for (const order of parkedWithoutRow) marks.set(order, parkedMark(order.key, order.cause));
	for (const plannedRow of rows) {
		const mark = markOfRow(plannedRow);
		if (mark === null || marks.size >= MOST_MARKS) continue;
		const times = (timesSeen.get(mark) ?? 0) + 1;
		timesSeen.set(mark, times);
		marks.set(plannedRow, times === 1 ? mark : `${mark} ${times}`);
	}
	return marks;
}

/** Gives how many rows of each status an earlier run has reported with the exit code for them. */
export function knownIn(marks: Marks, { reportedMarks }: Records): KnownCounts {
	const counts: KnownCounts = { ...NOTHING_KNOWN };
	for (const [one, mark] of marks) {
		const status = 'todo' in one ? rowStatus(one) : 'parked';
		if (reportedMarks.get(mark)?.has(EXIT.someFailed)) counts[status as keyof KnownCounts] += 1;
	}
	return counts;
}

/** Puts on record what a finished run has reported. */
export async function keepMarks(
	marks: Marks,
	exit_code: ExitCode,
	journal: Journal,
): Promise<void> {
	const { reportedMarks } = journal.records;
	const newMarks = [...marks.values()].filter((mark) => !reportedMarks.get(mark)?.has(exit_code));
	if (newMarks.length > 0) await journal.keep({ event: 'reported', exit_code, marks: newMarks });
}

export function parkedMark(key: string, cause: OrderCause | null): string {
	return markOf('parked', key, cause?.reason, cause !== null && 'ids' in cause ? cause.ids : []);
}

function markOf(...of: unknown[]): string {
	return sha256(JSON.stringify(of)).slice(0, 16);
}

/** Gives null if nothing is to be done about the row. */
function markOfRow(plannedRow: PlannedRow): string | null {
	const { row, record, heldBy, sameAs } = plannedRow;
	if (sameAs !== undefined) return null;
	const status = rowStatus(plannedRow);
	if (status === 'invalid') return markOf('invalid', row.cells, row.problems);
	if (status === 'changed') return markOf('changed', row.contentId, heldBy?.key);
	if (status === 'failed' && heldBy !== undefined)
		return markOf('failed', heldBy.key, row.contentId);
	if (record === undefined) return null;
	if (status === 'failed') return markOf('failed', record.key);
	return status === 'parked' ? parkedMark(record.key, record.cause) : null;
}
