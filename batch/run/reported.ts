import { EXIT, type ExitCode } from '../failure';
import type { Journal } from '../journal/journal';
import type { Records } from '../journal/records';
import type { Known } from './events';
import { Marks, markOfRow } from './marks';
import type { ClassifiedRow } from './rows/classify-rows';

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
