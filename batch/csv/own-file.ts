import { Failure } from '../failure';
import { normalised } from './headers';
import type { Row } from './row';
import { list, quoted } from '../text';

/**
 * The rows of failed.csv and deferred.csv must keep their keys in any folder, so each row names its batch in a last
 * column. A column stays with the rows when a file is copied, or saved by a spreadsheet.
 */
export const BATCH_COLUMN = 'brief_batch';

/** A spreadsheet turns a bare 2026-03 into a date, 007 into 7 and =x into a formula, but not behind these words. */
const LEAD = 'batch: ';

export function batchCell(batch: string): string {
	return `${LEAD}${batch}`;
}

export function isBatchColumn(header: string): boolean {
	return normalised(header) === normalised(BATCH_COLUMN);
}

/**
 * The batch that a file's rows name, or null. A row that a person has added may name none.
 * @throws {Failure} if they name several batches, whose rows have different keys
 */
export function batchIn(columns: readonly string[], rows: readonly Row[]): string | null {
	const column = columns.findIndex(isBatchColumn);
	if (column === -1) return null;
	const rowsOf = new Map<string, string[]>();
	for (const { number, cells } of rows) {
		const name = nameIn(cells[column] ?? '');
		if (name === '') continue;
		const numbers = rowsOf.get(name) ?? [];
		rowsOf.set(name, numbers);
		numbers.push(String(number));
	}
	const [first, second] = [...rowsOf.keys()];
	if (second === undefined) return first ?? null;
	const each = [...rowsOf].map(
		([name, numbers]) =>
			`${quoted(name)} in ${numbers.length === 1 ? 'row' : 'rows'} ${list(numbers)}`,
	);
	throw new Failure(
		`The column ${BATCH_COLUMN} names several batches: ${each.join('; ')}.`,
		'Put the rows of each batch into a file of their own, and run each file.',
	);
}

function nameIn(cell: string): string {
	return cell.startsWith(LEAD) ? cell.slice(LEAD.length) : cell.trim();
}
