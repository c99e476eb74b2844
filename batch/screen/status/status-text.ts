import { dayInWords, monthInWords } from '../../../service/list/month';
import { waitText } from '../../wait-text';
import { commandFor, type Paragraph } from '../../command-text';
import { briefNumbers, paidByMonth } from '../../folder/journal/paid';
import type { Order } from '../../folder/records';
import { nameOf, type AtWork } from '../../folder/lock/holder';
import { journalPath } from '../../folder/out-folder';
import { newestFile } from '../../folder/put-in-place';
import type { Paint } from '../event-lines';
import { FEW_ROWS, paragraphs, rowName, terminalParagraph, terminalText } from '../format';
import { count, formatNumber, minuteOf, them } from '../../text';
import type { BatchStatus } from './batch-status';
import { rowContextOf, taskRow, tasksOf, type RowContext, type Task, type TaskRow } from './tasks';

/** Gives the lines of `status` about one folder. */
export function statusLines(status: BatchStatus, paint: Paint): Paragraph[] {
	const { outDir, records } = status;
	const tasks = tasksOf(status);
	return [
		paint('bold', `Batch “${records.batch}” in ${outDir}, at ${records.baseUrl ?? ''}`),
		...[...runLines(status), ...rowLines(status), ...billLines(status)].map(terminalParagraph),
		...(tasks.length > 0 ? [paint('yellow', 'Needs attention:')] : []),
		...tasks.flatMap(taskLines).map(terminalParagraph),
		terminalText(`Journal: ${journalPath(outDir)}   Report: ${newestFile(outDir, 'report.html')}`),
	];
}

function runLines(status: BatchStatus): Paragraph[] {
	const { outDir, records, outcome, atWork, isAtWork, longWait } = status;
	const { lastRun, notBegun, isUnderWay } = records;
	if (isAtWork) return [...atWorkLines(atWork), ...waitLines(longWait)];
	const { stop } = outcome;
	const why = stop === null ? [] : [`  ${stop.what} ${stop.cure}`];
	if (notBegun !== null)
		return [`The last run, at ${minuteOf(notBegun.at)}, could not begin:`, ...why];
	if (isUnderWay || lastRun === null)
		return [
			{
				text: 'The last run was cut off, or could not write its end. This goes on with it:',
				command: commandFor('run', records, outDir),
			},
		];
	const { outcome: how, at } = lastRun;
	return [`Last run: ended at ${minuteOf(at)}: ${OUTCOME[how] ?? how}.`, ...why];
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
	const { outcome, outDir, isAtWork, records } = status;
	const which = isAtWork ? 'the run at work' : 'the next run';
	const { counts, left_out, being_written, without_answer, put_off } = outcome;
	const { ready, deferred, pending } = counts;
	const onTheirWay = being_written.length + without_answer.length + put_off.length;
	const rest = pending - onTheirWay;
	const context = rowContextOf(status);
	const command = commandFor('run', context.place.lastCommand, outDir);
	const until = `until ${dayInWords(Date.parse(records.lastRun?.resets_at ?? ''))} (UTC), then:`;
	return [
		total(ready, 'ready'),
		...group(
			being_written,
			`being written: ${which} fetches ${them(being_written.length)}`,
			context,
		),
		...group(put_off, `late: ${which} fetches ${them(put_off.length)}`, context),
		...group(
			without_answer,
			`without an answer so far: ${which} finds out whether the service took ${them(without_answer.length)}`,
			context,
		),
		...(rest > 0 ? [{ text: total(rest, 'pending, to be ordered with:'), command }] : []),
		...(deferred > 0 ? [{ text: total(deferred, `deferred ${until}`), command }] : []),
		...(left_out > 0 ? [total(left_out, 'left out by --where')] : []),
	];
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
	return [{ text: `  ${what}. ${cure}`, command: command ?? undefined }, ...rowParagraphs(rows, n)];
}

function group(records: readonly Order[], what: string, context: RowContext): Paragraph[] {
	if (records.length === 0) return [];
	const rows = records.map((record) => taskRow(record, context));
	return [total(records.length, what), ...rowParagraphs(rows, records.length)];
}

function rowParagraphs(rows: readonly TaskRow[], n: number): Paragraph[] {
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

function paragraphsOf({ row, product_name, brief_id, why }: TaskRow): Paragraph[] {
	const brief = brief_id === null ? '' : `  brief ${brief_id}`;
	return paragraphs(`    ${rowName(row, product_name)}${brief}`, why);
}
