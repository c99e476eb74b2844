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

/** What a lock file holds. It is unreadable while it is being written, and stays so if its writer died then. */
type LockContent = Holder | 'unreadable' | 'absent';

export interface Lock {
	release(): Promise<void>;
}

/** What a lock needs to know of the computer that it is on. */
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
			// A process of another user gives EPERM, but it is alive.
			return (error as NodeJS.ErrnoException).code !== 'ESRCH';
		}
	},
};

/** A lock file gets its text within moments. One that is unreadable for this long will stay so. */
const WRITING_MS = 2000;

/**
 * Makes sure that one run at a time works on a folder. A lock whose holder is dead is taken over. The right to do so is
 * a lock too, named after the dead one, and it counts only while the dead one is still there: two runs cannot both
 * take it over.
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
			// A run that was suspended between creating the file and writing it may have been taken for dead.
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

/**
 * Replaces a dead lock by this process's own. The right to do so is itself a lock, whose holder may be dead as well.
 */
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
		// On a full disk it would stay there without a holder, and delay the next run.
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
	// The nonce becomes part of a file name.
	return Number.isInteger(pid) && Number(pid) > 0 && areTexts && /^[\w-]+$/.test(String(nonce));
}

function isSame(found: LockContent, other: LockContent): boolean {
	if (typeof found === 'string' || typeof other === 'string') return found === other;
	return found.nonce === other.nonce;
}

/** Only known for processes of this computer. Our own process id in an old lock is from before a restart. */
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
