import type { Clock } from '../../../service/api/ports';
import { Stop } from '../../stop';
import type { Disk, DiskFile } from '../disk';
import { nameOf, type Machine } from './holder';
import {
	createLockFile,
	isSameLock,
	isStill,
	readLock,
	type Holder,
	type LockContent,
} from './lock-file';

/** Others take a lock over after watching it for this many beats without one. */
const WATCHED_BEATS = 4;

/**
 * A holder trusts its own lock only this long. The rest of the time that others watch covers what happens between its
 * last check and its action.
 */
const TRUSTED_BEATS = 2;

/** Looks in the time of one beat. */
const LOOKS_A_BEAT = 5;

/** A lock file gets its text within moments. If it is unreadable for this long, it stays so. */
const WRITING_MS = 2000;

/** Before the next try for a lock that was just released. */
const RELEASED_MS = 100;

/** A lock that is this run's own now. */
export interface Claim {
	file: DiskFile;
	/** The time at which writing its file began: from then on others may have watched it. */
	at: number;
	isTakenOver: boolean;
}

/** A run that wants the lock of a folder. */
export class Claimant {
	readonly content: LockContent & { is: 'held' };

	constructor(
		readonly means: {
			disk: Disk;
			folder: string;
			clock: Clock;
			machine: Machine;
			holder: Holder;
			say: (text: string) => void;
			signal: AbortSignal | undefined;
		},
	) {
		this.content = { is: 'held', by: means.holder, length: 0 };
	}

	/** Gives how long this run trusts its own lock after a beat. */
	get trusted(): number {
		return TRUSTED_BEATS * this.means.holder.beat;
	}

	/** @throws {Stop} if a living run has it */
	async claim(path: string): Promise<Claim> {
		const { disk, clock, holder, signal } = this.means;
		for (;;) {
			const at = clock.now();
			const file = await createLockFile(disk, path, holder);
			const lock = await readLock(disk, path);
			if (file !== null) {
				if (isSameLock(lock, this.content)) return { file, at, isTakenOver: false };
				// It was stopped between creating the file and writing it, and was taken for dead.
				await file.close();
				throw this.inUse(lock);
			}
			if (lock.is === 'absent') {
				if (await disk.isLink(path))
					throw new Stop(
						`${path} is a link that leads nowhere, and no lock.`,
						'Remove it, or name another folder with --out.',
						'lock_is_link',
					);
				// It was released between the two.
				await clock.sleep(RELEASED_MS, signal);
				continue;
			}
			if (!(await this.isDead(path, lock))) continue;
			const claim = await this.takeOver(path, lock);
			if (claim !== null) return claim;
		}
	}

	/**
	 * Judges the holder of a lock: by its process if that is known here, otherwise by watching its heart. Time is counted
	 * in looks, so that the holder gets its full time even if this computer slept.
	 * @returns false if the lock is gone or another's by now
	 * @throws {Stop} if the holder is alive
	 */
	private async isDead(path: string, lock: LockContent): Promise<boolean> {
		const { disk, folder, clock, machine, say, signal } = this.means;
		if (lock.is === 'unknown')
			throw new Stop(
				`The folder ${folder} has a lock in a form that this version of brief-batch does not know.`,
				`If no run works on the folder, remove the file ${path}. Otherwise wait until that run is done.`,
				'lock_unknown',
			);
		let [every, looks] = [WRITING_MS, 1];
		if (lock.is === 'held') {
			const fate = machine.fateOf(lock.by);
			if (fate === 'dead') return true;
			if (fate === 'alive') throw this.inUse(lock, 'process');
			[every, looks] = [lock.by.beat / LOOKS_A_BEAT, WATCHED_BEATS * LOOKS_A_BEAT];
			const seconds = Math.ceil((every * looks) / 1000);
			say(
				`The folder ${folder} has a lock of ${nameOf(lock.by)}. Looking for up to ${seconds} seconds whether that run is alive …`,
			);
		}
		for (let look = 0; look < looks; look += 1) {
			await clock.sleep(every, signal);
			const now = await readLock(disk, path);
			if (!isSameLock(now, lock)) return false;
			if (!isStill(now, lock)) throw this.inUse(now, 'heart');
		}
		return true;
	}

	/** Replaces a dead lock by this process's own. Null if it is not dead, or no longer there. */
	private async takeOver(path: string, dead: LockContent): Promise<Claim | null> {
		const { disk, clock, holder } = this.means;
		return await this.withRight(path, dead, async (isInTime) => {
			if (!isStill(await readLock(disk, path), dead)) return null;
			const at = clock.now();
			const beside = `${path}.${holder.nonce}`;
			const file = await createLockFile(disk, beside, holder);
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
	 * Does something that needs the right to decide about a lock. This right is a lock too, named after the other one,
	 * and counts only while that one is still there, so that two runs cannot both take it over. Its holder may die as
	 * well.
	 * @param work gets a function that says whether the right can still be trusted
	 * @throws {Stop} if another run has the right
	 */
	async withRight<T>(
		path: string,
		about: LockContent,
		work: (isInTime: () => boolean) => Promise<T>,
	): Promise<T> {
		const { disk, clock } = this.means;
		const right = `${path}.after-${about.is === 'held' ? about.by.nonce : about.is}`;
		const { file, at } = await this.claim(right);
		await file.close();
		try {
			return await work(() => clock.now() - at <= this.trusted);
		} finally {
			if (isSameLock(await readLock(disk, right), this.content)) await disk.remove(right);
		}
	}

	/** @param sign how we know that the run is alive */
	private inUse(lock: LockContent, sign?: keyof typeof SIGNS): Stop {
		const who = lock.by === null ? 'another run' : nameOf(lock.by);
		const alive = sign === undefined ? '' : `That run is alive: ${SIGNS[sign]}. `;
		return new Stop(
			`The folder ${this.means.folder} is in use by ${who}.`,
			`${alive}Wait until it is done. Once it has ended or was killed, the same command takes the folder over by itself.`,
			'in_use',
		);
	}
}

const SIGNS = { process: 'its process is at work', heart: 'its heart beats' } as const;
