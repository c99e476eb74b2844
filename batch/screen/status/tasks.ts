import { commandFor, type LastCommand } from '../../command-text';
import { EXIT } from '../../exit-codes';
import { errorCodeOf } from '../../folder/journal/causes';
import type { Order, Records } from '../../folder/records';
import { differencesText } from '../../plan/change-text';
import { ownNumberField } from '../../plan/try';
import { isChanged, rowStatus, type PlannedRow } from '../../plan/plan';
import { RowNumbers } from '../../plan/row-numbers';
import { problemsText } from '../../csv/row';
import { shownProduct } from '../../results/row-result';
import { nextStepFor } from '../../results/next-steps';
import { wordsFor, type Place, type Words } from '../../results/words';
import { formatNumber } from '../../text';
import type { BatchStatus } from './batch-status';

/** Something that a person has to do. */
export interface Task {
	what: string;
	cure: string;
	command: string | null;
	/** The number of rows that it is about, and the first of them. */
	total: number;
	rows: readonly TaskRow[];
}

export interface TaskRow {
	/** Its number in the CSV as that is now; missing if it is not there. */
	row?: number;
	product_name: string;
	own_number?: string;
	brief_id: string | null;
	why: Words;
}

/** An order as it is listed: its row as the CSV is now, and the commands for it. */
export interface RowContext {
	place: Place;
	/** Null if the CSV cannot be read. */
	numbers: RowNumbers | null;
}

/** Gives what a person has to do about a batch, the most urgent first. */
export function tasksOf(status: BatchStatus): Task[] {
	const { outcome, records, outDir, list } = status;
	const { parked, failed, stop } = outcome;
	const { invalid, changed } = outcome.counts;
	const context = rowContextOf(status);
	const tasks: Task[] = [];
	if (stop !== null && stop.exit_code !== EXIT.stoppedEarly) {
		const { cure } = stop;
		const command = commandFor(records.notBegun?.command ?? 'run', commandOf(records), outDir);
		tasks.push({ what: 'The last run could not go on', cure, command, total: 0, rows: [] });
	}
	const invalidRows = (list?.rows ?? []).filter((row) => rowStatus(row) === 'invalid');
	const changedRows = (list?.rows ?? []).filter(isChanged);
	const needyRows = [
		['parked', parked.length, rowsOf(parked, context)],
		['failed', failed.length, rowsOf(failed, context)],
		['invalid', invalid, invalidTasks(invalidRows)],
		['changed', changed, { total: changedRows.length, rows: changedRows.map(changedRow(records)) }],
	] as const;
	for (const [needyStatus, n, rows] of needyRows) {
		if (n === 0) continue;
		const facts = { changedRows: changedRows.map(({ row }) => row), areShown: true };
		const step = nextStepFor({ status: needyStatus, count: n, ...facts }, context.place);
		const what = `${formatNumber(n)} ${needyStatus}`;
		tasks.push({ what, cure: step.text, command: step.command ?? null, ...rows });
	}
	return tasks;
}

/** Gives what was typed for the newest run, which may not have begun. */
function commandOf(records: Records): LastCommand {
	const { notBegun } = records;
	if (notBegun === null) return records;
	return { lastCsv: notBegun.csv, lastOptions: notBegun.options };
}

/** Gives a changed row, with what differs. */
function changedRow({ run }: Records): (row: PlannedRow) => TaskRow {
	return ({ row, heldBy }) => ({
		row: row.number,
		product_name: row.input.product_name,
		...ownNumberField(row.ownNumber),
		brief_id: heldBy?.state.briefId ?? null,
		why: {
			what: heldBy === undefined ? '' : differencesText(row, heldBy, run?.set ?? {}),
			next: [],
		},
	});
}

/** The number of invalid rows that are listed. */
const MOST_INVALID = 20;

function invalidTasks(rows: readonly PlannedRow[]): Pick<Task, 'total' | 'rows'> {
	return { total: rows.length, rows: rows.slice(0, MOST_INVALID).map(invalidRow) };
}

/** Gives an invalid row, with what is wrong. */
function invalidRow({ row }: PlannedRow): TaskRow {
	return {
		row: row.number,
		product_name: shownProduct(row.input.product_name, row.cells),
		...ownNumberField(row.ownNumber),
		brief_id: null,
		why: { what: problemsText(row), next: [] },
	};
}

function rowsOf(records: readonly Order[], context: RowContext): Pick<Task, 'total' | 'rows'> {
	return { total: records.length, rows: records.map((record) => taskRow(record, context)) };
}

/** Gives the place of a batch and the rows of its CSV. */
export function rowContextOf({ outDir, records, list }: BatchStatus): RowContext {
	return { place: { outDir, lastCommand: records }, numbers: list && new RowNumbers(list) };
}

/** Gives a row as it is listed: the facts of its newest order. */
export function taskRow(record: Order, { place, numbers }: RowContext): TaskRow {
	const { key, product_name, cause } = record;
	const { briefId: brief_id } = record.state;
	const { number: row, ownNumber = record.own_number } = numbers?.of(key) ?? {};
	const own_number = ownNumberField(ownNumber);
	const { what, next } =
		cause === null
			? { what: '', next: [] }
			: wordsFor(cause, { row, ...own_number, product_name, brief_id }, place);
	const why = { what: [errorCodeOf(cause), what].filter((fact) => fact !== '').join('  '), next };
	return { ...(row !== undefined && { row }), product_name, ...own_number, brief_id, why };
}
