import { commandFor } from '../../command-text';
import { briefNumbers, paidByMonth } from '../../folder/journal/paid';
import { joinWords } from '../../results/words';
import { tasksOf, type BatchStatus } from './tasks';

/** Gives the document that --json prints for a folder. */
export function documentOf(status: BatchStatus): object {
	const { name, outDir, records, outcome, atWork, longWait, exitCode } = status;
	const { counts, left_out, taken_over, being_written, without_answer, put_off } = outcome;
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
		stop: outcome.stop,
		cut_off: outcome.is_cut_off,
		counts: {
			...counts,
			left_out,
			taken_over,
			being_written: being_written.length,
			without_answer: without_answer.length,
			put_off: put_off.length,
		},
		deferred_until: counts.deferred === 0 ? null : records.lastRun?.resets_at,
		...briefNumbers(records.all()),
		paid_by_month: paidByMonth(records.all()),
		run: commandFor('run', { outDir, lastCommand: records }),
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
