import type { Row, Table } from '../csv/table';
import type { Counts } from '../journal/events';
import { ownColumns, resultIn, type ResultTable, type RowResult } from '../results/results';
import { classifyRows } from './classify-rows';
import type { RunRequest } from './request';
import { noCounts, resultOf, resultRows, rowsWithResults, type OutcomeInput } from './row-results';

/** What a run writes into results.csv and its companions. */
export async function resultTable(
	{ table, batch, part }: Pick<RunRequest, 'table' | 'batch' | 'part'>,
	input: OutcomeInput,
	counts: Counts,
): Promise<ResultTable> {
	const whole = (await part?.openResults()) ?? null;
	const { columns, delimiter, bom, encoding } = whole ?? table;
	return {
		...{ batch, columns, delimiter, form: table, reads: part?.reads },
		// What the service wrote fits into UTF-8 only. The mark says so where the CSV itself is written otherwise.
		bom: bom || encoding !== 'utf-8',
		rows: () => (whole === null ? resultRows(input, counts) : rowsOfWhole(input, counts, whole)),
	};
}

/**
 * The rows of results.csv where only some rows of the batch were run: those are brought up to date in their places, and
 * so are rows of which the journal knows more. Others stay as they are, and rows that are new come last.
 */
async function* rowsOfWhole(
	input: OutcomeInput,
	counts: Counts,
	whole: Table,
): AsyncGenerator<RowResult> {
	const places = placesIn(input.table.columns, whole.columns);
	const moved = ({ cells }: Row) => places.map((place) => cells[place] ?? '');
	const own = ownColumns(whole.columns);
	const identity = ({ id }: Row, cells: readonly string[]) =>
		id === '' ? JSON.stringify(own.map((column) => cells[column] ?? '')) : id;

	const isDeferred = new Map<string, boolean>();
	for await (const { row, result } of rowsWithResults(input, counts)) {
		isDeferred.set(identity(row, moved(row)), result.status === 'deferred');
	}
	const listed = new Set<string>();
	for await (const batch of classifyRows(whole, input.records, input)) {
		for (const classified of batch) {
			const { row } = classified;
			const name = identity(row, row.cells);
			const deferred = isDeferred.get(name);
			if (deferred !== undefined) listed.add(name);
			const isKnown = classified.fate !== 'invalid' && classified.record !== undefined;
			yield deferred !== undefined || isKnown
				? resultOf(classified, deferred === true, input)
				: resultIn(whole.columns, row.cells);
		}
	}
	for await (const { row, result } of rowsWithResults(input, noCounts())) {
		const cells = moved(row);
		if (!listed.has(identity(row, cells))) yield { ...result, cells };
	}
}

/** For each column of the whole its place in the part, where a spreadsheet may have moved it; -1 where it is missing. */
function placesIn(part: readonly string[], whole: readonly string[]): number[] {
	const taken = new Set<number>();
	return whole.map((header) => {
		const place = part.findIndex((own, at) => own === header && !taken.has(at));
		taken.add(place);
		return place;
	});
}
