import { commandFor, type Place } from '../../command-text';
import { EXIT, type ExitCode } from '../../exit-codes';
import type { EventOf } from '../../folder/events';
import { errorCodeOf } from '../../folder/journal/causes';
import type { AtWork } from '../../folder/lock/holder';
import type { Order, Records } from '../../folder/records';
import { differencesText } from '../../plan/change-text';
import { isChanged, rowStatus, type Plan, type PlannedRow } from '../../plan/plan';
import { RowNumbers } from '../../plan/row-numbers';
import { problemsText } from '../../csv/row';
import type { BatchOutcome } from '../../results/batch-outcome';
import { shownProduct } from '../../results/row-result';
import { nextStepFor } from '../../results/next-steps';
import { wordsFor, type ShownRow, type Words } from '../../results/words';
import { formatNumber } from '../../text';

/** The knowledge of `status` about one folder. */
export interface BatchStatus {
	/** The client that it is for. */
	name: string;
	outDir: string;
	records: Records;
	outcome: BatchOutcome;
	/** The list as it is now; null if the CSV cannot be read. */
	list: Plan | null;
	atWork: AtWork;
	isAtWork: boolean;
	/** The wait of the run at work; null if it does not wait. */
	longWait: EventOf<'waits' | 'waits_for_slot'> | null;
	exitCode: ExitCode;
}

/** Something that a person has to do. */
export interface Task {
	what: string;
	cure: string;
	command: string | null;
	/** The number of rows that it is about, and the first of them. */
	total: number;
	rows: ReadonlyArray<ShownRow & { why: Words }>;
}

/** Gives what a person has to do about a batch, the most urgent first. */
export function tasksOf(status: BatchStatus): Task[] {
	const { outcome, records, outDir, list } = status;
	const { parked, failed, stop } = outcome;
	const { invalid, changed } = outcome.counts;
	const place = { outDir, lastCommand: records };
	const rowOf = rowsOf(status);
	const tasks: Task[] = [];
	if (stop !== null && stop.exit_code !== EXIT.stoppedEarly) {
		const { cure } = stop;
		const command = commandFor(records.notBegun?.command ?? 'run', placeOfNewest(status));
		tasks.push({ what: 'The last run could not go on', cure, command, total: 0, rows: [] });
	}
	const invalidRows = (list?.rows ?? []).filter((row) => rowStatus(row) === 'invalid');
	const changedRows = (list?.rows ?? []).filter(isChanged);
	const needyRows = [
		['parked', parked.length, parked.length, parked.map(rowOf)],
		['failed', failed.length, failed.length, failed.map(rowOf)],
		['invalid', invalid, invalidRows.length, invalidRows.slice(0, MOST_INVALID).map(invalidRow)],
		['changed', changed, changedRows.length, changedRows.map((row) => changedRow(row, records))],
	] as const;
	for (const [needyStatus, n, total, rows] of needyRows) {
		if (n === 0) continue;
		const facts = { changedRows: changedRows.map(({ row }) => row), areShown: true };
		const step = nextStepFor({ status: needyStatus, count: n, ...facts }, place);
		const what = `${formatNumber(n)} ${needyStatus}`;
		tasks.push({ what, cure: step.text, command: step.command ?? null, total, rows });
	}
	return tasks;
}

/** Gives the place with what was typed for the newest run, which may not have begun. */
function placeOfNewest({ outDir, records }: BatchStatus): Place {
	const { notBegun } = records;
	if (notBegun === null) return { outDir, lastCommand: records };
	return { outDir, lastCommand: { lastCsv: notBegun.csv, lastOptions: notBegun.options } };
}

/** Gives a changed row, with what differs. */
function changedRow({ row, heldBy }: PlannedRow, { run }: Records) {
	return {
		row: row.number,
		product_name: row.input.product_name,
		own_number: row.ownNumber,
		brief_id: heldBy?.state.briefId ?? null,
		why: {
			what: heldBy === undefined ? '' : differencesText(row, heldBy, run?.set ?? {}),
			next: [],
		},
	};
}

/** The number of invalid rows that are listed. */
const MOST_INVALID = 20;

/** Gives an invalid row, with what is wrong. */
function invalidRow({ row }: PlannedRow) {
	return {
		row: row.number,
		product_name: shownProduct(row.input.product_name, row.cells),
		own_number: row.ownNumber,
		brief_id: null,
		why: { what: problemsText(row), next: [] },
	};
}

/** Gives what lists an order: its row as the CSV is now, the facts of its newest order, and what to do about it. */
export function rowsOf({
	outDir,
	records,
	list,
}: BatchStatus): (order: Order) => Task['rows'][number] {
	const place = { outDir, lastCommand: records };
	const numbers = list && new RowNumbers(list);
	return ({ key, product_name, cause, state, ...order }) => {
		const { number: row, ownNumber: own_number = order.own_number } = numbers?.of(key) ?? {};
		const shownRow = { row, product_name, own_number, brief_id: state.briefId };
		const { what, next } =
			cause === null ? { what: '', next: [] } : wordsFor(cause, shownRow, place);
		const why = { what: [errorCodeOf(cause), what].filter((fact) => fact !== '').join('  '), next };
		return { ...shownRow, why };
	};
}
