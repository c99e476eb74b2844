import { join } from 'node:path';
import { commandFor } from '../../command-text';
import { EXIT } from '../../failure';
import type { BriefRecord } from '../../folder/journal/brief-record';
import type { Records } from '../../folder/journal/records';
import { triedOutText } from '../../plan/retry';
import type { Standing } from '../../plan/standing';
import { joined, placeIn, wordsFor, type Place } from '../../results/words';
import { count, formatNumber, them } from '../../text';

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
	row: number;
	product_name: string;
	brief_id: string | null;
	why: string;
}

/** Gives what a person has to do about a batch, the most urgent first. */
export function tasksOf(standing: Standing, records: Records, outDir: string): Task[] {
	const { parked, failed, invalid, changed, failure } = standing;
	const place = placeIn(outDir, records);
	const next = place.newest;
	const run = commandFor('run', next, outDir);
	const tasks: Task[] = [];
	if (failure !== null && failure.exit_code !== EXIT.stoppedEarly) {
		const what = 'The last run could not go on';
		tasks.push({ what, cure: failure.cure, command: run, total: 0, rows: [] });
	}
	if (parked.length > 0) {
		const what = `${formatNumber(parked.length)} parked`;
		const cure = 'Do what each row says: nothing happens to it until then.';
		tasks.push({ what, cure, command: null, ...rowsOf(parked, place) });
	}
	if (failed.length > 0) {
		const rows = failed.length === 1 ? 'row is' : 'rows are';
		const what = `${formatNumber(failed.length)} failed`;
		const over = triedOutText(failed, records);
		const whatNext =
			over === null
				? `This command says why, then asks before it orders ${them(failed.length)} again:`
				: `${over}.`;
		const cure = `The ${rows} in ${join(outDir, 'failed.csv')}. ${whatNext}`;
		const command = over === null ? commandFor('retry', next, outDir) : null;
		tasks.push({ what, cure, command, ...rowsOf(failed, place) });
	}
	if (invalid > 0) tasks.push(invalidTask(standing, next.lastCsv ?? 'the CSV', run));
	if (changed > 0) {
		const what = `${formatNumber(changed)} changed`;
		const cure = `Ordered before with other content, and not ordered again. results.csv says what differs: put it back; or, at ${count(changed, 'brief')}, order ${them(changed)} again:`;
		const rows = records.lastRun?.changed_rows ?? [];
		const command = commandFor('run', next, outDir, '--order-changed', ...[rows].flat());
		tasks.push({ what, cure, command, total: 0, rows: [] });
	}
	return tasks;
}

function invalidTask({ invalid, invalid_rows }: Standing, csv: string, command: string): Task {
	const they = invalid === 1 ? 'It was' : 'They were';
	const what = `${formatNumber(invalid)} invalid`;
	const correct = invalid_rows.length === 0 ? 'Results.csv says what is wrong: correct' : 'Correct';
	const cure = `${they} not sent. ${correct} ${them(invalid)} in ${csv}, then:`;
	const rows = invalid_rows.map(({ row_number: row, product_name, why }) => ({
		row,
		product_name,
		brief_id: null,
		why,
	}));
	return { what, cure, command, total: rows.length === 0 ? 0 : invalid, rows };
}

function rowsOf(records: readonly BriefRecord[], place: Place): Pick<Task, 'total' | 'rows'> {
	return { total: records.length, rows: records.map((record) => taskRow(record, place)) };
}

/** Gives a row as it is listed: the facts of its newest order. */
export function taskRow(record: BriefRecord, place: Place): TaskRow {
	const { row_number: row, product_name, brief_id, cause, error_code } = record;
	const error =
		cause === null ? '' : joined(wordsFor(cause, { row, product_name, brief_id }, place));
	const why = [error_code ?? '', error].filter((fact) => fact !== '').join('  ');
	return { row, product_name, brief_id, why };
}
