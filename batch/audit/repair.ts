import { isRunning, type BriefSummary } from '../../service/api/resources';
import type { BriefRecord } from '../folder/journal/records';
import type { Difference } from './audit';
import { changedFiles, setAside } from './changed-files';
import { collectBrief, type Collecting } from '../order/brief';
import { parkOrder } from '../order/park';
import { fetchFiles, isFiled } from '../order/refetch';
import { tryIn } from '../plan/try';

/** The end of a repair, in words. */
interface Outcome {
	what: string;
	isCured: boolean;
}

/** The same, of an order. */
export interface Repaired extends Outcome {
	row: number;
	product_name: string;
}

/**
 * Fetches the briefs that are not on record, and writes files that are gone or changed as the service has them. Sends
 * GETs only. A changed file is kept under another name: somebody may have edited it. Throws what the service throws.
 */
export async function* repairAll(
	differences: readonly Difference[],
	run: Collecting,
): AsyncGenerator<Repaired> {
	const { journal, disk, outDir } = run;
	const records = new Map(journal.records.all().map((record) => [record.key, record]));
	for (const { key, row, product_name, repair } of differences) {
		const record = records.get(key);
		if (repair === null || record === undefined) continue;
		run.signal.throwIfAborted();
		if (repair === 'fetch') {
			await collect(record, record.brief_id ?? '', run);
			const isCured = record.state === 'done';
			const what = isCured ? 'has its brief now' : `was not repaired: ${record.error ?? ''}`;
			yield { row, product_name, what, isCured };
		} else if (typeof repair === 'object') {
			yield { row, product_name, ...(await adopt(record, repair.adopt, run)) };
		} else if (isFiled(record)) {
			const kept: string[] = [];
			const isThere = await fetchFiles(record, run, async () => {
				const { changed } = await changedFiles(disk, outDir, record);
				for (const name of changed) kept.push(await setAside(disk, outDir, name, run.clock.now()));
			});
			const aside = kept.length === 0 ? '' : `; what was changed is kept as ${kept.join(' and ')}`;
			const what = isThere
				? `has its files again, as the service has them${aside}`
				: `was not repaired: the service has no brief ${record.brief_id} with a text any more`;
			yield { row, product_name, what, isCured: isThere };
		}
	}
}

/** Gives an order its brief. One that is still being written is fetched by the next run. */
async function adopt(record: BriefRecord, brief: BriefSummary, run: Collecting): Promise<Outcome> {
	const { key } = record;
	await run.journal.append({ type: 'accepted', key, brief_id: brief.id, found: true });
	if (!isRunning(brief)) await collect(record, brief.id, run);
	const isCured = record.state !== 'parked';
	const what = isCured
		? `has brief ${brief.id} now, the only one of its product from the time of its order`
		: `was not repaired: ${record.error ?? ''}`;
	return { what, isCured };
}

/** Fetches a brief into its files, or parks its order. */
async function collect(record: BriefRecord, briefId: string, run: Collecting): Promise<void> {
	const order = tryIn(record);
	const cause = await collectBrief(order, briefId, null, run);
	if (cause !== null) await parkOrder({ order, briefId, isUnsent: false }, cause, run);
}
