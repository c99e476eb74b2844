import { join } from 'node:path';
import { dayInWords, dayOfYear, nextMonthStart } from '../../service/list/month';
import { commandFor, folderCommand, type NextStep, type Paragraph } from '../command-text';
import { newestFile } from '../folder/put-in-place';
import { newBriefs } from '../notify/message';
import type { ExitCode } from '../exit-codes';
import type { RunEnded } from '../folder/events';
import { nextStepFor } from '../results/next-steps';
import { deferralText } from '../results/words';
import type { RunOutcome } from '../run/end-run';
import { placeOf, type RunRequest } from '../run/request';
import type { RecordedStop } from '../stop';
import { count, formatNumber, them } from '../text';
import type { Console } from './console';
import { duration, terminalText } from './format';

/** Shows the end of a run, unless nothing is new and a person wants to hear of news only. */
export function showEnd(
	outcome: RunOutcome,
	run: RunRequest,
	console: Console,
	now: number,
): ExitCode {
	if (outcome.end.news || !console.isQuiet)
		for (const text of summary(outcome, run, console, now)) console.say(text);
	return outcome.end.exit_code;
}

/** Gives what a run came to, what it cost and what to do next, as lines for a person. */
function summary(
	outcome: RunOutcome,
	run: RunRequest,
	{ paint, isQuiet, since }: Console,
	now: number,
): Paragraph[] {
	const { stop } = outcome.end;
	const { outDir } = run;
	return [
		...(isQuiet ? newsOf(run, outcome.end) : []),
		'',
		...fileLines(outcome, outDir),
		costLine(outcome.end, since, now),
		'',
		...countLines(outcome, run, paint, now),
		...(stop === undefined ? [] : stopLines(stop, paint)),
	];
}

/** Names the files that were written. */
function fileLines({ hasResults, hasReport }: RunOutcome, outDir: string): string[] {
	if (!hasResults) return [];
	return [
		`Results   ${newestFile(outDir, 'results.csv')}`,
		`Briefs    ${join(outDir, 'results')}`,
		...(hasReport ? [`Report    ${newestFile(outDir, 'report.html')}`] : []),
		'',
	];
}

function stopLines({ what, cure }: RecordedStop, paint: Console['paint']): string[] {
	return ['', paint('red', terminalText(what)), cure];
}

/** Says whose run it is and what is new: mail of a schedule shows nothing else. */
function newsOf({ name, table }: RunRequest, { new_briefs, fetched }: RunEnded): string[] {
	const title = `${name}: ${table.file}`;
	const head = fetched > 0 ? `${title}, ${count(fetched, 'new brief')}` : title;
	return [head, ...newBriefs(new_briefs, fetched)].map(terminalText);
}

/** Gives "7 briefs paid, 2 taken over, 8 fetched. 93 of 100 left until 1 December. 12 minutes." */
function costLine(
	{ paid, taken_over, fetched, allowance, used }: RunEnded,
	since: number,
	now: number,
): string {
	const parts = [
		`${paid === 0 ? 'No brief' : count(paid, 'brief')} paid`,
		...(taken_over > 0 ? [`${formatNumber(taken_over)} taken over`] : []),
		...(fetched > 0 ? [`${formatNumber(fetched)} fetched`] : []),
	];
	const rest =
		allowance === null
			? ''
			: ` ${formatNumber(Math.max(0, allowance - used))} of ${formatNumber(allowance)} left until ${dayOfYear(nextMonthStart(now))}.`;
	return `${parts.join(', ')}.${rest} ${duration(Date.now() - since)}.`;
}

/** Says how many rows there are of each status, and what to do about them. What a run orders next comes last. */
function countLines(
	outcome: RunOutcome,
	run: RunRequest,
	paint: Console['paint'],
	now: number,
): Paragraph[] {
	const { end, othersOpen } = outcome;
	const { ready, duplicate, deferred, pending } = end.counts;
	const share = duplicate === 1 ? 'duplicate: shares' : 'duplicates: share';
	const others = `${count(othersOpen, 'other row')} ${othersOpen === 1 ? 'is' : 'are'} open:`;
	return [
		...countLine(ready, paint('green', 'ready')),
		...countLine(duplicate, `${share} the brief of an earlier row`),
		...needyLines(outcome, run, paint),
		...countLine(deferred, paint('yellow', 'deferred'), {
			text: `: ${deferralText(end.deferral)}, ${AGAIN} from ${dayInWords(nextMonthStart(now))} (UTC)`,
		}),
		...countLine(pending, 'pending', pendingNext(outcome, run)),
		...(othersOpen === 0 ? [] : [{ text: others, command: folderCommand('status', run.outDir) }]),
	];
}

/** Gives nothing if there are none. */
function countLine(
	n: number,
	what: string,
	{ text, command }: NextStep = { text: '' },
): NextStep[] {
	return n === 0 ? [] : [{ text: `${String(n).padStart(6)} ${what}${text}`, command }];
}

/** Gives the rows that need a person. */
function needyLines(
	{ end: { counts }, knownCounts, changedRows }: RunOutcome,
	run: RunRequest,
	paint: Console['paint'],
): NextStep[] {
	return (['invalid', 'parked', 'changed', 'failed'] as const).flatMap((status) => {
		const n = counts[status];
		const { text, command } = nextStepFor({ status, count: n, changedRows }, placeOf(run));
		const colour = status === 'parked' || status === 'failed' ? 'red' : 'yellow';
		const next = { text: `${knownText(knownCounts[status], n)}: ${text}`, command };
		return countLine(n, paint(colour, status), next);
	});
}

const AGAIN = 'run the same command again';

/** What ended the run early says itself what to do. */
function pendingNext({ end, othersOpen }: RunOutcome, request: RunRequest): NextStep {
	const { stop, outcome, counts } = end;
	const command = commandFor('run', placeOf(request));
	if (stop !== undefined) return { text: ': not ready yet, see below' };
	// The same command would leave the other rows aside once more.
	if (othersOpen > 0) return { text: ': to go on:', command };
	if (outcome !== 'max') return { text: `: ${AGAIN} to go on` };
	return { text: `: left by --max ${request.max}; to order ${them(counts.pending)}:`, command };
}

/** Gives ", known" or ", 2 of them known". */
function knownText(knownRows: number, all: number): string {
	if (knownRows === 0) return '';
	return knownRows === all ? ', known' : `, ${knownRows} of them known`;
}
