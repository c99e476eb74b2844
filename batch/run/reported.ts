import { EXIT, type ExitCode } from '../failure';
import type { Journal } from '../journal/journal';
import type { Records } from '../journal/records';
import type { PlannedRow } from '../plan/plan';
import type { Known } from './events';
import { Marks, markOfRow } from './marks';

export const NOTHING_KNOWN: Known = { failed: 0, invalid: 0 };

/** The rows of one run that need something, held against what earlier runs have reported. */
export class ReportedRows {
	known: Known = NOTHING_KNOWN;
	private marks = new Marks();
	private current: string[] = [];

	constructor(private readonly records: Records) {}

	/** For an event: whether an earlier run has reported the same. */
	knownFlag(planned: PlannedRow): { known?: true } {
		const mark = this.next(planned);
		return mark !== null && this.records.reported.has(mark) ? { known: true } : {};
	}

	/** Takes the rows as they stand now, which may be several times. */
	see(rows: readonly PlannedRow[]): void {
		this.known = { ...NOTHING_KNOWN };
		this.marks = new Marks();
		this.current = [];
		for (const planned of rows) {
			const mark = this.next(planned);
			if (mark === null) continue;
			this.current.push(mark);
			if (!this.records.reported.get(mark)?.has(EXIT.someFailed)) continue;
			if (planned.status === 'invalid') this.known.invalid += 1;
			if (planned.status === 'failed') this.known.failed += 1;
		}
	}

	private next(planned: PlannedRow): string | null {
		const plain = markOfRow(planned);
		return plain === null ? null : this.marks.next(plain);
	}

	/** Puts on record what a run has reported that came to its end. */
	async record(journal: Journal, exit_code: ExitCode): Promise<void> {
		const { reported } = this.records;
		const marks = this.current.filter((mark) => !reported.get(mark)?.has(exit_code));
		if (marks.length > 0) await journal.append({ type: 'reported', exit_code, marks });
	}
}
