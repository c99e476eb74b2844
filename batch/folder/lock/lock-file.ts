import { join } from 'node:path';
import { writeAll, type Disk, type DiskFile } from '../disk';

/** The facts that distinguish a process from every other one. */
export interface Identity {
	pid: number;
	host: string;
	/** The start of the computer; missing if the system does not say. */
	boot?: string;
	/** The namespaces of its process number and start time. */
	namespaces?: string;
	/** Its start time. No other process has the same number and start time. */
	started?: string;
}

/** The run that a lock file names. */
export interface Holder extends Identity {
	since: string;
	nonce: string;
	/** Milliseconds between two beats of its heart. */
	beat: number;
}

/** The content of a lock file. Each beat of its holder's heart makes it one byte longer. */
export type LockContent =
	| { is: 'held'; by: Holder; length: number }
	/**
	 * `unreadable`: it is being written, or its writer died meanwhile. `unknown`: another version wrote it, or something
	 * else.
	 */
	| { is: 'absent' | 'unreadable' | 'unknown'; by: null; length: number };

/** White space, so that the file stays JSON. */
const BEAT = Buffer.from('\n');

/** A lock with a longer beat would be watched forever. */
const LONGEST_BEAT_MS = 600_000;

export function lockPath(folder: string): string {
	return join(folder, '.lock');
}

/**
 * Creates a lock file that only its owner may read.
 * @returns the open file, through which alone its heart beats; null if the file exists already
 */
export async function createLockFile(
	disk: Disk,
	path: string,
	holder: Holder,
): Promise<DiskFile | null> {
	const file = await disk.open(path, 'create').catch((error: unknown) => {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
		throw error;
	});
	if (file === null) return null;
	try {
		await writeAll(file, Buffer.from(JSON.stringify(holder)));
		await file.sync();
		return file;
	} catch (error) {
		await file.close().catch(() => undefined);
		// On a full disk it would stay without a holder and delay the next run.
		await disk.remove(path).catch(() => undefined);
		throw error;
	}
}

export async function writeBeat(file: DiskFile): Promise<void> {
	await writeAll(file, BEAT);
	// Until then another computer that shares the folder may not see it.
	await file.sync();
}

export async function readLock(disk: Disk, path: string): Promise<LockContent> {
	const bytes = await disk.read(path);
	if (bytes === null) return { is: 'absent', by: null, length: 0 };
	const { length } = bytes;
	try {
		const by: unknown = JSON.parse(Buffer.from(bytes).toString());
		return isHolder(by) ? { is: 'held', by, length } : { is: 'unknown', by: null, length };
	} catch {
		return { is: 'unreadable', by: null, length };
	}
}

function isHolder(value: unknown): value is Holder {
	const fields = (value ?? {}) as Partial<Record<keyof Holder, unknown>>;
	const { pid, host, since, nonce, beat, boot, namespaces, started } = fields;
	const areTexts = [host, since, nonce].every((text) => typeof text === 'string');
	const mayBeTexts = [boot, namespaces, started].every(
		(text) => text === undefined || typeof text === 'string',
	);
	const isBeat = Number(beat) > 0 && Number(beat) <= LONGEST_BEAT_MS;
	const isProcess = Number.isInteger(pid) && Number(pid) > 0;
	// The nonce becomes part of a file name.
	return isProcess && areTexts && mayBeTexts && isBeat && /^[\w-]+$/.test(String(nonce));
}

/** Says whether the same run wrote both. */
export function isSameLock(one: LockContent, other: LockContent): boolean {
	if (one.is !== 'held' || other.is !== 'held') return one.is === other.is;
	return one.by.nonce === other.by.nonce;
}

/** Says whether it is the same lock, and no beat is in between. */
export function isStill(now: LockContent, before: LockContent): boolean {
	return isSameLock(now, before) && now.length === before.length;
}
