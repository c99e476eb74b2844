import { statusOf, type RowStatus } from '../folder/journal/row-status';
import type { Table } from '../csv/table';
import { hasArrived, isHeldUnsent, type Records } from '../folder/records';
import { makePlan, rowStatus, type Plan, type PlannedRow } from '../plan/plan';
import { resultIn } from '../results/result-columns';
import type { ResultTable } from '../results/results';
import { factsOf, resultOfOrder, resultOfRow, type RowResult } from '../results/row-result';
import type { Budget } from '../order/budget';
import { RowNumbers } from '../plan/row-numbers';
import { changeWords, type Place } from '../results/words';
import type { RunRequest } from './request';

/** The rows of a run at one moment. */
export interface RowsNow {
	/** Those of the run. */
	rows: readonly PlannedRow[];
	/** The content of results.csv and its companions: all rows of the CSV. */
	table: ResultTable;
}

/** Gives each row as the journal has it now. Of those that were not ordered, the ones beyond the budget are deferred. */
export function rowsNow(
	{ table, outDir }: RunRequest,
	source: Plan['source'],
	budget: Budget,
	now: number,
): RowsNow {
	const { columns, headers, delimiter, set } = table;
	const place = { outDir, lastCommand: source.records };
	const context = { set, place, deferral: budget.whyDeferred(now), now };
	const bounds = { rest: budget.remaining(now), max: Infinity, perMonth: null, now };
	const plan = makePlan({ ...source, bounds });
	const results = withLeftOut(plan).map(([row, status]) => resultOfRow(row, status, context));
	return { rows: plan.rows, table: { columns, headers, delimiter, rows: results } };
}

/**
 * Gives the rows of the CSV, of which only some were chosen, each with where it is: the others as they were, and never
 * failures. They are not this run's, so it does not say of them that they are deferred.
 */
export function withLeftOut({ rows, source }: Plan): Array<readonly [PlannedRow, RowStatus]> {
	const { csv = source.rows } = source;
	const isAll = rows.length === csv.length && !csv.some(({ isLeftOut }) => isLeftOut === true);
	if (isAll) return rows.map((row) => [row, rowStatus(row)]);
	const rowsOfRun = new Map(rows.map((plannedRow) => [plannedRow.row.number, plannedRow]));
	const others = { changes: undefined, bounds: undefined };
	const all = makePlan({ ...source, rows: csv, ...others });
	return all.rows.map((plannedRow) => {
		if (plannedRow.row.isLeftOut === true) return [plannedRow, 'left_out'];
		const rowOfRun = rowsOfRun.get(plannedRow.row.number);
		if (rowOfRun !== undefined) return [rowOfRun, rowStatus(rowOfRun)];
		return [plannedRow, plannedRow.row.problems.length > 0 ? 'pending' : rowStatus(plannedRow)];
	});
}

/**
 * Gives results.csv as it is, each line updated from the journal.
 * @param now the CSV as it is now, if it can be read
 */
export function tableFromResults(
	resultsCsv: Table,
	records: Records,
	place: Place,
	now: Plan | null,
): ResultTable {
	const numbers = now && new RowNumbers(now);
	const { columns, headers, delimiter } = resultsCsv;
	const byBrief = new Map(records.newestTries().map((record) => [record.state.briefId, record]));
	const upToDate = ({ row, sameAs, ...plannedRow }: PlannedRow): RowResult => {
		const line = resultIn(columns, row);
		// A row that is held back shows the brief of an earlier order.
		if (line.status === 'changed') {
			const heldBy = now?.source.changes.get(row.contentId);
			const rowNow = heldBy && numbers?.of(heldBy.key);
			if (heldBy === undefined || rowNow === undefined) return line;
			const { what, next } = changeWords({ row: rowNow, heldBy }, records.run?.set ?? {}, place);
			return { ...line, error: what, next };
		}
		// With --map or in a corrected row the brief says more than the content.
		const record =
			(line.brief_id === '' ? undefined : byBrief.get(line.brief_id)) ??
			(sameAs ?? plannedRow).record;
		if (record === undefined || !(hasArrived(record) || isHeldUnsent(record))) return line;
		const facts = factsOf(record, place, numbers?.of(record.key));
		// It says whose brief it shares.
		const error = sameAs !== undefined && line.error !== '' ? line.error : facts.error;
		const status = line.status === 'left_out' ? line.status : statusOf(record);
		return { ...line, ...facts, error, status, product: line.product };
	};
	const source = { batch: records.batch ?? '', rows: resultsCsv.rows, records };
	const { rows } = makePlan({ ...source, options: {} });
	return { columns, headers, delimiter, rows: rows.map(upToDate) };
}

/** Gives the rows that the journal knows: those that were ordered, with what they ordered as far as it is short. */
export function tableFromJournal(records: Records, place: Place, now: Plan | null): ResultTable {
	const numbers = now && new RowNumbers(now);
	const rows = records.newestTries().map((record) => {
		const row = numbers?.of(record.key);
		return { ...resultOfOrder(record, place, row), cells: [record.product_name] };
	});
	return { columns: ['product_name'], delimiter: ',', rows };
}
