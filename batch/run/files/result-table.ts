import type { Row, Table } from '../../csv/table';
import type { Counts, RowCounts } from '../../journal/events';
import type { Records } from '../../journal/records';
import { ownColumns, resultIn } from '../../results/result-columns';
import type { ResultTable } from '../../results/results';
import { noRows, type RowResult } from '../../results/row-result';
import { factsOf, statusOf } from '../../results/record-facts';
import { classifyRows, type ClassifiedRow } from '../rows/classify-rows';
import type { RunRequest } from '../request';
import { resultOf, rowsWithResults, type OutcomeInput } from './row-results';

/**
 * What a run writes into results.csv and its companions.
 * @param counts are set as the rows of the CSV go by
 * @param rest the same of the rows that only results.csv has
 */
export async function resultTable(
	{ table, batch, part }: Pick<RunRequest, 'table' | 'batch' | 'part'>,
	input: OutcomeInput,
	counts: Counts,
	rest: RowCounts,
): Promise<ResultTable> {
	const whole = (await part?.openResults()) ?? null;
	const { columns, delimiter, bom, encoding } = whole ?? table;
	return {
		batch,
		columns,
		delimiter,
		form: table,
		reads: part?.reads,
		// What the service wrote fits into UTF-8 only. The mark says so where the CSV itself is written otherwise.
		bom: bom || encoding !== 'utf-8',
		rows: () =>
			whole === null
				? rowsWithResults(input, counts).map(({ result }) => result)
				: rowsOfWhole(input, counts, whole, rest),
	};
}

/**
 * The rows of results.csv where only some rows of the batch were run: those are brought up to date in their places, and
 * so are rows of which the journal knows more. Others stay as they are, and rows that are new come last.
 */
function rowsOfWhole(
	input: OutcomeInput,
	counts: Counts,
	whole: Table,
	rest: RowCounts,
): RowResult[] {
	Object.assign(rest, noRows());
	const places = placesIn(input.table.columns, whole.columns);
	const moved = ({ cells }: Row) => places.map((place) => cells[place] ?? '');
	const own = ownColumns(whole.columns);
	const identity = ({ id }: Row, cells: readonly string[]) =>
		id === '' ? JSON.stringify(own.map((column) => cells[column] ?? '')) : id;

	const run = rowsWithResults(input, counts);
	const isDeferred = new Map(
		run.map(({ row, result }) => [identity(row, moved(row)), result.status === 'deferred']),
	);
	const listed = new Set<string>();
	const ofWhole = classifyRows(whole, input.records, input).map((classified) => {
		const { row } = classified;
		const name = identity(row, row.cells);
		const deferred = isDeferred.get(name);
		if (deferred !== undefined) listed.add(name);
		const isKnown = classified.fate !== 'invalid' && classified.record !== undefined;
		const result =
			deferred !== undefined || isKnown
				? resultOf(classified, deferred === true, input)
				: resultIn(whole.columns, row);
		if (deferred === undefined && classified.fate !== 'duplicate') rest[result.status] += 1;
		return result;
	});
	const added = run.flatMap(({ row, result }) => {
		const cells = moved(row);
		return listed.has(identity(row, cells)) ? [] : [{ ...result, cells }];
	});
	return [...ofWhole, ...added];
}

const UTF8 = { encoding: 'utf-8', lineEnd: '\n' } as const;

/** results.csv as it stands, each line brought up to date from the journal. */
export function tableFromResults(whole: Table, records: Records): ResultTable {
	const { columns, delimiter, bom } = whole;
	const batch = records.batch ?? '';
	const newest = records
		.all()
		.filter((record) => records.of(record.row, record.ordinal) === record);
	const byBrief = new Map(newest.map((record) => [record.brief_id, record]));
	const upToDate = (classified: ClassifiedRow): RowResult => {
		const { row } = classified;
		const line = resultIn(columns, row);
		// A row that is held back shows the brief of an earlier order.
		if (line.status === 'changed') return line;
		// With --map or in a corrected row the brief tells more than the content.
		const own = line.brief_id === '' ? undefined : byBrief.get(line.brief_id);
		const record = own ?? (classified.fate === 'invalid' ? undefined : classified.record);
		if (record === undefined || record.state === 'withdrawn') return line;
		const facts = factsOf(record);
		// It says whose brief it shares.
		const error = classified.fate === 'duplicate' && line.error !== '' ? line.error : facts.error;
		return { ...line, ...facts, error, status: statusOf(record), product: line.product };
	};
	return {
		batch,
		columns,
		delimiter,
		bom,
		form: { delimiter, bom, ...UTF8 },
		leavesFilesToRun: true,
		rows: () => classifyRows(whole, records, { allowDuplicates: false }).map(upToDate),
	};
}

/** The rows that the journal knows: those that were ordered, with what they ordered as far as it is short. */
export function tableFromJournal(records: Records): ResultTable {
	const batch = records.batch ?? '';
	const rows = records
		.all()
		.filter((record) => records.of(record.row, record.ordinal) === record)
		.sort((a, b) => a.row_number - b.row_number || a.ordinal - b.ordinal)
		.map((record) => ({
			...factsOf(record),
			number: record.row_number,
			status: statusOf(record),
			cells: [record.product_name],
		}));
	const form = { delimiter: ',', bom: false, ...UTF8 };
	return {
		batch,
		columns: ['product_name'],
		delimiter: ',',
		bom: false,
		form,
		leavesFilesToRun: true,
		rows: () => rows,
	};
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
