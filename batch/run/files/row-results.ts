import type { Row, Table, TableOptions } from '../../csv/table';
import type { Counts } from '../../journal/events';
import type { Records } from '../../journal/records';
import { factsOf, statusOf } from '../../results/record-facts';
import { productOf } from '../../results/result-columns';
import { noRows, type RowResult, type RowStatus } from '../../results/row-result';
import { EXIT, type ExitCode } from '../../failure';
import { changeText } from '../rows/change-text';
import type { Change, Changes } from '../rows/changed-rows';
import { classifyRows, type ClassifiedRow } from '../rows/classify-rows';
import type { StopReason } from '../ordering';
import { NOTHING_KNOWN, type ReportedRows } from '../reported';

export interface OutcomeInput {
	table: Table;
	records: Records;
	allowDuplicates: boolean;
	changes: Changes;
	orderChanged: boolean;
	/** How many more the allowance would give: of the rows that were not ordered, those beyond are deferred. */
	remaining: number;
	/** "1 December 2026" */
	resetsOn: string;
	/** Why rows are deferred; where it is left out, because the allowance is used up. */
	deferredBecause?: string;
	/** Is shown each row of the CSV. */
	reported?: ReportedRows;
}

/** The rows of the CSV in its order, each with what came of it. Counts them on the way, from 0 on. */
export function rowsWithResults(
	input: OutcomeInput,
	counts: Counts,
): Array<{ row: Row; result: RowResult }> {
	Object.assign(counts, noCounts());
	input.reported?.start();
	let unordered = 0;
	let firstBeyond = Infinity;
	return classifyRows(input.table, input.records, input).map((classified) => {
		if (classified.fate === 'new' && changeIn(classified, input) === undefined) unordered += 1;
		if (unordered > input.remaining) firstBeyond = Math.min(firstBeyond, classified.row.number);
		// A row that shares its brief with an earlier one fares as that does.
		const place = classified.fate === 'duplicate' ? classified.firstRow : classified.row.number;
		const result = resultOf(classified, place >= firstBeyond, input);
		if (classified.fate === 'duplicate') counts.duplicate += 1;
		else counts[result.status] += 1;
		input.reported?.see(classified);
		return { row: classified.row, result };
	});
}

export function noCounts(): Counts {
	return { ...noRows(), duplicate: 0 };
}

export function resultOf(
	classified: ClassifiedRow,
	isBeyond: boolean,
	input: OutcomeInput,
): RowResult {
	const { row } = classified;
	const change = changeIn(classified, input);
	if (change !== undefined) return changedResult(classified, change, input.table.set);
	if (classified.fate === 'invalid') {
		const error = row.problems
			.map(({ column, what, cure }) => `${column} ${what}. ${cure}`)
			.join(' ');
		return { ...blank(row, 'invalid'), error };
	}
	const record = classified.record;
	const isOrdered = record !== undefined && record.state !== 'withdrawn';
	const status = isOrdered ? statusOf(record) : isBeyond ? 'deferred' : 'pending';
	const result = { ...blank(row, status), ...(record === undefined ? {} : factsOf(record)) };
	if (status === 'deferred') {
		const { deferredBecause: why = 'the allowance is used up' } = input;
		result.error = `Not ordered: ${why}. Run the same command again from ${input.resetsOn} (UTC).`;
	}
	result.error = withFirstRow(classified, result.error);
	return result;
}

/** What holds a row back in this run. */
function changeIn(classified: ClassifiedRow, { orderChanged }: OutcomeInput): Change | undefined {
	const isOpen = classified.fate === 'new' || classified.fate === 'duplicate';
	return isOpen && !orderChanged ? classified.change : undefined;
}

/** A changed row keeps the brief that it has. */
function changedResult(
	classified: ClassifiedRow,
	change: Change,
	set: TableOptions['set'],
): RowResult {
	const facts = factsOf(change.order);
	const error = withFirstRow(classified, changeText(change, set));
	return { ...blank(classified.row, 'changed'), ...facts, error };
}

function withFirstRow(classified: ClassifiedRow, error: string): string {
	if (classified.fate !== 'duplicate') return error;
	const shared = `Same content as row ${classified.firstRow}, whose brief it shares.`;
	return error === '' ? shared : `${shared} ${error}`;
}

function blank({ number, cells, input }: Row, status: RowStatus): RowResult {
	const none = { brief_id: '', title: '', url: '', file: '', error_code: '', error: '' };
	const product = productOf(input.product_name, cells);
	return { number, product, tries: 1, cells, status, ...none, created_at: '', finished_at: '' };
}

/**
 * The exit code of a run that came to its end. Where several hold, the order of EXIT decides.
 * @param known the failed and invalid rows that are not to count
 */
export function exitCodeOf(
	end: StopReason | null,
	counts: Counts,
	failureCode?: ExitCode,
	known = NOTHING_KNOWN,
): ExitCode {
	if (end === 'interrupted') return EXIT.interrupted;
	if (failureCode !== undefined) return failureCode;
	if (counts.deferred + counts.pending > 0) return EXIT.leftForLater;
	const failed = counts.failed + counts.invalid - (known.failed + known.invalid);
	return failed + counts.parked + counts.changed > 0 ? EXIT.someFailed : EXIT.ok;
}
