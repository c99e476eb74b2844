import { canonical } from '../../service/key';
import type { BriefInput } from '../../service/resources';
import { sha256 } from '../sha256';

export interface RowProblem {
	/** The header as in the CSV, or the field's name if it has no column. */
	column: string;
	/** What is wrong, to follow the column's name in a sentence. */
	what: string;
	/** What to do about it, as a sentence. */
	cure: string;
}

export interface Row {
	/** Counted as in a spreadsheet: a header on the first line is row 1. */
	number: number;
	/** As in the CSV, one per column. */
	cells: string[];
	/** What to send. Only meaningful without problems. */
	input: BriefInput;
	problems: RowProblem[];
	/**
	 * Identifies the row by its content (P7): SHA-256 of the canonical input, 32 hex digits; '' for a row with problems.
	 */
	id: string;
}

/** Identifies a row in the journal by its content alone, not by its place or by how the CSV is written (P7). */
export function rowId(input: BriefInput): string {
	return sha256(canonical(input)).slice(0, 32);
}

/** What is wrong with a row, and what to do about it. */
export function problemsText({ problems }: Pick<Row, 'problems'>): string {
	return problems.map(({ column, what, cure }) => `${column} ${what}. ${cure}`).join(' ');
}
