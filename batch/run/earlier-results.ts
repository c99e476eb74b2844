import { join } from 'node:path';
import { slug } from '../../service/api/slug';
import type { Disk } from '../folder/disk';
import { isBusy, newestOf, otherName, writeWhole } from '../folder/put-in-place';
import { isResultsFile, RESULTS, resultIn } from '../results/result-columns';
import type { BriefRecord } from '../folder/journal/brief-record';
import { fileNameOf, type Records } from '../folder/journal/records';
import { countRows, type Plan } from '../plan/plan';
import type { RunRequest } from './request';
import { sha256 } from '../sha256';

/** The results.csv of another CSV, which is kept under the name of that. */
export interface EarlierResults {
	/** The CSV whose rows it lists. */
	of: string;
	/** The file that has them. */
	from: string;
	/** The name of the file that keeps them. */
	name: string;
}

/** Names the CSV whose rows results.csv will list: one of our own files brings its rows up to date, no more. */
export function resultsOf({ table, part }: RunRequest, records: Records): string {
	const name = fileNameOf(table.file);
	const isOwn = part !== undefined || isResultsFile(table);
	return isOwn ? (records.resultsOf ?? name) : name;
}

/** Gives what is kept before results.csv lists the rows of this CSV: it would lose rows. Null if it loses none. */
export async function earlierResults(
	request: RunRequest,
	{ rows, source: { records } }: Plan,
	disk: Disk,
): Promise<EarlierResults | null> {
	const of = records.resultsOf;
	if (of === null || request.part !== undefined) return null;
	const isOther = of !== resultsOf(request, records);
	const ready = readyOrders(records);
	// The usual case, in which nothing has to be read: the same CSV, with all that was ordered.
	if (!isOther && ready.size <= countRows(rows).ready) return null;
	const files = await disk.list(request.outDir);
	const from = newestOf(RESULTS, files);
	if (!files.includes(from) || !(await losesRows(request, ready, rows, isOther))) return null;
	const day = isOther ? '' : `-${records.lastRun?.at.slice(0, 10) ?? 'earlier'}`;
	const name = `${startOfName(of)}${day}.csv`;
	// Neither what this run reads nor what was kept of an earlier day is written over.
	const isInUse = isOther ? name === fileNameOf(request.table.file) : files.includes(name);
	return { of, from, name: isInUse ? unused(name, files) : name };
}

/** Begins a name that two CSVs without Latin letters do not share, and that no file beside a busy one has. */
function startOfName(csv: string): string {
	const start = `results-${slug(csv.replace(/\.[^.]*$/, '')) || sha256(csv).slice(0, 8)}`;
	return `${start}.csv` === otherName(RESULTS) ? `${start}-csv` : start;
}

function unused(name: string, files: readonly string[]): string {
	const start = name.replace(/\.csv$/, '');
	for (let n = 2; ; n += 1) if (!files.includes(`${start}-${n}.csv`)) return `${start}-${n}.csv`;
}

/** Gives the orders whose brief is ready and in whose place no other was asked for, by their brief. */
function readyOrders(records: Records): Map<string | null, BriefRecord> {
	return new Map(
		records
			.all()
			.filter(({ ended_as, replaced_by }) => ended_as === 'ready' && replaced_by === undefined)
			.map((record) => [record.brief_id, record]),
	);
}

/**
 * Copies them: a file that another program holds open can be read, but not renamed.
 * @returns what was kept, under another name if a file of that name is held open
 */
export async function keepEarlier(
	earlier: EarlierResults,
	outDir: string,
	disk: Disk,
): Promise<EarlierResults> {
	const content = (await disk.read(join(outDir, earlier.from))) ?? new Uint8Array();
	try {
		await writeWhole(disk, join(outDir, earlier.name), content);
		return earlier;
	} catch (error) {
		if (!isBusy(error)) throw error;
		const name = unused(earlier.name, await disk.list(outDir));
		await writeWhole(disk, join(outDir, name), content);
		return { ...earlier, name };
	}
}

/**
 * Says that they are kept.
 * @param will `is` for a run, `will be` for a plan
 */
export function keptText(
	{ of, name }: EarlierResults,
	csv: string,
	will: 'is' | 'will be',
): string {
	const from =
		of === fileNameOf(csv)
			? `results.csv has rows that are not in ${of} any more`
			: `results.csv lists the rows of ${of}, which are not all in ${fileNameOf(csv)}`;
	return `${from}. It ${will} kept as ${name}, and results.csv ${will === 'is' ? 'lists' : 'will list'} the rows of ${fileNameOf(csv)} only.`;
}

/**
 * Says whether results.csv has rows that the CSV lacks. Of the same CSV, those that have a brief: a row that was only
 * corrected or left out by a person has nothing to lose.
 */
async function losesRows(
	{ table, openResults }: RunRequest,
	ready: ReadonlyMap<string | null, BriefRecord>,
	rows: Plan['rows'],
	isOther: boolean,
): Promise<boolean> {
	const keepTheirBrief = new Set(rows.map(({ change }) => change?.brief_id));
	const ids = new Set(table.rows.map(({ id }) => id));
	const whole = await openResults();
	if (whole === null) return isOther;
	return whole.rows.some((row) => {
		const { brief_id } = resultIn(whole.columns, row);
		if (row.id === '' || ids.has(row.id) || keepTheirBrief.has(brief_id)) return false;
		const record = ready.get(brief_id);
		// With another --map or --set a line reads as other content: its brief shows whose it is.
		return record === undefined ? isOther : !ids.has(record.row);
	});
}
