import type { Clock } from '../api/ports';
import type { BriefSummary } from '../api/resources';
import { sleepUntil } from '../api/sleep';

export class WaitTimeout extends Error {
	/**
	 * @param brief as last seen; undefined if the wait was for a slot
	 * @param unseenFor how long the service could not be looked at before the end, in milliseconds; 0 if it could
	 */
	constructor(
		readonly brief: BriefSummary | undefined,
		readonly unseenFor: number,
	) {
		super('The waiting time is over');
		this.name = 'WaitTimeout';
	}
}

export interface WaitOptions {
	signal?: AbortSignal;
	/** The time of this machine's clock at which the wait is given up, in milliseconds. */
	deadline?: number;
}

/** Ends a wait. Only the first end counts. */
export interface Waiter<T> {
	readonly resolve: (value: T) => void;
	readonly reject: (reason: Error) => void;
}

interface WaitEvents {
	/** Called once, however the wait ends, before its promise settles. */
	onEnd: () => void;
	timeout: () => Error;
}

/**
 * Begins a wait. It ends with a value, an error, its signal's reason, or at its deadline.
 * @param join puts the wait into its queue, before anything can end it
 */
export function beginWait<T>(
	clock: Clock,
	{ signal, deadline = Infinity }: WaitOptions,
	join: (waiter: Waiter<T>) => WaitEvents,
): Promise<T> {
	return new Promise<T>((fulfil, refuse) => {
		if (signal?.aborted) return refuse(signal.reason as Error);
		const ending = new AbortController();
		const end = (settle: () => void) => {
			if (ending.signal.aborted) return;
			ending.abort();
			onEnd();
			settle();
		};
		const resolve = (value: T) => end(() => fulfil(value));
		const reject = (reason: Error) => end(() => refuse(reason));
		const { onEnd, timeout } = join({ resolve, reject });
		if (signal !== undefined) {
			// Node warns of a leak above ten listeners at a signal, and hundreds may wait under one. So each has its own.
			const ownSignal = AbortSignal.any([signal]);
			ownSignal.addEventListener('abort', () => reject(ownSignal.reason as Error), {
				signal: ending.signal,
			});
		}
		if (deadline === Infinity) return;
		// The deadline needs its own timer: a request may take long, because of a rate limit or an answer that never
		// comes.
		const atDeadline = () => reject(timeout());
		void sleepUntil(clock, deadline, ending.signal).then(atDeadline, () => {});
	});
}
