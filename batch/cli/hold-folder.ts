import { join } from 'node:path';
import type { Clock } from '../../service/ports';
import { removeLeftovers, type Disk } from '../disk';
import { Failure } from '../failure';
import { Journal, renewJournalFile } from '../journal/journal';
import { lockFolder, type Lock } from '../lock/lock';
import { RESULTS_FOLDER } from '../results/brief-files';
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
 * @throws {Failure} if another run holds it
 */
export async function holdFolder<T>(
	{ disk, outDir, clock, say, signal }: Folder,
	work: (lock: Lock) => Promise<T>,
): Promise<T> {
	const onTakeOver = (own: Disk) => renewJournalFile(own, journalPath(outDir));
	const lock = await lockFolder(disk, outDir, clock, { say, signal, onTakeOver });
	try {
		await tidy(lock.disk, outDir);
		return await work(lock);
	} finally {
		// A lock that stays behind names a dead process, and the next run takes it over.
		await lock.release().catch(() => undefined);
	}
}

/** Somebody else may have laid a link there, and the files of a run that was killed may lie around. */
async function tidy(disk: Disk, outDir: string): Promise<void> {
	const results = join(outDir, RESULTS_FOLDER);
	if (await disk.isLink(results)) {
		throw new Failure(
			`${results} is a link, so the briefs would be written to where it leads. Nothing was ordered.`,
			'Remove the link, or name another folder with --out.',
		);
	}
	for (const folder of [outDir, results]) await removeLeftovers(disk, folder);
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
