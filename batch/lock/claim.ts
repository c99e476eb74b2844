import type { Clock } from '../../service/ports';
import type { Disk, DiskFile } from '../disk';
import {
	createLockFile,
	isSameLock,
	isStill,
	readLock,
	type Holder,
	type LockContent,
	type LockFound,
} from './content';
import { inUse, nameOf } from './failures';
import type { Machine } from './machine';
import { trustedFor, watchOf, type Pace } from './pace';

/** A run that wants the lock of a folder, and what it needs for that. */
export interface Claimant {
	disk: Disk;
	folder: string;
	clock: Clock;
	machine: Machine;
	pace: Pace;
	own: Holder & { beat: number };
	/** Tells a person what is waited for. */
	say(text: string): void;
	/** Whether to take over a lock that no heart and no process tells about: one of an earlier version. */
	mayTakeSilent(holder: Holder): Promise<boolean>;
	signal?: AbortSignal;
}

export interface Claimed {
	file: DiskFile;
	/** When its file was begun to be written: from then on others may have watched it. */
	at: number;
	isTakenOver: boolean;
}

/** @throws {Failure} where a living run has it */
export async function claim(claimant: Claimant, path: string): Promise<Claimed> {
	const { disk, folder, clock, own } = claimant;
	for (;;) {
		const at = clock.now();
		const file = await createLockFile(disk, path, own);
		const found = await readLock(disk, path);
		if (file !== null) {
			if (isSameLock(found, ownLock(own))) return { file, at, isTakenOver: false };
			// It was suspended between making the file and writing it, and was taken for dead.
			await file.close();
			throw inUse(folder, found, 'haste');
		}
		if (found.is === 'absent' || !(await isDead(claimant, path, found))) continue;
		const taken = await takeOver(claimant, path, found);
		if (taken !== null) return taken;
	}
}

/**
 * Judges the holder of a lock: by its process where that is known here, and else by whether its heart beats while one
 * watches. Time is counted in looks, so that a computer which slept meanwhile gives the holder its time all the same.
 * @returns false where the lock is gone or another's by now
 * @throws {Failure} where the holder is alive
 */
async function isDead(claimant: Claimant, path: string, found: LockFound): Promise<boolean> {
	const { disk, folder, clock, machine, signal } = claimant;
	const holder = found.is === 'held' ? found.by : undefined;
	if (holder !== undefined) {
		const fate = machine.fateOf(holder);
		if (fate === 'dead') return true;
		if (fate === 'alive') throw inUse(folder, found, 'process');
		if (holder.beat === undefined) {
			if (await claimant.mayTakeSilent(holder)) return true;
			throw inUse(folder, found, 'none');
		}
	}
	const { every, looks } = watchOf(holder?.beat);
	if (holder !== undefined) {
		const seconds = Math.ceil((every * looks) / 1000);
		claimant.say(
			`The folder ${folder} has a lock of ${nameOf(holder)}. Looking for up to ${seconds} seconds whether that run is alive …`,
		);
	}
	for (let look = 0; look < looks; look += 1) {
		await clock.sleep(every, signal);
		const now = await readLock(disk, path);
		if (!isSameLock(now, found)) return false;
		if (!isStill(now, found)) throw inUse(folder, now, 'heart');
	}
	return true;
}

/** Replaces a dead lock by this process's own. Null where it is not dead, or not there any more. */
async function takeOver(
	claimant: Claimant,
	path: string,
	dead: LockFound,
): Promise<Claimed | null> {
	const { disk, clock, own } = claimant;
	return await withRight(claimant, path, dead, async (isInTime) => {
		if (!isStill(await readLock(disk, path), dead)) return null;
		const at = clock.now();
		const beside = `${path}.${own.nonce}`;
		const file = await createLockFile(disk, beside, own);
		if (file === null) throw new Error(`${beside} is there already`);
		try {
			if (isInTime()) {
				await disk.rename(beside, path);
				return { file, at, isTakenOver: true };
			}
		} catch (error) {
			await file.close();
			throw error;
		}
		await file.close();
		await disk.remove(beside);
		return null;
	});
}

/**
 * Does what needs the right to decide about a lock. That right is a lock too, named after the one that it is about; it
 * counts only while that one is still there, so that no two runs take it over. Its holder may die as well.
 * @param work is told whether the right can still be trusted
 * @throws {Failure} where another run has the right
 */
export async function withRight<T>(
	claimant: Claimant,
	path: string,
	about: LockFound,
	work: (isInTime: () => boolean) => Promise<T>,
): Promise<T> {
	const { disk, clock, own, pace } = claimant;
	const right = `${path}.after-${about.is === 'held' ? about.by.nonce : about.is}`;
	const { file, at } = await claim(claimant, right);
	await file.close();
	try {
		return await work(() => clock.now() - at <= trustedFor(pace));
	} finally {
		if (isSameLock(await readLock(disk, right), ownLock(own))) await disk.remove(right);
	}
}

export function ownLock(own: Holder): LockContent & { is: 'held' } {
	return { is: 'held', by: own, length: 0 };
}
