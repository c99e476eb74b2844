import { noRows, statusOf, type RowStatus, type RowCounts } from '../folder/journal/status';
import { dayInWords, nextMonthStart } from '../../service/list/month';
import { problemsText } from '../csv/row';
import type { Row, Table, TableOptions } from '../csv/table';
import type { Records } from '../folder/journal/records';
import { isHeldBack, makePlan, type Plan, type PlannedRow } from '../plan/plan';
import { ownColumns, shownProduct, resultIn } from '../results/result-columns';
import type { ResultTable } from '../results/results';
import { factsOf, resultOfOrder, type RowResult } from '../results/row-result';
import type { Budget } from '../order/budget';
import { typedForWhole } from '../command-text';
import { changeWords, type Place } from '../results/words';
import type { RunRequest } from './request';

/** The rows of a run at one moment. */
export interface RowsNow {
	/** Those of the CSV. */
	rows: readonly PlannedRow[];
	/** The numbers of those that only results.csv has. */
	rest: RowCounts;
	/** The content of results.csv and its companions. */
	table: ResultTable;
}

/** Gives each row as the journal has it now. Of those that were not ordered, the ones beyond the budget are deferred. */
export function rowsNow(
	{ table, chosen, batch, part, outDir }: RunRequest,
	source: Plan['source'],
	budget: Budget,
	now: number,
): RowsNow {
	const whole = part?.whole ?? null;
	const { columns, headers, delimiter } = whole ?? table;
	// The rows of the whole have the numbers of the whole CSV.
	const newest = whole === null ? source.records : typedForWhole(source.records);
	const texts = {
		set: table.set,
		resetsOn: dayInWords(nextMonthStart(now)),
		deferredBecause: budget.whyDeferred(now),
		place: { outDir, newest },
	};
	const bounds = { left: budget.remaining(now), max: Infinity, perMonth: null, now };
	const { rows } = makePlan({ ...source, bounds });
	// The other rows of the batch are not this run's: it does not say of them that they are deferred.
	const run = { rows, source: { ...source, bounds: undefined } };
	const own = chosen === undefined ? rows : withLeftOut(run, table);
	const { results, rest } =
		whole === null
			? { results: own.map((row) => resultOf(row, texts)), rest: noRows() }
			: rowsOfWhole(run, table, whole, texts);
	const toRun = { batch, form: table, reads: part?.reads };
	return { rows, rest, table: { columns, headers, delimiter, toRun, rows: results } };
}

/** Gives the rows of the CSV, of which only some were chosen: the others as they were, and never failures. */
function withLeftOut({ rows, source }: Plan, table: Table): PlannedRow[] {
	const chosen = new Map(rows.map((planned) => [planned.row.number, planned]));
	const all = makePlan({ ...source, rows: table.rows, changes: undefined });
	return all.rows.map((planned) => {
		const status = planned.status === 'invalid' ? 'pending' : planned.status;
		return chosen.get(planned.row.number) ?? { ...planned, status };
	});
}

interface Texts {
	/** The values of this run's --set. */
	set: TableOptions['set'];
	/** "1 December 2026" */
	resetsOn: string;
	deferredBecause: string;
	place: Place;
}

/**
 * Gives the rows of results.csv if only some rows of the batch were run: these are updated in their places, and so are
 * rows of which the journal knows more. Others stay as they are, and new rows come last.
 */
function rowsOfWhole(
	{ rows: run, source }: Plan,
	table: Table,
	whole: Table,
	texts: Texts,
): { results: RowResult[]; rest: RowCounts } {
	const rest = noRows();
	const places = placesIn(table.columns, whole.columns);
	const moved = ({ cells }: Row) => places.map((place) => cells[place] ?? '');
	const own = ownColumns(whole.columns);
	const identity = ({ id }: Row, cells: readonly string[]) =>
		id === '' ? JSON.stringify(own.map((column) => cells[column] ?? '')) : id;

	const isDeferred = new Map(
		run.map(({ row, status }) => [identity(row, moved(row)), status === 'deferred']),
	);
	const listed = new Set<string>();
	const ofWhole = makePlan({ ...source, rows: whole.rows }).rows.map((planned) => {
		const { row, record, sameAs } = planned;
		const name = identity(row, row.cells);
		const deferred = isDeferred.get(name);
		if (deferred !== undefined) listed.add(name);
		const status = deferred === true && planned.status === 'pending' ? 'deferred' : planned.status;
		const result =
			deferred !== undefined || record !== undefined
				? resultOf({ ...planned, status }, texts)
				: resultIn(whole.columns, row);
		if (deferred === undefined && sameAs === undefined) rest[result.status] += 1;
		return result;
	});
	const added = run.flatMap((planned) => {
		const cells = moved(planned.row);
		if (listed.has(identity(planned.row, cells))) return [];
		return [{ ...resultOf(planned, texts), cells }];
	});
	return { results: [...ofWhole, ...added], rest };
}

