import type { Clock } from '../../core/api/ports';

interface Sleeper {
	readonly until: number;
	wake(): void;
	fail(reason: Error): void;
}

/** So many wake-ups or calls of now() without time passing are a loop that waits for nothing. */
const MAX_CALLS_WITHOUT_TIME = 100_000;
/** So many wake-ups of one clock are a wait that never ends, unless a test is known to need more. */
const MAX_WAKES = 500_000;
/** Timers of Node.js take no longer time. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/**
 * A clock that stands still while the program works, and jumps to the next alarm when everything sleeps. A month passes in
 * moments, and always in the same way. Alarms of the same instant ring in the sequence in which they were set.
 */
export class VirtualClock implements Clock {
	protected readonly sleepers: Sleeper[] = [];
	private isLeapDue = false;
	private leapAtEndOfTurn: NodeJS.Immediate | undefined;
	private wakesWithoutTime = 0;
	private wakes = 0;
	private callsOfNow = 0;

	constructor(
		protected time = Date.UTC(2026, 10, 10, 12),
		private readonly maxWakes = MAX_WAKES,
	) {}

	now(): number {
		this.callsOfNow += 1;
		if (this.callsOfNow > MAX_CALLS_WITHOUT_TIME)
			throw new Error('Hot loop: the time is read, and does not pass');
		return this.time;
	}

	/** The number of sleepers: 0 if no timer is left. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** @param death of the process that sleeps; `AbortSignal.any` would take longer than all else here */
	sleep(ms: number, signal?: AbortSignal, death?: AbortSignal): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			signal?.throwIfAborted();
			// A real timer would end after a millisecond, and a caller that repeats the sleep would spin.
			if (!Number.isFinite(ms) || ms > MAX_SLEEP_MS)
				throw new RangeError(`No timer sleeps ${ms} ms`);
			const onAbort = ({ target }: Event) => {
				this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
				stopListening();
				reject((target as AbortSignal).reason as Error);
			};
			const stopListening = () => {
				signal?.removeEventListener('abort', onAbort);
				death?.removeEventListener('abort', onAbort);
			};
			const sleeper: Sleeper = {
				until: this.time + Math.max(0, ms),
				wake: () => {
					stopListening();
					resolve();
				},
				fail: reject,
			};
			signal?.addEventListener('abort', onAbort);
			death?.addEventListener('abort', onAbort);
			const next = this.sleepers.findIndex(({ until }) => until > sleeper.until);
			this.sleepers.splice(next < 0 ? this.sleepers.length : next, 0, sleeper);
			this.leapSoon();
		});
	}

	/** Lets time pass, for a test that waits for nothing else. */
	async pass(ms: number): Promise<void> {
		await this.sleep(ms);
	}

	/** Lets no more time pass. Sleepers that a failed test has left sleep on. */
	stop(): void {
		this.isLeapDue = true;
		clearImmediate(this.leapAtEndOfTurn);
	}

	/** When a turn of the event loop ends, every promise that can continue has continued. */
	protected leapSoon(): void {
		if (this.isLeapDue) return;
		this.isLeapDue = true;
		this.leapWhenIdle();
	}

	private leapWhenIdle(): void {
		this.leapAtEndOfTurn = setImmediate(() => {
			if (this.isBusy()) return this.leapWhenIdle();
			this.isLeapDue = false;
			this.leap();
		});
	}

	/** For a clock of work that is no promise, such as requests. */
	protected isBusy(): boolean {
		return false;
	}

	protected leap(): void {
		const next = this.sleepers.shift();
		if (next === undefined) return;
		this.wakesWithoutTime = next.until > this.time ? 0 : this.wakesWithoutTime + 1;
		this.time = Math.max(this.time, next.until);
		this.wakes += 1;
		this.callsOfNow = 0;
		if (this.wakesWithoutTime > MAX_CALLS_WITHOUT_TIME)
			next.fail(new Error('Hot loop: no time passes between wake-ups'));
		else if (this.wakes > this.maxWakes) next.fail(new Error('Endless: the same wait repeats'));
		else next.wake();
		if (this.sleepers.length > 0) this.leapSoon();
	}
}
