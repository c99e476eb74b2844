import { ServiceError } from '../../service/errors';
import { dayInWords, nextMonthStart } from '../../service/month';
import { SLOTS } from '../../service/limits';
import { openTable, type RowProblem } from '../csv/table';
import { EXIT, type ExitCode } from '../failure';
import { earlierResults, keptText } from '../run/earlier-results';
import { foreseeListed } from '../run/foresee-listed';
import { preflight } from '../run/preflight';
import { contentInFile } from '../run/find-changes';
import { checkWorkspace } from '../run/same-workspace';
import { serviceFailure } from '../run/service-failure';
import { heldBack, mayOrder, summariseRows, toOrder } from '../run/summarise';
import { count } from '../text';
import { batchOf, openResults, partOf } from './batch-of';
import type { Console } from './console';
import { planned } from './estimate';
import { lineFor } from './event-lines';
import { openEnvironment } from './environment';
import { readJournal } from './journal-file';
import { showChanges, showListed, showNew } from './plan-rows';
import { checkBaseUrl } from './settings/base-url';
import type { Settings } from './settings/settings';
import { duration, terminalText } from './format';

/** More problems than this are counted and not shown: nobody reads them, and a million would fill the screen. */
const SHOWN_PROBLEMS = 50;

/**
 * Checks every row, prices the run, spends nothing and writes nothing: it reads the journal without opening it, and
 * sends GETs only.
 */
