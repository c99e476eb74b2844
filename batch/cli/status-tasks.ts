import { join } from 'node:path';
import { EXIT } from '../failure';
import type { BriefRecord, Records } from '../journal/records';
import type { Standing } from '../plan/standing';
import { count, formatNumber } from '../text';
import { retryOptions } from '../plan/retry';
import { commandFor, toGoOnWith } from '../command-text';

/** Something that a person has to do. */
export interface Task {
	what: string;
	cure: string;
	command: string | null;
	records: BriefRecord[];
}

/** What a person has to do about a batch, the most urgent first. */
export function tasksOf(standing: Standing, records: Records, outDir: string): Task[] {
	const { parked, failed, invalid, changed, failure } = standing;
	const next = toGoOnWith(records);
	const csv = next.lastCsv ?? 'the CSV';
	const run = commandFor('run', next, outDir);
	const tasks: Task[] = [];
	if (failure !== null && failure.exit_code !== EXIT.stoppedEarly) {
		const what = 'The last run could not go on';
		tasks.push({ what, cure: failure.cure, command: run, records: [] });
	}
	if (parked.length > 0) {
		const cure = 'Do what each row says: nothing happens to it until then.';
		tasks.push({
			what: `${formatNumber(parked.length)} parked`,
			cure,
			command: null,
			records: parked,
		});
	}
	if (failed.length > 0) {
		const [rows, them] = failed.length === 1 ? ['row is', 'it'] : ['rows are', 'them'];
		tasks.push({
			what: `${formatNumber(failed.length)} failed`,
			cure: `The ${rows} in ${join(outDir, 'failed.csv')}. This command says why, then asks before it orders ${them} again:`,
			command: commandFor('retry', next, outDir, ...retryOptions(failed)),
			records: failed,
		});
	}
	if (invalid > 0) {
		const [them, they] = invalid === 1 ? ['it', 'It was'] : ['them', 'They were'];
		const cure = `${they} not sent. results.csv says what is wrong: correct ${them} in ${csv}, then:`;
		tasks.push({ what: `${formatNumber(invalid)} invalid`, cure, command: run, records: [] });
	}
	if (changed > 0) {
		const cure = `Ordered before with other content, and not ordered again. results.csv says what differs: put it back; or, at ${count(changed, 'brief')}, order ${changed === 1 ? 'it' : 'them'} again:`;
		const rows = records.lastRun?.changed_rows ?? [];
		const command = commandFor('run', next, outDir, '--order-changed', ...[rows].flat());
		tasks.push({ what: `${formatNumber(changed)} changed`, cure, command, records: [] });
	}
	return tasks;
}