function resultOf(
	planned: PlannedRow,
	{ set, place, resetsOn, deferredBecause }: Texts,
): RowResult {
	const { row, record, status, change, sameAs } = planned;
	// A row that is held back shows what it was made from, and keeps the brief of that.
	const heldBy = isHeldBack(planned) ? change : undefined;
	const order = heldBy ?? record;
	const facts = order === undefined ? {} : factsOf(order, place, row.number);
	const result = { ...blank(row, status), ...facts };
	if (heldBy !== undefined && status === 'changed') {
		const words = changeWords({ row, change: heldBy }, set, place);
		Object.assign(result, { error: words.what, next: words.next });
	}
	if (heldBy !== undefined && status === 'failed')
		result.error = `Failed before, and edited since. ${result.error}`;
	if (status === 'invalid') result.error = problemsText(row);
	if (status === 'deferred')
		result.error = `Not ordered: ${deferredBecause}. Run the same command again from ${resetsOn} (UTC).`;
	if (sameAs === undefined) return result;
	const shared = `Same content as row ${sameAs}, whose brief it shares.`;
	return { ...result, error: result.error === '' ? shared : `${shared} ${result.error}` };
}

function blank({ number, cells, input }: Row, status: RowStatus): RowResult {
	const none = { brief_id: '', title: '', url: '', file: '', error_code: '' };
	const words = { error: '', next: [] };
	const product = shownProduct(input.product_name, cells);
	return {
		number,
		product,
		tries: 1,
		cells,
		status,
		...none,
		...words,
		created_at: '',
		finished_at: '',
	};
}

/** Gives results.csv as it is, each line updated from the journal. */
export function tableFromResults(whole: Table, records: Records, place: Place): ResultTable {
	const { columns, headers, delimiter } = whole;
	const byBrief = new Map(records.newest().map((record) => [record.brief_id, record]));
	const upToDate = ({ row, record: known, sameAs }: PlannedRow): RowResult => {
		const line = resultIn(columns, row);
		// A row that is held back shows the brief of an earlier order.
		if (line.status === 'changed') return line;
		// With --map or in a corrected row the brief says more than the content.
		const record = (line.brief_id === '' ? undefined : byBrief.get(line.brief_id)) ?? known;
		if (record === undefined || record.stage === 'to_order') return line;
		const facts = factsOf(record, place, line.number);
		// It says whose brief it shares.
		const error = sameAs !== undefined && line.error !== '' ? line.error : facts.error;
		return { ...line, ...facts, error, status: statusOf(record), product: line.product };
	};
	const given = { batch: records.batch ?? '', rows: whole.rows, records };
	const { rows } = makePlan({ ...given, options: {} });
	return { columns, headers, delimiter, rows: rows.map(upToDate) };
}

/** Gives the rows that the journal knows: those that were ordered, with what they ordered as far as it is short. */
export function tableFromJournal(records: Records, place: Place): ResultTable {
	const rows = records
		.newest()
		.sort((a, b) => a.row_number - b.row_number)
		.map((record) => ({ ...resultOfOrder(record, place), cells: [record.product_name] }));
	return { columns: ['product_name'], delimiter: ',', rows };
}

/**
 * Gives for each column of the whole its place in the part, in which a spreadsheet may have moved it; -1 if it is
 * missing.
 */
function placesIn(part: readonly string[], whole: readonly string[]): number[] {
	const taken = new Set<number>();
	return whole.map((header) => {
		const place = part.findIndex((own, at) => own === header && !taken.has(at));
		taken.add(place);
		return place;
	});
}
