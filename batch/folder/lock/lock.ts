import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../service/api/ports';
import { Stop } from '../../stop';
import type { Disk } from '../disk';
import { Claimant, type Claim } from './claim';
import { fencedDisk, type Fence } from './fence';
import { nameOf, thisMachine, type Machine } from './holder';
import { isSameLock, lockPath, readLock, writeBeat, type LockContent } from './lock-file';

/*
 * One run at a time works on a folder. It creates a lock file there, in which its heart beats. A run that finds
 * another's lock judges whether the other is alive, and takes the lock over if it is dead. A run that stood still asks
 * before it continues, because its lock may have been taken over meanwhile.
 */

/** Milliseconds between two beats. */
const BEAT_MS = 5000;

/**
 * Makes sure that one run at a time works on a folder, and takes over a lock whose holder is dead.
 * @throws {Stop} if another run holds it, with its name
 */
export async function lockFolder(
	disk: Disk,
	folder: string,
	clock: Clock,
	options: {
		machine?: Machine;
		/** Milliseconds between two beats. */
		beat?: number;
		/** Says what the run waits for. */
		say?: (text: string) => void;
		signal?: AbortSignal | undefined;
		/** Called first in a folder that was another run's. If it fails, the next run does it. */
		onTakeOver?: (disk: Disk) => Promise<void>;
	} = {},
): Promise<Lock> {
	const { machine = thisMachine, beat = BEAT_MS, say = () => undefined, signal } = options;
	const since = new Date(clock.now()).toISOString();
	const holder = { ...machine.self, since, nonce: randomUUID(), beat };
	const claimant = new Claimant({ disk, folder, clock, machine, holder, say, signal });
	const path = lockPath(folder);
	const claim = await claimant.claim(path);
	const lock = new Lock(claimant, path, claim);
	try {
		if (claim.isTakenOver) await options.onTakeOver?.(lock.disk);
	} catch (error) {
		await lock.stop();
		throw error;
	}
	return lock;
}

/** The lock of a run at work: its heart beats, and it knows whether the lock is still its own. */
export class Lock implements Fence {
	/** A disk on which nothing changes once the lock is lost. */
	readonly disk: Disk;
	/** No later than the moment at which others may have seen the last beat. */
	private lastBeat: number;
	private renewal: Promise<void> | null = null;
	private readonly end = new AbortController();

	constructor(
		private readonly claimant: Claimant,
		private readonly path: string,
		private readonly claim: Claim,
	) {
		this.disk = fencedDisk(claimant.means.disk, this);
		this.lastBeat = claim.at;
		void this.beatOn();
	}

	/**
	 * Passes if the run may write and order now: the lock is its own, and its heart did not pause long enough for a
	 * take-over.
	 * @throws {Stop} if it has lost the lock
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
			if (!(error instanceof Stop)) throw error;
		} finally {
			await this.stop();
		}
	}

	/** Stops its heart, and leaves the lock to the next run. */
	async stop(): Promise<void> {
		this.end.abort();
		await this.claim.file.close();
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
				.sleep(this.claimant.means.holder.beat, signal)
				.then(() => (this.isLate() ? this.renew() : this.beat(this.clock.now())))
				.catch((error: unknown) => {
					// A beat that could not be written is late, and the next check finds out why.
					if (error instanceof Stop) this.end.abort();
				});
		}
	}

	/** @param at when certainly no other run could take the lock over */
	private async beat(at: number): Promise<void> {
		await writeBeat(this.claim.file);
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
		const renewal = claimant.withRight(this.path, claimant.content, async () => {
			// This process may be stopped here too, and lose both the right and the lock.
			const at = this.clock.now();
			await this.expectOwn();
			await this.beat(at);
		});
		await renewal.catch(async (error: unknown) => {
			if (!(error instanceof Stop)) throw error;
			await this.expectOwn();
			throw lockLost(claimant.means.folder, null);
		});
	}

	private async expectOwn(): Promise<void> {
		const { disk, folder } = this.claimant.means;
		const lock = await readLock(disk, this.path);
		if (!isSameLock(lock, this.claimant.content)) throw lockLost(folder, lock);
	}
}

/**
 * A run at work has lost its lock.
 * @param lock what is in its place; null if another run is just taking it over
 */
function lockLost(folder: string, lock: LockContent | null): Stop {
	if (lock?.is === 'absent')
		return new Stop(
			`The lock of the folder ${folder} is gone: another run has taken it over and ended since, or somebody removed the lock or the folder.`,
			'Nothing more was written or ordered here. If the folder was moved, bring it back. Then run the same command again.',
			'lock_gone',
		);
	const who = lock === null || lock.by === null ? '' : ` (${nameOf(lock.by)})`;
	return new Stop(
		`This run was paused too long, so another run${who} has taken over the folder ${folder}.`,
		'Nothing more was written or ordered here. What this run had ordered is on record, and the other run goes on with it.',
		'lock_taken',
	);
}
