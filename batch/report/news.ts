import { formatCount, formatNumber } from '../../core/text';
import type { Runs } from '../orders/runs';
import { isStop } from './exit-code';
import { GROUPS } from './groups';
import type { Report } from './report';
import type { RunEnd } from './run-end';
import type { Subject } from './subject';

/**
 * True if a brief was ordered or saved, a count changed, or the run ended with a different exit code from the last run. A run that
 * was stopped is always news.
 * @param previous the runs before this run
 */
export function hasNews(
	{ report, exitCode, totals }: RunEnd,
	{ last, lastStarted }: Pick<Runs, 'last' | 'lastStarted'>,
): boolean {
	const before = lastStarted?.end?.counts ?? {};
	const isCountChanged = Object.entries(report.counts).some(
		([status, count]) => (before[status] ?? 0) !== count,
	);
	const isBriefNew = totals.ordered > 0 || totals.saved > 0;
	return isBriefNew || isCountChanged || exitCode !== last?.end?.exitCode || isStop(exitCode);
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
