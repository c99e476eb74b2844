import { ServiceError } from '../../service/api/errors';
import { fetchKnown } from '../../service/watch/whole-brief';
import type { BriefRecord } from '../folder/journal/brief-record';
import { namesOfWritten, writeBrief } from '../folder/brief-files';
import { quote } from '../../service/shortened-text';
import { count } from '../text';
import { fetchingOf } from './brief';
import type { OrderContext } from './order-context';

/** A finished brief, which has or had its two files under results/. */
export type Filed = BriefRecord & { brief_id: string; file: string };

/**
 * Finds finished briefs whose files somebody has removed, and says so. The folder is read once and no file is opened: a
 * batch may have tens of thousands.
 */
export async function findRemoved({ journal, disk, outDir, emit }: OrderContext): Promise<Filed[]> {
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

function isFiled(record: BriefRecord): record is Filed {
	return record.stage === 'done' && record.brief_id !== null && record.file !== null;
}

/** Fetches one of them, and writes its files under the names that they had. Never throws. */
export async function refetch(removed: Filed, run: OrderContext): Promise<void> {
	const { brief_id: id, key, product_name, file } = removed;
	const { ordering, emit, disk, outDir } = run;
	const { waiting } = ordering;
	try {
		waiting.throwIfAborted();
		const brief = await fetchKnown(id, fetchingOf(removed, run), 1);
		if (brief !== null && brief.markdown !== null) {
			await writeBrief(disk, outDir, file, brief);
			return;
		}
		const row = run.rows.of(key)?.number;
		const name = row === undefined ? quote(product_name) : `Row ${row}`;
		const text = `${name}: the files of its brief are gone, and the service has no brief ${id} with a text any more.`;
		emit({ event: 'notice', text });
	} catch (error) {
		if (waiting.aborted) return;
		if (error instanceof ServiceError) ordering.keepFailure(error);
		else ordering.fail(error, true);
	}
}
