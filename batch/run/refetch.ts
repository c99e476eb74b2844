import { ServiceError } from '../../service/errors';
import { fetchKnown } from '../../service/whole-brief';
import type { BriefRecord } from '../journal/records';
import { namesOfWritten, writeBrief } from '../results/brief-files';
import { count } from '../text';
import { fetchingOf } from './collect';
import type { Dependencies } from './dependencies';
import { diskFailure } from './disk-failure';
import { serviceFailure } from './service-failure';

/** A finished brief whose two files are not both under results/ any more. */
type Removed = BriefRecord & { brief_id: string; file: string };

/**
 * Finds finished briefs whose files somebody has removed, and says so. The folder is read once, and no file is looked
 * at: a batch may have tens of thousands.
 */
export async function findRemoved({
	journal,
	disk,
	outDir,
	emit,
}: Dependencies): Promise<Removed[]> {
	const finished = journal.records.all().filter(isFiled);
	if (finished.length === 0) return [];
	const written = await namesOfWritten(disk, outDir);
	const removed = finished.filter(({ file }) => !written.has(file));
	if (removed.length > 0) {
		const text = `Files of ${count(removed.length, 'finished brief')} are gone from results/: fetched again, which costs nothing.`;
		emit({ event: 'notice', text });
	}
	return removed;
}

function isFiled(record: BriefRecord): record is Removed {
	return record.state === 'done' && record.brief_id !== null && record.file !== null;
}

/** Fetches one of them, and writes its files under the names that they had. Never throws. */
export async function refetch(removed: Removed, run: Dependencies): Promise<void> {
	const { brief_id: id, file, key, row_number } = removed;
	const { disk, outDir, journal, ordering, waiting, service, emit } = run;
	try {
		waiting.throwIfAborted();
		const brief = await fetchKnown(id, fetchingOf(removed, run), 1);
		if (brief === null || brief.markdown === null) {
			const text = `Row ${row_number}: the files of its brief are gone, and the service has no brief ${id} with a text any more.`;
			return emit({ event: 'notice', text });
		}
		const { sha256 } = await writeBrief(disk, outDir, file, brief);
		await journal.append({ type: 'written', key, file, sha256 });
	} catch (error) {
		if (waiting.aborted) return;
		if (error instanceof ServiceError) ordering.keepFailure(serviceFailure(error, service.now()));
		else ordering.fail(diskFailure(error), true);
	}
}
