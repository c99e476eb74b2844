import { join } from 'node:path';
import type { Disk } from '../disk';
import { Failure } from '../failure';
import { readHead, readJournalFile } from '../journal/read';
import type { Records } from '../journal/records';
import { diskFailure } from '../run/disk-failure';

export function journalPath(outDir: string): string {
	return join(outDir, 'journal.jsonl');
}

/** What the journal under a folder says, without changing it. Empty without a journal. */
export async function readJournal(disk: Disk, outDir: string): Promise<Records> {
	return (await readJournalFile(disk, journalPath(outDir)).catch(throwFailure)).records;
}

/** Its batch and its service; null without a journal. */
export function headIn(disk: Disk, outDir: string): Promise<JournalHead> {
	return readHead(disk, journalPath(outDir)).catch(throwFailure);
}

export type JournalHead = Pick<Records, 'batch' | 'baseUrl'>;

/** The same, for a command that has nothing to do without a journal; `cure` is for a folder without one. */
export async function readExistingJournal(
	disk: Disk,
	outDir: string,
	cure = 'Name the folder of a run with --out.',
): Promise<Records> {
	const records = await readJournal(disk, outDir);
	if (records.batch === null) throw new Failure(`There is no journal in ${outDir}.`, cure);
	return records;
}

function throwFailure(error: unknown): never {
	throw diskFailure(error);
}
