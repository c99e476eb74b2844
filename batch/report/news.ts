import { formatCount, formatNumber } from '../../core/text';
import { DAY_MS } from '../../core/assumptions';
import type { RunEntry, Runs } from '../orders/runs';
import { isStop } from './exit-code';
import { GROUPS } from './groups';
import type { Report } from './report';
import type { RunEnd } from './run-end';
import type { Subject } from './subject';

/**
 * True if a brief was ordered or saved, a count changed, the run ended with a different exit code from the last run, or its stop
 * is news.
 * @param runs before this run
 */
export function hasNews(
	{ report, exitCode, totals, stop, at }: RunEnd,
	{ last, lastStarted, entries }: Pick<Runs, 'last' | 'lastStarted' | 'entries'>,
): boolean {
	const before = lastStarted?.end?.counts ?? {};
	const isCountChanged = Object.entries(report.counts).some(
		([status, count]) => (before[status] ?? 0) !== count,
	);
	const isBriefNew = totals.ordered > 0 || totals.saved > 0;
	const isOther = exitCode !== last?.end?.exitCode;
	return (
		isBriefNew || isCountChanged || isOther || (stop !== null && isStopNews(stop.code, at, entries))
	);
}

/**
 * True for the first stop for a reason, and once a day while runs stop for it: a schedule of every hour would report it 24 times.
 * @param at when the run ended, in ISO 8601
 * @param entries the runs before
 */
export function isStopNews(code: string, at: string, entries: readonly RunEntry[]): boolean {
	if (!isStop({ code })) return false;
	const others = entries.findLastIndex(({ end }) => end?.stop?.code !== code);
	const same = entries
		.slice(others + 1)
		.flatMap(({ end }) => (end === null ? [] : [Date.parse(end.at)]));
	const [first] = same;
	const last = same.at(-1);
	if (first === undefined || last === undefined) return true;
	const toDay = (time: number) => Math.floor((time - first) / DAY_MS);
	return toDay(Date.parse(at)) > toDay(last);
}

/** Returns the first line of a notification, and of --quiet if there is news: cron mails show little else. */
export function formatNews({ name, csv }: Subject, { totals, report }: RunEnd): string {
	const counts = [
		formatCount(totals.ordered, 'brief ordered', 'briefs ordered'),
		...countAttention(report),
	];
	return `${name}: ${csv}: ${counts.join(', ')}`;
}

/** Returns the numbers of rows that need the user, such as “2 changed”. */
function countAttention({ groups }: Report): string[] {
	const needed = groups.filter(({ needsUser }) => needsUser);
	return needed.map(({ name, rows }) => `${formatNumber(rows.length)} ${GROUPS[name]}`);
}
