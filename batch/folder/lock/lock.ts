import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../service/api/ports';
import type { Disk, DiskFile } from '../disk';
import { EXIT, Failure } from '../../failure';
import { fencedDisk, type Fence } from './fence';
import { machineOf, nameOf, thisSystem, type Machine } from './holder';
import {
	createLockFile,
	isSameLock,
	isStill,
	lockPath,
	readLock,
	writeBeat,
	type Holder,
	type LockContent,
	type LockFound,
} from './lock-file';

/*
 * One run at a time works on a folder. It creates a lock file there, in which its heart beats. A run that finds
 * another's lock judges whether the other is alive, and takes the lock over if it is dead. A run that stood still asks
 * before it continues, because its lock may have been taken over meanwhile.
 */

/** How often a heart beats. */
export interface Pace {
	/** Milliseconds between two beats. */
	beat: number;
}

export const PACE: Pace = { beat: 5000 };

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

export interface Lock extends Fence {
	/** A disk on which nothing changes once the lock is lost. */
	readonly disk: Disk;
	release(): Promise<void>;
}

export interface LockOptions {
	machine?: Machine;
	pace?: Pace;
	/** Says what the run waits for. */
	say?: (text: string) => void;
	signal?: AbortSignal | undefined;
	/** Called first in a folder that was another run's. If it fails, the next run does it. */
	onTakeOver?: (disk: Disk) => Promise<void>;
}

const thisMachine: Machine = machineOf(thisSystem);

/**
 * Makes sure that one run at a time works on a folder, and takes over a lock whose holder is dead.
 * @throws {Failure} if another run holds it, with its name
 */
export async function lockFolder(
	disk: Disk,
	folder: string,
	clock: Clock,
	options: LockOptions = {},
): Promise<Lock> {
	const { machine = thisMachine, pace = PACE, say = () => undefined, signal } = options;
	const since = new Date(clock.now()).toISOString();
	const own = { ...machine.self, since, nonce: randomUUID(), beat: pace.beat };
	const claimant = new Claimant({ disk, folder, clock, machine, own, say, signal });
	const path = lockPath(folder);
	const claimed = await claimant.claim(path);
	const held = new HeldLock(claimant, path, claimed);
	const fenced = fencedDisk(disk, held);
	try {
		if (claimed.isTakenOver) await options.onTakeOver?.(fenced);
	} catch (error) {
		await held.stop();
		throw error;
	}
	return { disk: fenced, check: () => held.check(), release: () => held.release() };
}

/** What a run that wants a lock has. */
interface Means {
	disk: Disk;
	folder: string;
	clock: Clock;
	machine: Machine;
	own: Holder;
	say: (text: string) => void;
	signal: AbortSignal | undefined;
}

interface Claimed {
	file: DiskFile;
	/** When writing its file began: from then on others may have watched it. */
	at: number;
	isTakenOver: boolean;
}

/** A run that wants the lock of a folder. */
class Claimant {
	readonly own: LockContent & { is: 'held' };

	constructor(readonly means: Means) {
		this.own = { is: 'held', by: means.own, length: 0 };
	}

	/** Gives how long this run trusts its own lock after a beat. */
	get trusted(): number {
		return TRUSTED_BEATS * this.means.own.beat;
	}

	/** @throws {Failure} if a living run has it */
	async claim(path: string): Promise<Claimed> {
		const { disk, folder, clock, own, signal } = this.means;
		for (;;) {
			const at = clock.now();
			const file = await createLockFile(disk, path, own);
			const found = await readLock(disk, path);
			if (file !== null) {
				if (isSameLock(found, this.own)) return { file, at, isTakenOver: false };
				// It was stopped between creating the file and writing it, and was taken for dead.
				await file.close();
				throw inUse(folder, found);
			}
			if (found.is === 'absent') {
				if (await disk.isLink(path)) throw noLock(path);
				// It was released between the two.
				await clock.sleep(RELEASED_MS, signal);
				continue;
			}
			if (!(await this.isDead(path, found))) continue;
			const taken = await this.takeOver(path, found);
			if (taken !== null) return taken;
		}
	}

