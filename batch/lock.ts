import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../service/ports';
import { writeAll, type Disk } from './disk';
import { Failure } from './failure';

interface Holder {
	pid: number;
	host: string;
	since: string;
	nonce: string;
}

/** What stands in the place of a lock. Text that names no holder is being written, or was when its writer died. */
type LockContent = Holder | 'unreadable' | 'absent';

export interface Lock {
	release(): Promise<void>;
}

/** What a lock asks of the machine that it is on. */
export interface Machine {
	pid: number;
	host: string;
	isAlive(pid: number): boolean;
}

const thisMachine: Machine = {
	pid: process.pid,
	host: hostname(),
	isAlive(pid) {
		try {
			process.kill(pid, 0);
			return true;
		} catch (error) {
			// Of another user's process one may not ask, but it lives.
			return (error as NodeJS.ErrnoException).code !== 'ESRCH';
		}
	},
};

/** A lock file gets its text within moments after it was made; one that has none for so long will never have. */
const WRITING_MS = 2000;

/**
 * Makes sure that one run at a time works on a folder. A lock whose holder is dead is taken over: the one that makes
 * the file naming the dead lock may replace it, and only if that lock still stands, so two takers cannot both win.
 * @throws {Failure} where another run holds it, saying who
 */
export async function lockFolder(
	disk: Disk,
	folder: string,
	clock: Clock,
	machine: Machine = thisMachine,
): Promise<Lock> {
	const path = join(folder, '.lock');
	const { pid, host } = machine;
	const own: Holder = {
		...{ pid, host },
		since: new Date(clock.now()).toISOString(),
		nonce: randomUUID(),
	};
	await acquire({ disk, folder, clock, machine, own }, path);
	return {
		async release() {
			if (isSame(await readLock(disk, path), own)) await disk.remove(path);
		},
	};
}

interface Claimant {
	disk: Disk;
	folder: string;
	clock: Clock;
	machine: Machine;
	own: Holder;
}

async function acquire(claimant: Claimant, path: string): Promise<void> {
	const { disk, folder, clock, machine, own } = claimant;
	for (;;) {
		if (await createLockFile(disk, path, own)) {
			// Whoever was stopped between making the file and writing it may have been taken for dead.
			const found = await readLock(disk, path);
			if (isSame(found, own)) return;
			throw heldFailure(folder, path, found);
		}
		let found = await readLock(disk, path);
		if (found === 'unreadable') {
			await clock.sleep(WRITING_MS);
			found = await readLock(disk, path);
		}
		if (found === 'absent') continue;
		if (found !== 'unreadable' && !isDead(found, machine)) throw heldFailure(folder, path, found);
		if (await takeOver(claimant, path, found)) return;
	}
}

/** Puts our lock in the place of a dead one. The right to do so is a lock as well, whose holder may die in turn. */
async function takeOver(
	claimant: Claimant,
	path: string,
	dead: Holder | 'unreadable',
): Promise<boolean> {
	const { disk, own } = claimant;
	const claim = `${path}.after-${dead === 'unreadable' ? dead : dead.nonce}`;
	await acquire(claimant, claim);
	try {
		if (!isSame(await readLock(disk, path), dead)) return false;
		const beside = `${path}.${own.nonce}`;
		await createLockFile(disk, beside, own);
		await disk.rename(beside, path);
		return true;
	} finally {
		await disk.remove(claim);
	}
}

/** @returns false where the file is there already */
async function createLockFile(disk: Disk, path: string, holder: Holder): Promise<boolean> {
	const file = await disk.open(path, 'create').catch((error: unknown) => {
		if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
		throw error;
	});
	if (file === null) return false;
	try {
		try {
			await writeAll(file, Buffer.from(JSON.stringify(holder)));
			await file.sync();
		} finally {
			await file.close();
		}
	} catch (error) {
		// On a full disk it would stand there without a holder, and hold the next run up.
		await disk.remove(path).catch(() => undefined);
		throw error;
	}
	return true;
}

async function readLock(disk: Disk, path: string): Promise<LockContent> {
	const bytes = await disk.read(path);
	if (bytes === null) return 'absent';
	try {
		const holder: unknown = JSON.parse(Buffer.from(bytes).toString());
		return isHolder(holder) ? holder : 'unreadable';
	} catch {
		return 'unreadable';
	}
}

function isHolder(value: unknown): value is Holder {
	const { pid, host, since, nonce } = (value ?? {}) as Partial<Record<keyof Holder, unknown>>;
	const areTexts = [host, since, nonce].every((text) => typeof text === 'string');
	// The nonce becomes a part of a file's name.
	return Number.isInteger(pid) && Number(pid) > 0 && areTexts && /^[\w-]+$/.test(String(nonce));
}

function isSame(found: LockContent, other: LockContent): boolean {
	if (typeof found === 'string' || typeof other === 'string') return found === other;
	return found.nonce === other.nonce;
}

/** Only of a process on this machine can one tell. Our own number in an old lock is left from before a restart. */
function isDead({ pid, host }: Holder, machine: Machine): boolean {
	return host === machine.host && (pid === machine.pid || !machine.isAlive(pid));
}

function heldFailure(folder: string, path: string, found: LockContent): Failure {
	const who =
		typeof found === 'string'
			? 'another run'
			: `process ${found.pid} on ${found.host}, since ${found.since}`;
	return new Failure(
		`The folder ${folder} is in use by ${who}.`,
		`Wait until it is done, or use another --out. If it is surely dead, delete ${path} and run again.`,
	);
}
