import { realDisk } from '../../folder/disk';
import { whoIsAtWork } from '../../folder/lock/holder';
import { readExistingJournal } from '../../folder/out-folder';
import { exitCodeOf, batchOutcome } from '../../results/batch-outcome';
import type { BatchStatus } from '../../screen/status/batch-status';
import { lastList } from '../last-csv';

/**
 * Reads where the batch in a folder is: from the journal, without the service.
 * @throws {Stop} if there is no journal that can be read
 */
export async function readStatus(name: string, outDir: string): Promise<BatchStatus> {
	const records = await readExistingJournal(outDir);
	const atWork = await whoIsAtWork(realDisk, outDir);
	// A lock that nothing can be known about may be of a run that was killed, or of one that goes on.
	const isAtWork = atWork.is === 'alive' || (atWork.is === 'perhaps' && records.isUnderWay);
	const list = (await lastList(records))?.list ?? null;
	const outcome = batchOutcome(records, list);
	const { wait: longWait } = records;
	const isWaiting = isAtWork && longWait !== null && Date.parse(longWait.until) > Date.now();
	return {
		name,
		outDir,
		records,
		outcome,
		list,
		atWork,
		isAtWork,
		longWait: isWaiting ? longWait : null,
		exitCode: exitCodeOf(outcome, isAtWork),
	};
}
