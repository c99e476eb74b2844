import { join } from 'node:path';
import { slug } from '../../service/api/slug';
import type { Disk } from '../folder/disk';
import { otherName, writeWhole } from '../folder/put-in-place';
import { endedAs, fileNameOf } from '../folder/records';
import { lastOrder, type Plan } from '../plan/plan';
import { briefsIn, RESULTS } from '../results/result-columns';
import { sha256 } from '../sha256';
import { withLeftOut } from './result-table';

/** A results.csv that has briefs of rows which are not in the CSV of this run. */
interface EarlierResults {
	content: Uint8Array;
	/** The name of the file that keeps it. */
	name: string;
	/** False if a copy that was made before has the same content. */
	isNew: boolean;
}

/**
 * Gives the results.csv that is kept before it lists the rows of this CSV; null if no brief is lost from it.
 * @param of the CSV whose rows it lists
 */
export async function earlierResults(
	plan: Plan,
	of: string,
	{ disk, outDir }: { disk: Disk; outDir: string },
): Promise<EarlierResults | null> {
	const lostBriefs = briefsNotIn(plan);
	// The usual case, in which nothing has to be read.
	if (lostBriefs.size === 0) return null;
	const content = await disk.read(join(outDir, RESULTS));
	if (content === null) return null;
	const listedIds = briefsIn(content);
	// If another program has changed it, it cannot be read.
	if (listedIds !== null && !listedIds.some((id) => lostBriefs.has(id))) return null;
	const files = await disk.list(outDir);
	for (const name of namesFor(of)) {
		const there = files.includes(name) ? await disk.read(join(outDir, name)) : null;
		if (there === null) return { content, name, isNew: true };
		if (Buffer.compare(there, content) === 0) return { content, name, isNew: false };
	}
	return null;
}

/** Gives the briefs that are ready and that no row of the CSV has, unless another order took their place. */
function briefsNotIn(plan: Plan): ReadonlySet<string> {
	const shownIds = new Set(withLeftOut(plan).map(([row]) => lastOrder(row)?.state.briefId));
	const { records } = plan.source;
	const lostIds = records
		.newestTries()
		.filter((order) => endedAs(order) === 'ready' && !records.isReplaced(order))
		.flatMap(({ state: { briefId } }) =>
			briefId === null || shownIds.has(briefId) ? [] : [briefId],
		);
	return new Set(lostIds);
}

/** Gives results-products.csv, results-products-2.csv and so on, and never the name beside a results.csv that is held. */
function* namesFor(csv: string): Generator<string> {
	const start = nameStart(csv);
	if (`${start}.csv` !== otherName(RESULTS)) yield `${start}.csv`;
	for (let n = 2; ; n += 1) yield `${start}-${n}.csv`;
}

/** Says whether a list has a name of those under which the results of this CSV are kept. */
export function isNameFor(csv: string, list: string): boolean {
	const isNumbered = new RegExp(`^${nameStart(csv)}(-\\d+)?\\.csv$`);
	return isNumbered.test(list) && list !== otherName(RESULTS);
}

function nameStart(csv: string): string {
	const name = fileNameOf(csv);
	// Two CSVs without Latin letters do not share a name.
	return `results-${slug(name.replace(/\.[^.]*$/, '')) || sha256(name).slice(0, 8)}`;
}

/** Copies it: a file that another program holds open can be read, but not renamed. */
export async function keepEarlier(
	{ content, name, isNew }: EarlierResults,
	{ disk, outDir }: { disk: Disk; outDir: string },
): Promise<void> {
	if (isNew) await writeWhole(disk, join(outDir, name), content);
}

/**
 * Says that it is kept.
 * @param will `is` for a run, `will be` for a plan
 */
export function keptText({ name }: EarlierResults, csv: string, will: 'is' | 'will be'): string {
	const lists = will === 'is' ? 'lists' : 'will list';
	return `results.csv has briefs of rows that are not in ${fileNameOf(csv)}. It ${will} kept as ${name}, and results.csv ${lists} the rows of ${fileNameOf(csv)} only.`;
}
