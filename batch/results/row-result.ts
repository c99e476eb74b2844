import type { ByField } from '../../service/input/input';
import type { NextStep, Place } from '../command-text';
import { problemsText } from '../csv/row';
import type { Row } from '../csv/table';
import { isHeldBack, type PlannedRow } from '../plan/plan';
import type { RowName } from '../plan/row-selection';
import { changeWords, wordsFor } from './words';
import { type RowStatus } from '../folder/journal/row-status';
import { errorCodeOf } from '../folder/journal/causes';
import { endedAs, type Order, statusOf } from '../folder/records';

/** A row of the CSV, and what became of it. */
export interface RowResult {
	/** As a spreadsheet counts: the header is row 1. Undefined if it is not in the CSV. */
	number: number | undefined;
	own_number?: string | undefined;
	/** The row's cells in the CSV. There may be more or fewer than there are columns. */
	cells: string[];
	status: RowStatus;
	/** Its name, for a person. */
	product: string;
	brief_id: string;
	title: string;
	url: string;
	/** Relative to --out: results/x.md */
	file: string;
	error_code: string;
	/** What happened to it, in words, and what to do about it. */
	error: string;
	next: readonly NextStep[];
	created_at: string;
	finished_at: string;
}

/**
 * Gives what results.csv says of an order.
 * @param row as it is in the CSV; undefined if it is not there
 */
function factsOf(record: Order, place: Place, row?: RowName) {
	const { cause, brief, state, product_name } = record;
	const { number, ownNumber: own_number } = row ?? {};
	const { briefId: brief_id } = state;
	const ended = endedAs(record) === null ? null : brief;
	const words =
		cause === null
			? { what: '', next: [] }
			: wordsFor(cause, { product_name, brief_id, row: number, own_number }, place);
	return {
		product: record.product_name,
		brief_id: brief_id ?? '',
		title: ended?.title ?? '',
		url: ended?.url ?? '',
		file: record.file === null ? '' : `results/${record.file}.md`,
		error_code: errorCodeOf(cause),
		error: words.what,
		next: words.next,
		created_at: String(brief?.created_at ?? ''),
		finished_at: String(ended?.finished_at ?? ''),
	};
}

/** Makes a row of which only the journal knows. */
export function resultOfOrder(record: Order, place: Place): RowResult {
	const facts = factsOf(record, place);
	const { own_number } = record;
	return { ...facts, number: undefined, own_number, status: statusOf(record), cells: [] };
}

/**
 * Gives what results.csv says of a row of the CSV. `whyDeferred` is what it says of rows that are deferred.
 */
export function resultOfRow(
	plannedRow: PlannedRow,
	status: RowStatus,
	{ set, place, whyDeferred }: { set: ByField; place: Place; whyDeferred: string },
): RowResult {
	const { row, sameAs } = plannedRow;
	const first = sameAs ?? plannedRow;
	// A row that is held back shows what it was made from, and keeps the brief of that.
	const heldBy = isHeldBack(first) ? first.heldBy : undefined;
	const order = heldBy ?? first.record;
	const facts = order === undefined ? {} : factsOf(order, place, first.row);
	const result = { ...blankResult(row, status), ...facts };
	if (heldBy !== undefined && status === 'changed') {
		const words = changeWords(first.row, heldBy, set, place);
		Object.assign(result, { error: words.what, next: words.next });
	}
	if (heldBy !== undefined && status === 'failed')
		result.error = `Failed before, and edited since. ${result.error}`;
	if (status === 'invalid') result.error = problemsText(row);
	if (status === 'deferred') result.error = whyDeferred;
	if (sameAs === undefined) return result;
	const shared = `Same content as row ${sameAs.row.number}, whose brief it shares.`;
	return { ...result, error: result.error === '' ? shared : `${shared} ${result.error}` };
}

function blankResult({ number, ownNumber, cells, input }: Row, status: RowStatus): RowResult {
	const none = { brief_id: '', title: '', url: '', file: '', error_code: '' };
	const words = { error: '', next: [] };
	const product = shownProduct(input.product_name, cells);
	return {
		number,
		own_number: ownNumber,
		product,
		cells,
		status,
		...none,
		...words,
		created_at: '',
		finished_at: '',
	};
}

/** Names a row for a person: without a name, as in an invalid row, the first cell that is not empty. */
export function shownProduct(name: string | undefined, cells: readonly string[]): string {
	return name || (cells.find((cell) => cell.trim() !== '') ?? '');
}
