import { dayInWords, nextMonthStart } from '../../service/list/month';
import type { Place } from '../command-text';
import type { Table } from '../csv/table';
import type { DeferralCause } from '../folder/events';
import { lastOrder, makePlan, rowStatus, type Plan } from '../plan/plan';
import type { BatchOutcome } from './batch-outcome';
import { resultOfOrder, resultOfRow, type RowResult } from './row-result';
import { deferralText } from './words';

/** The content of results.csv and its companions. */
export interface ResultTable {
	/** The header of the CSV. */
	columns: readonly string[];
	/** Those of them that the fields of a brief are read from. */
	headers?: Table['headers'];
	delimiter: string;
	/** All rows in the order of the CSV, and then the briefs of the batch that have no row in it any more. */
	rows: readonly RowResult[];
}

/**
 * Gives the results of a CSV, from its rows and the journal alone.
 * `deferral` is why rows are deferred, `now` is by the service's clock.
 */
export function resultTable(
	list: Plan,
	{ withoutRow }: Pick<BatchOutcome, 'withoutRow'>,
	table: Table,
	{ place, deferral, now }: { place: Place; deferral: DeferralCause; now: number },
): ResultTable {
	const { columns, headers, delimiter, set } = table;
	const { source } = list;
	const whyDeferred = `Not ordered: ${deferralText(deferral)}. Run the same command again from ${dayInWords(nextMonthStart(now))} (UTC).`;
	const rowsOfList = new Map(list.rows.map((row) => [row.row.number, row]));
	const leftOut = (source.csv ?? []).filter(({ isLeftOut }) => isLeftOut === true);
	const rowsLeftOut = new Map(
		makePlan({ ...source, rows: leftOut, changes: undefined }).rows.map((row) => [
			row.row.number,
			row,
		]),
	);
	const shownIds = new Set<string | null>();
	const rows = (source.csv ?? source.rows).flatMap(({ number }): RowResult[] => {
		const plannedRow = rowsOfList.get(number) ?? rowsLeftOut.get(number);
		if (plannedRow === undefined) return [];
		shownIds.add(lastOrder(plannedRow)?.state.briefId ?? null);
		const status = rowsOfList.has(number) ? rowStatus(plannedRow) : 'left_out';
		return [resultOfRow(plannedRow, status, { set, place, whyDeferred })];
	});
	const nameAt = columns.indexOf(headers.product_name ?? '');
	const briefsWithoutRow = withoutRow
		.filter(({ state }) => state.briefId !== null && !shownIds.has(state.briefId))
		.map((order): RowResult => {
			const cells = columns.map((_, at) => (at === nameAt ? order.product_name : ''));
			return { ...resultOfOrder(order, place), cells };
		});
	return { columns, headers, delimiter, rows: [...rows, ...briefsWithoutRow] };
}
