import { join } from 'node:path';
import { dayInWords } from '../../service/list/month';
import { EXIT, type ExitCode } from '../failure';
import { realDisk } from '../folder/disk';
import type { BriefRecord, Records } from '../folder/journal/records';
import { nameOf, whoIsAtWork, type AtWork } from '../folder/lock/holder';
import { retryOptions } from '../plan/retry';
import { needsPerson, standingOf, type Standing } from '../plan/standing';
import { count, formatNumber, minuteOf, them } from '../text';
import { commandFor, toGoOnWith } from '../command-text';
import type { Console } from '../screen/console';
import { journalPath, readExistingJournal } from '../folder/out-folder';
import { FEW_ROWS, oneLine, rowName, terminalText } from '../screen/format';

/** Something that a person has to do. */
interface Task {
	what: string;
	cure: string;
	command: string | null;
	records: BriefRecord[];
}

/** What status shows. */
interface Shown {
	outDir: string;
	records: Records;
	standing: Standing;
	tasks: readonly Task[];
	atWork: AtWork;
	exitCode: ExitCode;
}

/** Shows where the batch is, what needs attention and the command for it: from the journal, without the service. */
export async function status(outDir: string, console: Console): Promise<ExitCode> {
	const records = await readExistingJournal(outDir);
	const atWork = await whoIsAtWork(realDisk, outDir);
	const standing = standingOf(records);
	const tasks = tasksOf(standing, records, outDir);
	const exitCode = needsPerson(standing) ? EXIT.someFailed : EXIT.ok;
	console.json(documentOf({ outDir, records, standing, tasks, atWork, exitCode }));
	const say = (line: string) => console.say(terminalText(line));
	console.say(
		console.paint('bold', `Batch “${records.batch}” in ${outDir}, at ${records.baseUrl ?? ''}`),
	);
	for (const line of lastRunLines(records, standing, atWork)) say(line);
	for (const line of standingLines(standing, records, outDir)) say(line);
	if (tasks.length > 0) console.say(console.paint('yellow', 'Needs attention:'));
	for (const line of tasks.flatMap(taskLines)) say(line);
	say(`Journal: ${journalPath(outDir)}   Report: ${join(outDir, 'report.html')}`);
	return exitCode;
}

function lastRunLines(
	{ lastRun, notBegun, isUnderWay }: Records,
	{ failure }: Standing,
	atWork: AtWork,
): string[] {
	if (atWork.is === 'alive') return [`A run is at work: ${nameOf(atWork.by)}.`];
	const why = failure === null ? [] : [`  ${failure.what} ${failure.cure}`];
	if (notBegun !== null)
		return [`The last run, at ${minuteOf(notBegun.at)}, could not begin:`, ...why];
	if (isUnderWay || lastRun === null) {
		if (atWork.is === 'perhaps' && atWork.by !== null)
			return [`A run may be at work: ${nameOf(atWork.by)}. brief-batch unlock says more.`];
		return [
			'The last run was cut off, or could not write its end. Run the same command again: it resumes.',
		];
	}
	const { outcome, at } = lastRun;
	return [`Last run: ended at ${minuteOf(at)}: ${OUTCOME[outcome] ?? outcome}.`, ...why];
}

/** How a run ended, by the word in the journal. */
const OUTCOME: Readonly<Record<string, string>> = {
	complete: 'it went through all rows',
	allowance: 'it ordered what was left of the month’s allowance',
	max: 'it ordered as many as --max allows',
	failure: 'it stopped early',
	interrupted: 'it was interrupted',
};

function standingLines(standing: Standing, records: Records, outDir: string): string[] {
	const { ready, adopted, being_written, without_answer, parked_later } = standing;
	const { pending, deferred, deferred_until } = standing;
	const waiting = pending - being_written.length - without_answer.length;
	const run = commandFor('run', toGoOnWith(records), outDir);
	const since = (date: number) => `until ${dayInWords(date)} (UTC), then: ${run}`;
	return [
		total(ready, 'ready'),
		...(adopted > 0 ? [total(adopted, 'of them taken over, not ordered here')] : []),
		...group(
			being_written,
			`being written: the run that is at work or the next one fetches ${them(being_written.length)}`,
		),
		...group(
			without_answer,
			`without an answer so far: the run at work or the next one finds out whether the service took ${them(without_answer.length)}`,
		),
		...group(parked_later, 'parked, to be run again later, which costs nothing'),
		...(waiting > 0 ? [total(waiting, `pending, to be ordered with: ${run}`)] : []),
		...(deferred > 0 ? [total(deferred, `deferred ${since(deferred_until)}`)] : []),
	];
}

