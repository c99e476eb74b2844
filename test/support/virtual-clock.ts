import type { Clock } from '../../core/api/ports';

interface Sleeper {
	readonly until: number;
	wake(): void;
	fail(reason: Error): void;
}

/** More wake-ups or calls of now() while no time passes mean a busy loop. */
const MAX_CALLS_WITHOUT_TIME = 100_000;
/** More wake-ups of one clock mean a wait that never ends, unless a test sets another limit. */
const MAX_WAKES = 500_000;
/** The longest delay of a timer in Node.js. */
const MAX_SLEEP_MS = 2 ** 31 - 1;

/**
 * A clock that stops while the program works, and jumps to the end of the next sleep when everything sleeps. A month passes
 * in milliseconds, and every run of a test is the same. Sleeps that end at the same time wake in the sequence of their start.
 *
 *     const clock = new VirtualClock();
 *     const waiting = pollEvery(HOUR, clock);
 *     await clock.pass(DAY);                    the program has polled 24 times
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
			throw new Error('Busy loop: the program reads the time, and no time passes');
		return this.time;
	}

	/** The number of sleeps that have not ended. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** @param death aborted when the process dies; `AbortSignal.any` would slow the clock down */
	sleep(ms: number, signal?: AbortSignal, death?: AbortSignal): Promise<void> {
		return new Promise<void>((resolve, reject) => {
			signal?.throwIfAborted();
			// A real timer would end after a millisecond, and a caller that repeats the sleep would spin.
			if (!Number.isFinite(ms) || ms > MAX_SLEEP_MS)
				throw new RangeError(`A timer cannot sleep for ${ms} ms`);
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

	/** Lets time pass. */
	async pass(ms: number): Promise<void> {
		await this.sleep(ms);
	}

	/** Stops the clock for good. Sleeps that a failed test has started never end. */
	stop(): void {
		this.isLeapDue = true;
		clearImmediate(this.leapAtEndOfTurn);
	}

	/** Leaps when the turn of the event loop ends: at that time, every promise that can continue has continued. */
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

	/** Whether work other than promises, such as a request, is in progress. */
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
			next.fail(new Error('Busy loop: no time passes between wake-ups'));
		else if (this.wakes > this.maxWakes)
			next.fail(new Error('Endless wait: the program has woken up too often'));
		else next.wake();
		if (this.sleepers.length > 0) this.leapSoon();
	}
}
