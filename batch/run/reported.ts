import { EXIT, type ExitCode } from '../failure';
import type { Journal } from '../journal/journal';
import type { Records } from '../journal/records';
import type { PlannedRow } from '../plan/plan';
import type { Known } from './events';
import { sha256 } from '../sha256';
import { rowsText } from '../plan/asked-rows';
import { rowKey } from '../plan/changes';

/*
 * What earlier runs have reported of rows that need something. A mark is one such report: this row, this content, this
 * state. An edit or another try makes another mark: then the row is news, and counts for the exit code. If the record is
 * lost, everything is news.
 */

export const NOTHING_KNOWN: Known = { failed: 0, invalid: 0, parked: 0, changed: 0 };

/** The rows of one run that need something, compared with what earlier runs have reported. */
export class ReportedRows {
	known: Known = NOTHING_KNOWN;
	/** The numbers of the changed rows, as in a command to copy. */
	changed = '';
	private marks = new Marks();
	private current: string[] = [];

	constructor(private readonly records: Records) {}

	/** For an event: whether an earlier run has reported the same. */
	knownFlag(planned: PlannedRow): { known?: true } {
		const mark = this.next(planned);
		return mark !== null && this.records.reported.has(mark) ? { known: true } : {};
	}

	/** Takes the rows as they are now, perhaps several times. */
	see(rows: readonly PlannedRow[]): void {
		this.known = { ...NOTHING_KNOWN };
		this.marks = new Marks();
		this.current = [];
		const changed = rows.filter((row) => row.status === 'changed' && row.sameAs === undefined);
		this.changed = rowsText(changed.map(({ row }) => row.number));
		for (const planned of rows) {
			const mark = this.next(planned);
			if (mark === null) continue;
			this.current.push(mark);
			if (!this.records.reported.get(mark)?.has(EXIT.someFailed)) continue;
			const { status } = planned;
			if (status in this.known) this.known[status as keyof Known] += 1;
		}
	}

	private next(planned: PlannedRow): string | null {
		const plain = markOfRow(planned);
		return plain === null ? null : this.marks.next(plain);
	}

	/** Puts on record what a finished run has reported. */
	async record(journal: Journal, exit_code: ExitCode): Promise<void> {
		const { reported } = this.records;
		const marks = this.current.filter((mark) => !reported.get(mark)?.has(exit_code));
		if (marks.length > 0) await journal.append({ type: 'reported', exit_code, marks });
	}
}

/** A run keeps this many marks; what goes beyond is news in each run. */
const MOST_MARKS = 10_000;

export function parkedMark(key: string, why: string | null): string {
	return markOf('parked', key, why);
}

function markOf(...of: unknown[]): string {
	return sha256(JSON.stringify(of)).slice(0, 16);
}

/** The mark of a row that needs something; null for any other. */
function markOfRow({ row, ordinal, record, status, change, sameAs }: PlannedRow) {
	if (sameAs !== undefined) return null;
	if (status === 'invalid') return markOf('invalid', row.cells, row.problems);
	if (status === 'changed') return markOf('changed', rowKey(row.id, ordinal), change?.key);
	if (record === undefined) return null;
	if (status === 'failed') return markOf('failed', record.key);
	return status === 'parked' ? parkedMark(record.key, record.error) : null;
}

/** Numbers identical rows, so that each has its own mark. */
class Marks {
	private readonly seen = new Map<string, number>();

	/** Null if there are too many to be kept. */
	next(mark: string): string | null {
		const times = (this.seen.get(mark) ?? 0) + 1;
		if (times === 1 && this.seen.size >= MOST_MARKS) return null;
		this.seen.set(mark, times);
		return times === 1 ? mark : `${mark} ${times}`;
	}
}
