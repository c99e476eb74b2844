import { commandFor, type LastCommand } from '../../command-text';
import { EXIT } from '../../exit-codes';
import { errorCodeOf } from '../../folder/journal/causes';
import type { Order, Records } from '../../folder/records';
import { differencesText } from '../../plan/change-text';
import { rowsInCommand } from '../../plan/row-selection';
import { ownNumberField } from '../../plan/try';
import { isChanged, rowStatus, type Plan, type PlannedRow } from '../../plan/plan';
import { RowNumbers } from '../../plan/row-numbers';
import { problemsText } from '../../csv/row';
import { shownProduct } from '../../results/row-result';
import { wordsFor, type Place, type Words } from '../../results/words';
import { count, formatNumber, them } from '../../text';
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
	const { lastCommand } = context.place;
	const run = commandFor('run', lastCommand, outDir);
	const tasks: Task[] = [];
	if (stop !== null && stop.exit_code !== EXIT.stoppedEarly) {
		const what = 'The last run could not go on';
		const { cure } = stop;
		const command = commandFor(records.notBegun?.command ?? 'run', commandOf(records), outDir);
		tasks.push({ what, cure, command, total: 0, rows: [] });
	}
	if (parked.length > 0) {
		const what = `${formatNumber(parked.length)} parked`;
		const cure = 'Do what each row says: nothing is ordered for it until then.';
		tasks.push({ what, cure, command: null, ...rowsOf(parked, context) });
	}
	if (failed.length > 0) {
		const what = `${formatNumber(failed.length)} failed`;
		const cure = `This says why, and asks before it orders ${them(failed.length)} again:`;
		const command = commandFor('retry', lastCommand, outDir);
		tasks.push({ what, cure, command, ...rowsOf(failed, context) });
	}
	if (invalid > 0) tasks.push(invalidTask(invalid, lastCommand.lastCsv ?? 'the CSV', run, list));
	if (changed > 0) {
		const what = `${formatNumber(changed)} changed`;
		const rows = (list?.rows ?? []).filter(isChanged);
		const names = rowsInCommand(rows.map(({ row }) => row));
		// Without its rows the option would mean all of them.
		const [cure, command] =
			rows.length === 0
				? [`${lastCommand.lastCsv ?? 'The CSV'} cannot be read: put it back first.`, null]
				: [
						`Put back what differs; or, for ${count(changed, 'brief')}, order ${them(changed)} again:`,
						commandFor('run', lastCommand, outDir, '--order-changed', names),
					];
		tasks.push({ what, cure, command, total: rows.length, rows: rows.map(changedRow(records)) });
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
			what: heldBy === undefined ? '' : differencesText({ row, heldBy }, run?.set ?? {}),
			next: [],
		},
	});
}

/** The number of invalid rows that are listed. */
const MOST_INVALID = 20;

function invalidTask(invalid: number, name: string, command: string, list: Plan | null): Task {
	const they = invalid === 1 ? 'It was' : 'They were';
	const what = `${formatNumber(invalid)} invalid`;
	const invalidRows = (list?.rows ?? []).filter((row) => rowStatus(row) === 'invalid');
	const cure = `${they} not sent. Correct ${them(invalid)} in ${name}, then:`;
	const rows = invalidRows.slice(0, MOST_INVALID).map(({ row }) => ({
		row: row.number,
		product_name: shownProduct(row.input.product_name, row.cells),
		...ownNumberField(row.ownNumber),
		brief_id: null,
		why: { what: problemsText(row), next: [] },
	}));
	return { what, cure, command, total: invalidRows.length, rows };
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