/** What a person has to do about a batch, the most urgent first. */
function tasksOf(standing: Standing, records: Records, outDir: string): Task[] {
	const { parked, failed, invalid, changed, failure } = standing;
	const next = toGoOnWith(records);
	const csv = next.lastCsv ?? 'the CSV';
	const run = commandFor('run', next, outDir);
	const tasks: Task[] = [];
	if (failure !== null && failure.exit_code !== EXIT.stoppedEarly) {
		const what = 'The last run could not go on';
		tasks.push({ what, cure: failure.cure, command: run, records: [] });
	}
	if (parked.length > 0) {
		const what = `${formatNumber(parked.length)} parked`;
		const cure = 'Do what each row says: nothing happens to it until then.';
		tasks.push({ what, cure, command: null, records: parked });
	}
	if (failed.length > 0) {
		const rows = failed.length === 1 ? 'row is' : 'rows are';
		const what = `${formatNumber(failed.length)} failed`;
		const cure = `The ${rows} in ${join(outDir, 'failed.csv')}. This command says why, then asks before it orders ${them(failed.length)} again:`;
		const command = commandFor('retry', next, outDir, ...retryOptions(records));
		tasks.push({ what, cure, command, records: failed });
	}
	if (invalid > 0) {
		const they = invalid === 1 ? 'It was' : 'They were';
		const what = `${formatNumber(invalid)} invalid`;
		const cure = `${they} not sent. results.csv says what is wrong: correct ${them(invalid)} in ${csv}, then:`;
		tasks.push({ what, cure, command: run, records: [] });
	}
	if (changed > 0) {
		const what = `${formatNumber(changed)} changed`;
		const cure = `Ordered before with other content, and not ordered again. results.csv says what differs: put it back; or, at ${count(changed, 'brief')}, order ${them(changed)} again:`;
		const rows = records.lastRun?.changed_rows ?? [];
		const command = commandFor('run', next, outDir, '--order-changed', ...[rows].flat());
		tasks.push({ what, cure, command, records: [] });
	}
	return tasks;
}

function taskLines({ what, cure, command, records }: Task): string[] {
	return [
		`  ${what}. ${cure}`,
		...(command === null ? [] : [`         ${command}`]),
		...rowLines(records),
	];
}

function group(records: BriefRecord[], what: string): string[] {
	return records.length === 0 ? [] : [total(records.length, what), ...rowLines(records)];
}

function rowLines(records: BriefRecord[]): string[] {
	const more = records.length - FEW_ROWS;
	return [
		...records.slice(0, FEW_ROWS).map(lineOf),
		...(more > 0 ? [`         … and ${count(more, 'more row')}.`] : []),
	];
}

function total(n: number, what: string): string {
	return `${formatNumber(n).padStart(6)} ${what}`;
}

function lineOf(record: BriefRecord): string {
	const { row_number, product_name, brief_id } = record;
	const facts = [brief_id === null ? '' : `brief ${brief_id}`, whyOf(record)];
	const text = facts.filter((fact) => fact !== '').join('  ');
	return `         ${rowName(row_number, product_name)}  ${oneLine(text, 1000)}`;
}

function whyOf({ error, error_code }: BriefRecord): string {
	return [error_code ?? '', error ?? ''].filter((fact) => fact !== '').join('  ');
}

function documentOf({ outDir, records, standing, tasks, atWork, exitCode }: Shown): object {
	const { being_written, without_answer, parked_later, parked, failed, ...others } = standing;
	const { deferred_until, failure, ...numbers } = others;
	const { deferred } = standing;
	return {
		event: 'status',
		batch: records.batch,
		base_url: records.baseUrl,
		at_work: atWork.is,
		last_run: records.lastRun,
		not_begun: records.notBegun,
		failure,
		counts: {
			...numbers,
			being_written: being_written.length,
			without_answer: without_answer.length,
			parked: parked.length,
			parked_later: parked_later.length,
			failed: failed.length,
		},
		deferred_until: deferred === 0 ? null : new Date(deferred_until).toISOString(),
		run: commandFor('run', toGoOnWith(records), outDir),
		needs_person: tasks.map(({ what, cure, command, records: rows }) => ({
			what,
			cure,
			command,
			rows: rows.map((record) => ({
				row: record.row_number,
				product_name: record.product_name,
				brief_id: record.brief_id,
				why: whyOf(record),
			})),
		})),
		briefs: records.all(),
		exit_code: exitCode,
	};
}