	/**
	 * Judges the holder of a lock: by its process if that is known here, otherwise by watching its heart. Time is counted
	 * in looks, so that the holder gets its full time even if this computer slept.
	 * @returns false if the lock is gone or another's by now
	 * @throws {Failure} if the holder is alive
	 */
	private async isDead(path: string, found: LockFound): Promise<boolean> {
		const { disk, folder, clock, machine, say, signal } = this.means;
		if (found.is === 'unknown') throw notUnderstood(folder, path);
		let [every, looks] = [WRITING_MS, 1];
		if (found.is === 'held') {
			const fate = machine.fateOf(found.by);
			if (fate === 'dead') return true;
			if (fate === 'alive') throw inUse(folder, found, 'its process is at work');
			[every, looks] = [found.by.beat / LOOKS_A_BEAT, WATCHED_BEATS * LOOKS_A_BEAT];
			const seconds = Math.ceil((every * looks) / 1000);
			say(
				`The folder ${folder} has a lock of ${nameOf(found.by)}. Looking for up to ${seconds} seconds whether that run is alive …`,
			);
		}
		for (let look = 0; look < looks; look += 1) {
			await clock.sleep(every, signal);
			const now = await readLock(disk, path);
			if (!isSameLock(now, found)) return false;
			if (!isStill(now, found)) throw inUse(folder, now, 'its heart beats');
		}
		return true;
	}

