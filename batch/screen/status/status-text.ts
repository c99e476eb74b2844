import { existsSync } from 'node:fs';
import { dayInWords, monthInWords } from '../../../service/list/month';
import { waitText } from '../../wait-text';
import { commandFor, folderCommand, type Paragraph } from '../../command-text';
import { EXIT } from '../../exit-codes';
import { briefNumbers, paidByMonth } from '../../folder/journal/paid';
import type { Records } from '../../folder/records';
import { nameOf, type AtWork } from '../../folder/lock/holder';
import { journalPath } from '../../folder/out-folder';
import { newestFile } from '../../folder/put-in-place';
import type { Paint } from '../event-lines';
import type { BatchOutcome } from '../../results/batch-outcome';
import { FEW_ROWS, paragraphs, rowName, terminalParagraph, terminalText } from '../format';
import { count, formatNumber, minuteOf, them } from '../../text';
import { rowsOf, tasksOf, type BatchStatus, type Task } from './tasks';

/** Gives the lines of `status` about one folder. */
export function statusLines(status: BatchStatus, paint: Paint): Paragraph[] {
	const { outDir, records } = status;
	const tasks = tasksOf(status);
	return [
		paint('bold', `Batch “${records.batch}” in ${outDir}, at ${records.baseUrl ?? ''}`),
		terminalText(filesText(outDir)),
		...[...billLines(status), ...runLines(status), ...rowLines(status)].map(terminalParagraph),
		...(tasks.length > 0 ? [paint('yellow', 'Needs you:')] : []),
		...tasks.flatMap(taskLines).map(terminalParagraph),
		...goOnLines(status),
	];
}

function filesText(outDir: string): string {
	const report = newestFile(outDir, 'report.html');
	const reportText = existsSync(report) ? `   Report: ${report}` : '';
	return `Journal: ${journalPath(outDir)}${reportText}`;
}

/** Gives the command that goes on with what is left. */
function goOnLines({ outDir, records, outcome, isAtWork }: BatchStatus): Paragraph[] {
	const { counts, stop, is_cut_off } = outcome;
	// What stopped the last run is to be cured first, and says so itself.
	const mustCure = stop !== null && stop.exit_code !== EXIT.stoppedEarly;
	if (isAtWork || mustCure) return [];
	const command = commandFor('run', { outDir, lastCommand: records });
	if (is_cut_off || stop !== null || counts.pending + countOnTheirWay(outcome) > 0)
		return [{ text: 'To go on:', command }];
	if (counts.deferred === 0) return [];
	return [{ text: `To go on from ${resetDay(records)} (UTC):`, command }];
}

function countOnTheirWay({ being_written, without_answer, put_off }: BatchOutcome): number {
	return being_written.length + without_answer.length + put_off.length;
}

function runLines(status: BatchStatus): Paragraph[] {
	const { records, outcome, list, atWork, isAtWork, longWait } = status;
	const { lastRun, notBegun, isUnderWay } = records;
	if (isAtWork) return [...atWorkLines(atWork), ...waitLines(longWait)];
	const { stop } = outcome;
	const why = stop === null ? [] : [`  ${stop.what} ${stop.cure}`];
	if (notBegun !== null)
		return [`The last run, at ${minuteOf(notBegun.at)}, could not begin:`, ...why];
	if (isUnderWay || lastRun === null) return ['The last run was cut off before its end.'];
	const { outcome: how, at } = lastRun;
	const [done, all] = [records.run?.rows.all ?? 0, list?.rows.length ?? 0];
	const howText =
		how === 'complete' && done < all
			? `it went through ${formatNumber(done)} of ${count(all, 'row')}`
			: (OUTCOME[how] ?? how);
	return [`Last run: ended at ${minuteOf(at)}: ${howText}.`, ...why];
}

function atWorkLines(atWork: AtWork): string[] {
	if (atWork.is === 'alive') return [`A run is at work: ${nameOf(atWork.by)}.`];
	const by = 'by' in atWork ? atWork.by : null;
	return [`A run may be at work: ${nameOf(by)}. brief-batch unlock says more.`];
}

