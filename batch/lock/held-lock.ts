import { Failure } from '../failure';
import { ownLock, withRight, type Claimant, type Claimed } from './claim';
import { isSameLock, readLock, writeBeat, type LockContent } from './content';
import { lost } from './failures';
import { trustedFor } from './pace';

/** The lock of a run at work: its heart beats, and it tells whether the lock is still its own. */
export class HeldLock {
	/** No later than when others may have seen the last beat. */
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
	 * Holds where the run may write and order now: the lock is its own, and its heart has not stood still for so long that
	 * another may be taking it over.
	 * @throws {Failure} where it has lost the lock
	 */
	async check(): Promise<void> {
		await this.expectOwn();
		// Last, since this process may have been stopped while the file was read.
		while (this.isLate()) await this.renew();
	}

	/** Gives the lock back, where it is still its own. */
	async release(): Promise<void> {
		try {
			await this.check();
			await this.claimant.disk.remove(this.path);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
		} finally {
			await this.stop();
		}
	}

	/** Lets its heart stand still, and leaves the lock to whoever takes it over. */
	async stop(): Promise<void> {
		this.end.abort();
		await this.claimed.file.close();
	}

	private isLate(): boolean {
		return this.claimant.clock.now() - this.lastBeat > trustedFor(this.claimant.pace);
	}

	private async beatOn(): Promise<void> {
		const { clock, pace } = this.claimant;
		const { signal } = this.end;
		while (!signal.aborted) {
			await clock
				.sleep(pace.beat, signal)
				.then(() => this.beat())
				.catch((error: unknown) => {
					// A beat that could not be written is late, and then it is for the next check to find out why.
					if (error instanceof Failure) this.end.abort();
				});
		}
	}

	private async beat(): Promise<void> {
		if (this.isLate()) return await this.renew();
		await this.write(this.claimant.clock.now());
	}

	/** @param at when it was still certain that nobody else could take the lock over */
	private async write(at: number): Promise<void> {
		await writeBeat(this.claimed.file);
		this.lastBeat = Math.max(this.lastBeat, at);
	}

	/**
	 * Goes on after the heart has stood still, as on a computer that slept. Somebody may be taking the lock over just now,
	 * so that this needs the same right as a take-over.
	 */
	private renew(): Promise<void> {
		this.renewal ??= this.renewWithRight().finally(() => (this.renewal = null));
		return this.renewal;
	}

	private async renewWithRight(): Promise<void> {
		const { claimant, path } = this;
		await this.expectOwn();
		const renewed = withRight(claimant, path, ownLock(claimant.own), async () => {
			// This process may be stopped here as well, and lose both the right and the lock.
			const at = claimant.clock.now();
			await this.expectOwn();
			await this.write(at);
		});
		await renewed.catch(async (error: unknown) => {
			if (!(error instanceof Failure)) throw error;
			await this.expectOwn();
			throw lost(claimant.folder, null);
		});
	}

	private async expectOwn(): Promise<void> {
		const found = await this.read();
		if (!isSameLock(found, ownLock(this.claimant.own))) throw lost(this.claimant.folder, found);
	}

	private read(): Promise<LockContent> {
		return readLock(this.claimant.disk, this.path);
	}
}
