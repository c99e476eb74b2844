import type { Clock } from '../../core/api/ports';

interface Sleeper {
	until: number;
	wake(): void;
	fail(reason: Error): void;
}

/** So many wake-ups or readings without time passing are a loop that waits for nothing. */
const HOT_LOOP = 100_000;
/** So many wake-ups of one clock are a wait that is repeated for ever, unless a test is known to need more. */
const ENDLESS = 500_000;

/**
 * A clock that stops while anybody works and leaps to the next alarm as soon as everybody sleeps, so that a
 * month passes in moments, and always in the same way. Alarms of one instant ring in the order in which they were set.
 */
export class VirtualClock implements Clock {
	protected readonly sleepers: Sleeper[] = [];
	private isLeapDue = false;
	private leapAtEndOfTurn: NodeJS.Immediate | undefined;
	private wakesWithoutTime = 0;
	private wakes = 0;
	private readings = 0;

	constructor(
		protected time = Date.UTC(2026, 10, 10, 12),
		private readonly mostWakes = ENDLESS,
	) {}

	now(): number {
		this.readings += 1;
		if (this.readings > HOT_LOOP) throw new Error('Hot loop: the time is read, and does not pass');
		return this.time;
	}

	/** How many sleep: 0 if nothing was left behind. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** @param death of the process that sleeps; `AbortSignal.any` would take longer than all else here */
	sleep(ms: number, signal?: AbortSignal, death?: AbortSignal): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			signal?.throwIfAborted();
			// A real timer would take these for one millisecond, and whoever repeats the sleep would spin.
			if (!Number.isFinite(ms) || ms > 2 ** 31 - 1)
				throw new RangeError(`No timer sleeps ${ms} ms`);
			const onAbort = ({ target }: Event) => {
				this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
				listenNoMore();
				reject((target as AbortSignal).reason as Error);
			};
			const listenNoMore = () => {
				signal?.removeEventListener('abort', onAbort);
				death?.removeEventListener('abort', onAbort);
			};
			const sleeper: Sleeper = {
				until: this.time + Math.max(0, ms),
				wake: () => {
					listenNoMore();
					resolve();
				},
				fail: reject,
			};
			signal?.addEventListener('abort', onAbort);
			death?.addEventListener('abort', onAbort);
			const later = this.sleepers.findIndex(({ until }) => until > sleeper.until);
			this.sleepers.splice(later < 0 ? this.sleepers.length : later, 0, sleeper);
			this.leapSoon();
		});
	}

	/** Lets this much time pass, for a test that waits for nothing else. */
	async pass(ms: number): Promise<void> {
		await this.sleep(ms);
	}

	/** Lets no more time pass: whoever still sleeps, because a test failed or left him behind, sleeps on. */
	stop(): void {
		this.isLeapDue = true;
		clearImmediate(this.leapAtEndOfTurn);
	}

	/** Changes the time without waking anybody early, as a computer does whose clock is set. */
	set(time: number): void {
		const ahead = time - this.time;
		for (const sleeper of this.sleepers) sleeper.until += ahead;
		this.time = time;
	}

	/** All promises that can go on have gone on when a turn of the event loop ends: then everybody sleeps. */
	protected leapSoon(): void {
		if (this.isLeapDue) return;
		this.isLeapDue = true;
		this.atEndOfTurn();
	}

	private atEndOfTurn(): void {
		this.leapAtEndOfTurn = setImmediate(() => {
			if (this.isAnybodyAtWork()) return this.atEndOfTurn();
			this.isLeapDue = false;
			this.leap();
		});
	}

	/** For clocks of which somebody works at what is no promise. */
	protected isAnybodyAtWork(): boolean {
		return false;
	}

	protected leap(): void {
		const next = this.sleepers.shift();
		if (next === undefined) return;
		this.wakesWithoutTime = next.until > this.time ? 0 : this.wakesWithoutTime + 1;
		this.time = Math.max(this.time, next.until);
		this.wakes += 1;
		this.readings = 0;
		if (this.wakesWithoutTime > HOT_LOOP) next.fail(new Error('Hot loop: nobody lets time pass'));
		else if (this.wakes > this.mostWakes)
			next.fail(new Error('Endless: the same wait again and again'));
		else next.wake();
		if (this.sleepers.length > 0) this.leapSoon();
	}
}