export async function plan(
	csv: string,
	settings: Settings,
	console: Console,
	interruption: AbortSignal,
): Promise<ExitCode> {
	const { service, clock, disk } = openEnvironment(settings, console);
	const records = await readJournal(disk, settings.outDir);
	checkBaseUrl(settings.baseUrl, records, settings.outDir);
	const table = await openTable(csv, settings.table);
	const { batch, isPart } = await batchOf(table, settings, records, disk);
	for (const notice of table.notices) console.say(terminalText(notice));

	let shown = 0;
	const show = (line: string | null) => {
		shown += 1;
		if (shown <= SHOWN_PROBLEMS && line !== null) console.say(line);
	};
	const options = {
		...settings,
		part: isPart ? await partOf(csv, settings.outDir, settings.table) : undefined,
		readContent: contentInFile(disk, settings.outDir),
	};
	const summary = await summariseRows(table, records, options, {
		invalid: ({ number, problems }) => {
			console.json({ event: 'row_invalid', row: number, problems });
			show(invalidLine(number, problems, console));
		},
		duplicate: ({ number }, firstRow) => {
			console.json({ event: 'row_duplicate', row: number, first_row: firstRow });
			show(lineFor({ event: 'row_duplicate', row: number, first_row: firstRow }, console.paint));
		},
	});
	for (const text of table.leftOut()) console.say(text);
	if (shown > SHOWN_PROBLEMS)
		console.say(`… and ${count(shown - SHOWN_PROBLEMS, 'more row')} of these.`);
	showChanges(table, summary, console);
	const before = { table, outDir: settings.outDir, part: options.part };
	const open = () => openResults(settings.outDir, settings.table);
	const kept = await earlierResults({ ...before, openResults: open }, records, summary, disk);
	if (kept !== null) console.say(terminalText(keptText(kept, csv, 'will be')));

	const { allowance, listing } = await preflight(service, clock, settings.interval, interruption);
	const env = { service, clock, interruption };
	if (mayOrder(summary, settings)) await checkWorkspace(records, listing.briefs, settings, env);
	const foreseen = await foreseeListed(
		{ ...settings, table, batch },
		summary,
		records,
		listing,
		env,
	).catch((error: unknown) => {
		throw error instanceof ServiceError ? serviceFailure(error, service.now()) : error;
	});
	showListed(foreseen, console);
	const { again } = foreseen;
	const [adopted, unclear] = [foreseen.adopted.length, foreseen.unclear.length];
	const isNewApart = summary.changes.size + adopted + unclear + again.done + again.parked > 0;
	const fresh = summary.fresh - (adopted + unclear - foreseen.changed);
	const changed = summary.changes.size - foreseen.changed;
	const [done, parked] = [summary.done - again.done, summary.parked.length - again.parked];
	if (isNewApart) await showNew(table, records, settings, summary, foreseen, console);

	const left = Math.max(0, allowance.remaining - settings.keep);
	const wanted = toOrder(summary, settings) - adopted - unclear + again.done + again.parked;
	const takes = Math.min(wanted, left, settings.max);
	const deferred = Math.max(0, wanted - left);
	const beyondMax = wanted - takes - deferred;
	const estimate = planned(takes + summary.begun.length, SLOTS - settings.leaveSlots);
	const resetsOn = dayInWords(nextMonthStart(service.now()));
	const exitCode = exitCodeOf(
		summary.invalid + summary.failed + parked + unclear + heldBack(summary, settings),
		deferred + beyondMax,
	);

	console.json({
		event: 'plan',
		batch,
		...{ rows: summary.rows, ready_to_go: wanted, invalid: summary.invalid },
		...{ new: fresh, changed, adopted, unclear, again: again.done + again.parked },
		...{ duplicates: summary.duplicates, done, failed: summary.failed },
		...{ under_way: summary.begun.length, parked },
		allowance,
		...{ takes, deferred, beyond_max: beyondMax },
		estimate_ms: estimate,
		exit_code: exitCode,
	});

	const line = (name: string, value: number | string, note = '') =>
		console.say(
			`  ${name.padEnd(22)}${String(value).padStart(9)}${note === '' ? '' : `   ${note}`}`,
		);
	const optional = (name: string, value: number, note = '') => {
		if (value > 0) line(name, value.toLocaleString('en-US'), note);
	};
	const number = (value: number) => value.toLocaleString('en-US');
	console.say(console.paint('bold', `\n${csv}, batch “${batch}”`));
	line('rows', number(summary.rows));
	line(isNewApart ? 'new' : 'ready to go', number(fresh));
	optional('changed', changed, changedNote(settings));
	optional('adopted', adopted, 'the workspace has their briefs: taken over, not paid for');
	optional('unclear', unclear, 'perhaps ordered before: parked, or ordered with --order-again');
	optional(
		'ordered again',
		again.done + again.parked,
		'taken over or parked before, and now ordered',
	);
	optional('under way', summary.begun.length, 'ordered by an earlier run, taken up again');
	line('already done', number(done));
	optional('failed before', summary.failed, 'not ordered again by itself');
	optional('parked', parked, 'a person must look: brief-batch status');
	line(
		'invalid',
		number(summary.invalid),
		summary.invalid > 0 ? 'left out until they are corrected' : '',
	);
	line(
		'duplicates',
		number(summary.duplicates),
		summary.duplicates > 0 ? duplicatesNote(settings) : '',
	);
	console.say(console.paint('bold', 'Allowance'));
	line('this month', number(allowance.allowance), `starts anew on ${resetsOn} (UTC)`);
	line('used', number(allowance.used));
	line(
		'left',
		number(allowance.remaining),
		settings.keep > 0 ? `${settings.keep} of them kept` : '',
	);
	line('this run takes', number(takes));
	optional(
		'deferred',
		deferred,
		deferredNote(deferred, allowance.allowance - settings.keep, resetsOn),
	);
	optional('beyond --max', beyondMax, 'left for the next run');
	console.say(console.paint('bold', 'Time'));
	line('running now', allowance.running, `of ${SLOTS} slots`);
	const range = `${duration(estimate.shortest)} to ${duration(estimate.longest)}`;
	if (takes + summary.begun.length > 0)
		line(
			'this run',
			`about ${duration(estimate.likely)}`,
			`(${range}, if nobody else uses the slots)`,
		);
	console.say('\nNothing was ordered and nothing was written.');
	return exitCode;
}

function invalidLine(row: number, problems: RowProblem[], { paint }: Console): string | null {
	return lineFor({ event: 'row_invalid', row, problems }, paint);
}

function duplicatesNote({ allowDuplicates }: Settings): string {
	return allowDuplicates ? '' : 'made once; --allow-duplicates makes each';
}

function changedNote({ orderChanged }: Settings): string {
	return orderChanged
		? 'ordered before with other content, and now anew'
		: 'ordered before with other content: put it back, or --order-changed';
}

function deferredNote(deferred: number, perMonth: number, resetsOn: string): string {
	if (perMonth <= 0) return 'nothing of the allowance may be used';
	const months = Math.ceil(deferred / perMonth);
	return `can go on from ${resetsOn}, over ${count(months, 'month')}`;
}

function exitCodeOf(unfit: number, left: number): ExitCode {
	if (left > 0) return EXIT.leftForLater;
	return unfit > 0 ? EXIT.someFailed : EXIT.ok;
}
