import { join } from 'node:path';
import { dayInWords, nextMonthStart } from '../../service/list/month';
import { commandFor } from '../command-text';
import { newBriefs } from '../notify/message';
import type { RunReport } from '../run/end-run';
import { count, formatNumber, them } from '../text';
import type { Console } from './console';
import { duration, terminalText } from './format';
import type { Progress } from './progress';
import type { Settings } from '../settings/settings';

interface Summarised extends Pick<Settings, 'outDir' | 'max' | 'name' | 'typed'> {
	csv: string;
	/** What `retry` needs besides, to order the failed rows again. */
	retryOptions: readonly string[];
}

/** What a run came to, what it cost and what to do next, as lines for a person. */
export function summary(
	report: RunReport,
	run: Summarised,
	console: Pick<Console, 'paint' | 'isQuiet' | 'progress'>,
	now: number,
): string[] {
	const { paint } = console;
	const { failure } = report;
	const progress = console.progress();
	const { outDir, name, csv } = run;
	return [
		...(console.isQuiet ? newsOf(name, csv, progress) : []),
		'',
		...countLines(report, run, paint, now),
		'',
		costLine(progress, now),
		'',
		`Results   ${join(outDir, 'results.csv')}`,
		`Briefs    ${join(outDir, 'results')}`,
		`Report    ${join(outDir, 'report.html')}`,
		...(failure === null ? [] : ['', paint('red', terminalText(failure.what)), failure.cure]),
	];
}

/** Mail of a schedule shows nothing else: whose run it is, and what is new. */
function newsOf(name: string, csv: string, { newest, finished }: Progress): string[] {
	const title = `${name}: ${csv}`;
	const said = finished.ready > 0 ? `${title}, ${count(finished.ready, 'new brief')}` : title;
	return [said, ...newBriefs(newest, finished.ready)].map(terminalText);
}

/** "7 briefs used, 93 of 100 left until 1 December. 12 minutes." */
function costLine({ paid, allowance, used, since }: Progress, now: number): string {
	const day = dayInWords(nextMonthStart(now)).replace(/ \d+$/, '');
	const left =
		allowance === null
			? ''
			: `, ${formatNumber(Math.max(0, allowance - used))} of ${formatNumber(allowance)} left until ${day}`;
	const time = since === null ? '' : ` ${duration(Date.now() - since)}.`;
	return `${paid === 0 ? 'No brief' : count(paid, 'brief')} used${left}.${time}`;
}

/** How many rows there are of each status, and what to do about them. */
function countLines(
	{ counts, known, failure, end, deferredBecause, changedRows }: RunReport,
	{ csv, outDir, max, typed, retryOptions }: Summarised,
	paint: Console['paint'],
	now: number,
): string[] {
	const again = 'run the same command again';
	const newest = { lastCsv: csv, lastOptions: typed };
	const retry = commandFor('retry', newest, outDir, ...retryOptions);
	const orderChanged = commandFor('run', newest, outDir, '--order-changed', changedRows);
	// What ended the run early says itself what to do.
	const pending =
		failure !== null
			? ': not ready yet, see below'
			: end === 'max'
				? `: left for the next run (--max ${max}), ${again} to go on`
				: `: ${again} to go on`;
	const isOne = counts.duplicate === 1;
	const lines = [
		[counts.ready, paint('green', 'ready'), ''],
		[
			counts.failed,
			paint('red', 'failed'),
			`${knownText(known.failed, counts.failed)}: see ${join(outDir, 'failed.csv')}; to order ${them(counts.failed)} again: ${retry}`,
		],
		[
			counts.invalid,
			paint('yellow', 'invalid'),
			`${knownText(known.invalid, counts.invalid)}: correct ${them(counts.invalid)} in the CSV and ${again}`,
		],
		[
			counts.parked,
			paint('red', 'parked'),
			`${knownText(known.parked, counts.parked)}: report.html says why, and what to do about ${them(counts.parked)}`,
		],
		[
			counts.changed,
			paint('yellow', 'changed'),
			`${knownText(known.changed, counts.changed)}: put back what differs (see results.csv); to order ${them(counts.changed)} again: ${orderChanged}`,
		],
		[
			counts.deferred,
			paint('yellow', 'deferred'),
			`: ${deferredBecause}, ${again} from ${dayInWords(nextMonthStart(now))} (UTC)`,
		],
		[counts.pending, 'pending', pending],
		[
			counts.duplicate,
			isOne ? 'duplicate' : 'duplicates',
			isOne ? ': shares the brief of an earlier row' : ': share the brief of an earlier row',
		],
	] as const;
	return lines.flatMap(([n, what, next]) =>
		n > 0 ? [`${String(n).padStart(6)} ${what}${next}`] : [],
	);
}

/** ", known" or ", 2 of them known" */
function knownText(known: number, all: number): string {
	if (known === 0) return '';
	return known === all ? ', known' : `, ${known} of them known`;
}
