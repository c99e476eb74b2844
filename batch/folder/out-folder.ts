import { join } from 'node:path';
import type { Clock } from '../../service/api/ports';
import { Stop } from '../stop';
import { realDisk, type Disk } from './disk';
import type { Events } from './events';
import { Journal, renewJournalFile } from './journal/journal';
import { readJournalFile } from './journal/read';
import type { Records } from './records';
import { lockFolder, type Lock } from './lock/lock';
import { RESULTS_FOLDER } from './brief-files';
import { removeLeftovers } from './put-in-place';

export function journalPath(outDir: string): string {
	return join(outDir, 'journal.jsonl');
}

/** Reads what the journal under a folder says, without changing it. Empty without a journal. */
export async function readJournal(outDir: string): Promise<Records> {
	return (await readJournalFile(realDisk, journalPath(outDir))).records;
}

/** Reads the journal for a command that has nothing to do without one. */
export async function readExistingJournal(outDir: string): Promise<Records> {
	const records = await readJournal(outDir);
	if (records.batch !== null) return records;
	throw new Stop(
		`No run is on record in ${outDir}.`,
		'Is it another client’s folder? Name it with --out or --env-file.',
		'no_journal',
	);
}

/** A folder of results, and how to say for whom it waits. */
interface Folder {
	outDir: string;
	clock: Clock;
	say: (text: string) => void;
	signal?: AbortSignal;
}

/** Takes the lock of a folder, that of a dead run too. */
export function lockOf({ outDir, clock, say, signal }: Folder): Promise<Lock> {
	const onTakeOver = (disk: Disk) => renewJournalFile(disk, journalPath(outDir));
	return lockFolder(realDisk, outDir, clock, { say, signal, onTakeOver });
}

/** Removes leftovers. Somebody else may have laid a link there, and the files of a run that was killed may lie around. */
async function tidy(disk: Disk, outDir: string): Promise<void> {
	const results = join(outDir, RESULTS_FOLDER);
	if (await disk.isLink(results))
		throw new Stop(
			`${results} is a link, so the briefs would be written to where it leads. Nothing was ordered.`,
			'Remove the link, or name another folder with --out.',
			'results_are_link',
		);
	for (const folder of [outDir, results]) await removeLeftovers(disk, folder);
}

/** A folder that this process holds, with its journal open for writing. */
interface TakenFolder {
	journal: Journal;
	lock: Lock;
}

/**
 * Takes a folder that no other run holds, and opens its journal for writing.
 * @param folder with who hears of what the journal takes
 * @throws {Stop} if another run holds it
 */
export async function takeFolder(folder: Folder & { tell: Events['tell'] }): Promise<TakenFolder> {
	const { outDir, clock, tell } = folder;
	const lock = await lockOf(folder);
	try {
		await tidy(lock.disk, outDir);
		const now = () => clock.now();
		const journal = await Journal.open(lock.disk, journalPath(outDir), now, tell);
		return { journal, lock };
	} catch (error) {
		await unlock(lock);
		throw error;
	}
}

export async function releaseFolder({ journal, lock }: TakenFolder): Promise<void> {
	await journal.close().finally(() => unlock(lock));
}

/** A lock that stays behind names a dead process, and the next run takes it over. */
async function unlock(lock: Lock): Promise<void> {
	await lock.release().catch(() => undefined);
}
