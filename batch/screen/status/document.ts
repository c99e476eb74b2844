import { commandFor } from '../../command-text';
import { briefNumbers, paidByMonth } from '../../folder/journal/paid';
import { joinWords } from '../../results/words';
import type { BatchStatus, Unreadable } from './batch-status';
import { tasksOf } from './tasks';

/** Gives the document that --json prints for a folder. */
export function documentOf(status: BatchStatus): object {
	const { name, outDir, records, standing, atWork, longWait, exitCode } = status;
	const { ready, taken_over, invalid, changed, pending, deferred } = standing;
	const { being_written, without_answer, parked, parked_later, failed } = standing;
	return {
		event: 'status',
		name,
		out: outDir,
		batch: records.batch,
		base_url: records.baseUrl,
		at_work: atWork.is,
		waiting: longWait,
		last_run: records.lastRun,
		not_begun: records.notBegun,
		stop: standing.stop,
		cut_off: standing.is_cut_off,
		counts: {
			ready,
			taken_over,
			invalid,
			changed,
			pending,
			deferred,
			being_written: being_written.length,
			without_answer: without_answer.length,
			parked: parked.length,
			parked_later: parked_later.length,
			failed: failed.length,
		},
		deferred_until: deferred === 0 ? null : new Date(standing.deferred_until).toISOString(),
		...briefNumbers(records.all()),
		paid_by_month: paidByMonth(records.all()),
		run: commandFor('run', records, outDir),
		needs_person: tasksOf(status).map(({ what, cure, command, rows }) => ({
			what,
			cure,
			command,
			rows: rows.map(({ why, ...row }) => ({ ...row, why: joinWords(why) })),
		})),
		briefs: records.all(),
		exit_code: exitCode,
	};
}

/** Gives the same for a folder that could not be read. */
export function documentOfUnreadable({ name, failure }: Unreadable): object {
	return { event: 'status', name, stop: failure.onRecord, exit_code: failure.exitCode };
}
