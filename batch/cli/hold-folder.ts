import type { Clock } from '../../service/ports';
import type { Disk } from '../disk';
import { Journal, renewJournalFile } from '../journal/journal';
import { lockFolder, type Lock } from '../lock/lock';
import { journalPath } from './journal-file';

/** A folder of results, and how to say for whom it waits. */
interface Folder {
	disk: Disk;
	outDir: string;
	clock: Clock;
	say: (text: string) => void;
	signal?: AbortSignal;
}

/**
 * Works on a folder as the only one.
 * @throws {Failure} where another run holds it
 */
export async function holdFolder<T>(
	{ disk, outDir, clock, say, signal }: Folder,
	work: (lock: Lock) => Promise<T>,
): Promise<T> {
	const onTakeOver = (own: Disk) => renewJournalFile(own, journalPath(outDir));
	const lock = await lockFolder(disk, outDir, clock, { say, signal, onTakeOver });
	try {
		return await work(lock);
	} finally {
		// A lock that stays behind names a dead process, and the next run takes it over.
		await lock.release().catch(() => undefined);
	}
}

/** The same, with its journal open for writing. */
export function holdJournal<T>(
	folder: Folder,
	work: (journal: Journal, lock: Lock) => Promise<T>,
): Promise<T> {
	return holdFolder(folder, async (lock) => {
		const { outDir, clock } = folder;
		const journal = await Journal.open(lock.disk, journalPath(outDir), () => clock.now());
		return work(journal, lock).finally(() => journal.close());
	});
}