function waitLines(longWait: BatchStatus['longWait']): string[] {
	if (longWait === null) return [];
	const { since, until } = longWait;
	return [
		`  It waits since ${minuteOf(since)}, until ${minuteOf(until)} at most: ${waitText(longWait)}`,
	];
}

/** The end of a run in words, by the word in the journal. */
const OUTCOME: Readonly<Record<string, string>> = {
	complete: 'it went through all rows',
	allowance: 'it ordered what was left of the month’s allowance',
	max: 'it ordered as many as --max allows',
	failure: 'it stopped early',
	interrupted: 'it was interrupted',
};

function rowLines(status: BatchStatus): Paragraph[] {
	const { outcome, isAtWork, records } = status;
	const which = isAtWork ? 'the run at work' : 'the next run';
	const { counts, left_out, being_written, without_answer, put_off } = outcome;
	const { ready, deferred, pending } = counts;
	const rest = pending - countOnTheirWay(outcome);
	const rowOf = rowsOf(status);
	return [
		total(ready, 'ready'),
		...group(
			being_written.map(rowOf),
			`pending, being written: ${which} fetches ${them(being_written.length)}`,
		),
		...group(put_off.map(rowOf), `pending, late: ${which} fetches ${them(put_off.length)}`),
		...group(
			without_answer.map(rowOf),
			`pending, without an answer so far: ${which} finds out whether the service took ${them(without_answer.length)}`,
		),
		...(rest > 0 ? [total(rest, 'pending, not ordered yet')] : []),
		...(deferred > 0 ? [total(deferred, `deferred until ${resetDay(records)} (UTC)`)] : []),
		...(left_out > 0 ? [total(left_out, 'left out by --where')] : []),
	];
}

/** Gives the day on which the next allowance begins. */
function resetDay({ lastRun }: Records): string {
	return dayInWords(Date.parse(lastRun?.resets_at ?? ''));
}

/** Gives "Briefs: 12 paid (10 in November 2026, 2 in December 2026), 1 taken over, 13 fetched." */
function billLines({ records }: BatchStatus): string[] {
	const orders = records.all();
	const { paid, taken_over, fetched } = briefNumbers(orders);
	const months = paidByMonth(orders).map(
		(one) => `${formatNumber(one.paid)} in ${monthInWords(Date.parse(one.month))}`,
	);
	const when = months.length === 0 ? '' : ` (${months.join(', ')})`;
	const others = `${formatNumber(taken_over)} taken over, ${formatNumber(fetched)} fetched`;
	return [`Briefs: ${formatNumber(paid)} paid${when}, ${others}.`];
}

function taskLines({ what, cure, command, total: n, rows }: Task): Paragraph[] {
	const mark = /^\p{Lu}/u.test(cure) ? '.' : ':';
	const text = `  ${what}${mark} ${cure}`;
	return [{ text, command: command ?? undefined }, ...rowParagraphs(rows, n)];
}

function group(rows: Task['rows'], what: string): Paragraph[] {
	return rows.length === 0 ? [] : [total(rows.length, what), ...rowParagraphs(rows, rows.length)];
}

function rowParagraphs(rows: Task['rows'], n: number): Paragraph[] {
	const firstRows = rows.slice(0, FEW_ROWS);
	const more = n - firstRows.length;
	return [
		...firstRows.flatMap(paragraphsOf),
		...(more > 0 ? [`    … and ${count(more, 'more row')}.`] : []),
	];
}

function total(n: number, what: string): string {
	return `${formatNumber(n).padStart(6)} ${what}`;
}

function paragraphsOf(taskRow: Task['rows'][number]): Paragraph[] {
	const { brief_id, why } = taskRow;
	const brief = brief_id === null ? '' : `  brief ${brief_id}`;
	return paragraphs(`    ${rowName(taskRow)}${brief}`, why);
}

/** Says that the lock of a dead run is removed, and what to do next. */
export function unlockedText(outDir: string): Paragraph {
	return {
		text: 'That run is dead. Its lock is removed, and its journal is kept. What to do next:',
		command: folderCommand('status', outDir),
	};
}
