import { quoted } from '../../service/shortened-text';
import { Failure } from '../failure';
import { groupBy } from '../group-by';
import { normalised } from './column-names';
import type { Row } from './row';
import { list } from '../text';

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
 * Gives the batch that a file's rows name, or null. A row that a person has added may name none.
 * @throws {Failure} if they name several batches, whose rows have different keys
 */
export function batchIn(columns: readonly string[], rows: readonly Row[]): string | null {
	const column = columns.findIndex(isBatchColumn);
	if (column === -1) return null;
	const rowsOf = groupBy(rows, ({ cells }) => nameIn(cells[column] ?? ''));
	rowsOf.delete('');
	const [first, second] = [...rowsOf.keys()];
	if (second === undefined) return first ?? null;
	const each = [...rowsOf].map(([name, its]) => {
		const numbers = list(its.map(({ number }) => String(number)));
		return `${quoted(name)} in ${its.length === 1 ? 'row' : 'rows'} ${numbers}`;
	});
	throw new Failure(
		`The column ${BATCH_COLUMN} names several batches: ${each.join('; ')}.`,
		'Put the rows of each batch into a file of their own, and run each file.',
	);
}

function nameIn(cell: string): string {
	return cell.startsWith(LEAD) ? cell.slice(LEAD.length) : cell.trim();
}