	/** Replaces a dead lock by this process's own. Null if it is not dead, or no longer there. */
	private async takeOver(path: string, dead: LockFound): Promise<Claimed | null> {
		const { disk, clock, own } = this.means;
		return await this.withRight(path, dead, async (isInTime) => {
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
	 * Does something that needs the right to decide about a lock. This right is a lock too, named after the other one,
	 * and counts only while that one is still there, so that two runs cannot both take it over. Its holder may die as
	 * well.
	 * @param work gets a function that says whether the right can still be trusted
	 * @throws {Failure} if another run has the right
	 */
	async withRight<T>(
		path: string,
		about: LockFound,
		work: (isInTime: () => boolean) => Promise<T>,
	): Promise<T> {
		const { disk, clock } = this.means;
		const right = `${path}.after-${about.is === 'held' ? about.by.nonce : about.is}`;
		const { file, at } = await this.claim(right);
		await file.close();
		try {
			return await work(() => clock.now() - at <= this.trusted);
		} finally {
			if (isSameLock(await readLock(disk, right), this.own)) await disk.remove(right);
		}
	}
}

/** The lock of a run at work: its heart beats, and it knows whether the lock is still its own. */
class HeldLock implements Fence {
	/** No later than the moment at which others may have seen the last beat. */
	private lastBeat: number;
	private renewal: Promise<void> | null = null;
	private readonly end = new AbortController();

	constructor(
		private readonly claimant: Claimant,
		private readonly path: string,
		private readonly claimed: Claimed,
	) {
		this.lastBeat = claimed.at;
		void this.beatOn();
	}

	/**
	 * Passes if the run may write and order now: the lock is its own, and its heart did not pause long enough for a
	 * take-over.
	 * @throws {Failure} if it has lost the lock
	 */
	async check(): Promise<void> {
		await this.expectOwn();
		// Last, because this process may have been stopped while the file was read.
		while (this.isLate()) await this.renew();
	}

	/** Returns the lock, if it is still its own. */
	async release(): Promise<void> {
		try {
			await this.check();
			await this.claimant.means.disk.remove(this.path);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
		} finally {
			await this.stop();
		}
	}

	/** Stops its heart, and leaves the lock to the next run. */
	async stop(): Promise<void> {
		this.end.abort();
		await this.claimed.file.close();
	}

	private get clock(): Clock {
		return this.claimant.means.clock;
	}

	private isLate(): boolean {
		return this.clock.now() - this.lastBeat > this.claimant.trusted;
	}

	private async beatOn(): Promise<void> {
		const { signal } = this.end;
		while (!signal.aborted) {
			await this.clock
				.sleep(this.claimant.means.own.beat, signal)
				.then(() => (this.isLate() ? this.renew() : this.beat(this.clock.now())))
				.catch((error: unknown) => {
					// A beat that could not be written is late, and the next check finds out why.
					if (error instanceof Failure) this.end.abort();
				});
		}
	}

	/** @param at when certainly no other run could take the lock over */
	private async beat(at: number): Promise<void> {
		await writeBeat(this.claimed.file);
		this.lastBeat = Math.max(this.lastBeat, at);
	}

	/**
	 * Continues after the heart stood still, as on a computer that slept. Somebody may be taking the lock over right now,
	 * so this needs the same right as a take-over.
	 */
	private renew(): Promise<void> {
		this.renewal ??= this.renewWithRight().finally(() => (this.renewal = null));
		return this.renewal;
	}

	private async renewWithRight(): Promise<void> {
		const { claimant } = this;
		await this.expectOwn();
		const renewed = claimant.withRight(this.path, claimant.own, async () => {
			// This process may be stopped here too, and lose both the right and the lock.
			const at = this.clock.now();
			await this.expectOwn();
			await this.beat(at);
		});
		await renewed.catch(async (error: unknown) => {
			if (!(error instanceof Failure)) throw error;
			await this.expectOwn();
			throw lost(claimant.means.folder, null);
		});
	}

	private async expectOwn(): Promise<void> {
		const { disk, folder } = this.claimant.means;
		const found = await readLock(disk, this.path);
		if (!isSameLock(found, this.claimant.own)) throw lost(folder, found);
	}
}

/** @param sign how we know that the run is alive */
function inUse(
	folder: string,
	found: LockContent,
	sign?: 'its process is at work' | 'its heart beats',
): Failure {
	const who = found.is === 'held' ? nameOf(found.by) : 'another run';
	const alive = sign === undefined ? '' : `That run is alive: ${sign}. `;
	return new Failure(
		`The folder ${folder} is in use by ${who}.`,
		`${alive}Wait until it is done. Once it has ended or was killed, the same command takes the folder over by itself.`,
		EXIT.inUse,
	);
}

/** Its run may be alive, and nothing here shows it. */
function notUnderstood(folder: string, path: string): Failure {
	return new Failure(
		`The folder ${folder} has a lock in a form that this version of brief-batch does not know.`,
		`If no run works on the folder, remove the file ${path}. Otherwise wait until that run is done.`,
		EXIT.inUse,
	);
}

/** No lock of ours: none is created through a link. */
function noLock(path: string): Failure {
	return new Failure(
		`${path} is a link that leads nowhere, and no lock.`,
		'Remove it, or name another folder with --out.',
	);
}

/**
 * A run at work has lost its lock.
 * @param found what is in its place; null if another run is just taking it over
 */
function lost(folder: string, found: LockContent | null): Failure {
	if (found?.is === 'absent') {
		return new Failure(
			`The lock of the folder ${folder} is gone: another run has taken it over and ended since, or somebody removed the lock or the folder.`,
			'Nothing more was written or ordered here. If the folder was moved, bring it back. Then run the same command again.',
			EXIT.stoppedEarly,
		);
	}
	const who = found?.is === 'held' ? ` (${nameOf(found.by)})` : '';
	return new Failure(
		`This run was paused too long, so another run${who} has taken over the folder ${folder}.`,
		'Nothing more was written or ordered here. What this run had ordered is on record, and the other run goes on with it.',
		EXIT.inUse,
	);
}
