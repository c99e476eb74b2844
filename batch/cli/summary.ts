import { join } from 'node:path';
import { dayInWords, nextMonthStart } from '../../service/month';
import type { RunReport } from '../run/end-run';
import { commandFor } from '../command-text';
import type { Console } from './console';
import { terminalText } from './format';
import type { Settings } from './settings/settings';

type Summarised = Pick<Settings, 'outDir' | 'max'> & {
	table: Pick<Settings['table'], 'set'>;
	/** What `retry` needs besides, to order the failed rows again. */
	retryOptions: readonly string[];
};

/** What a run came to, and what to do next, as lines for a person. */
export function summary(
	{ counts, known, failure, end, deferredBecause }: RunReport,
	csv: string,
	{ outDir, max, table: { set }, retryOptions }: Summarised,
	now: number,
	{ paint }: Pick<Console, 'paint'>,
): string[] {
	const said = (n: number, what: string, next: string) =>
		n > 0 ? [`${String(n).padStart(6)} ${what}${next}`] : [];
	const them = (n: number) => (n === 1 ? 'it' : 'them');
	const again = 'run the same command again';
	const retry = commandFor('retry', { lastCsv: csv, lastSet: set }, outDir, ...retryOptions);
	return [
		'',
		...said(counts.ready, paint('green', 'ready'), ''),
		...said(
			counts.failed,
			paint('red', 'failed'),
			`${knownText(known.failed, counts.failed)}: see ${join(outDir, 'failed.csv')}; to order ${them(counts.failed)} anew: ${retry}`,
		),
		...said(
			counts.invalid,
			paint('yellow', 'invalid'),
			`${knownText(known.invalid, counts.invalid)}: correct ${them(counts.invalid)} in the CSV and ${again}`,
		),
		...said(
			counts.parked,
			paint('red', 'parked'),
			`: report.html says why, and what to do about ${them(counts.parked)}`,
		),
		...said(
			counts.changed,
			paint('yellow', 'changed'),
			': not ordered anew; put back what differs (see results.csv), or add --order-changed',
		),
		...said(
			counts.deferred,
			paint('yellow', 'deferred'),
			`: ${deferredBecause}, ${again} from ${dayInWords(nextMonthStart(now))} (UTC)`,
		),
		// What ended the run early says itself what to do.
		...said(
			counts.pending,
			'pending',
			failure !== null
				? ': not ready yet, see below'
				: end === 'max'
					? `: left for the next run (--max ${max}), ${again} to go on`
					: `: ${again} to go on`,
		),
		...said(
			counts.duplicate,
			counts.duplicate === 1 ? 'duplicate' : 'duplicates',
			counts.duplicate === 1
				? ': shares the brief of an earlier row'
				: ': share the brief of an earlier row',
		),
		'',
		`Results   ${join(outDir, 'results.csv')}`,
		`Briefs    ${join(outDir, 'results')}`,
		`Report    ${join(outDir, 'report.html')}`,
		...(failure === null ? [] : ['', paint('red', terminalText(failure.what)), failure.cure]),
	];
}

/** ", known" or ", 2 of them known" */
function knownText(known: number, all: number): string {
	if (known === 0) return '';
	return known === all ? ', known' : `, ${known} of them known`;
}
