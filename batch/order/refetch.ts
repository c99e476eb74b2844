import { ServiceError } from '../../service/api/errors';
import { fetchKnown } from '../../service/watch/whole-brief';
import type { BriefRecord } from '../folder/journal/brief-record';
import { namesOfWritten, writeBrief } from '../folder/brief-files';
import { fetchingOf } from './brief';
import type { OrderContext } from './order-context';

/** A finished brief, which has or had its two files under results/. */
export type FiledBrief = BriefRecord & { brief_id: string; file: string };

/**
 * Finds finished briefs whose files somebody has removed, and says so. The folder is read once and no file is opened: a
 * batch may have tens of thousands.
 */
export async function lostFiles({
	journal,
	disk,
	outDir,
	emit,
}: OrderContext): Promise<FiledBrief[]> {
	const filedBriefs = journal.records.all().filter(isFiled);
	if (filedBriefs.length === 0) return [];
	const fileNames = await namesOfWritten(disk, outDir);
	const removedBriefs = filedBriefs.filter(({ file }) => !fileNames.has(file));
	if (removedBriefs.length > 0)
		emit({ event: 'remark', is: 'files_removed', briefs: removedBriefs.length });
	return removedBriefs;
}

function isFiled(record: BriefRecord): record is FiledBrief {
	return record.stage === 'done' && record.brief_id !== null && record.file !== null;
}

/** Fetches one of them, and writes its files under the names that they had. Never throws. */
export async function refetch(brief: FiledBrief, run: OrderContext): Promise<void> {
	const { brief_id: id, key, product_name, file } = brief;
	const { ordering, emit, disk, outDir } = run;
	const { waitSignal } = ordering;
	try {
		waitSignal.throwIfAborted();
		const wholeBrief = await fetchKnown(id, fetchingOf(brief, run), 1);
		if (wholeBrief !== null && wholeBrief.markdown !== null) {
			await writeBrief(disk, outDir, file, wholeBrief);
			return;
		}
		emit({ event: 'remark', is: 'brief_gone', key, product_name, brief_id: id });
	} catch (error) {
		if (waitSignal.aborted) return;
		if (error instanceof ServiceError) ordering.keepFailure(error);
		else ordering.fail(error, true);
	}
}
