import { AbortHub } from '../abort-hub';
import type { Clock } from '../ports';
import type { BriefSummary } from '../resources';
import { sleepUntil } from '../sleep';

export class WaitTimeout extends Error {
	constructor(
		message: string,
		/** The brief as last seen; undefined where the wait was for a slot. */
		readonly brief?: BriefSummary,
		/** For how long the service could not be looked at before the end, in milliseconds; 0 where it could. */
		readonly unseenFor = 0,
	) {
		super(message);
		this.name = 'WaitTimeout';
	}
}

export interface WaitOptions {
	signal?: AbortSignal;
	/** Time of this machine's clock at which to give up with a WaitTimeout. */
	deadline?: number;
}

/** The end of a wait. What comes after the first end changes nothing. */
export interface Waiting<T> {
	readonly resolve: (value: T) => void;
	readonly reject: (reason: Error) => void;
}

interface WaitEvents {
	/** Called once, when the wait ends in whatever way, before its promise is settled. */
	onEnd: () => void;
	/** What the promise is rejected with at the deadline. */
	timeout: () => Error;
}

/** Begins waits. Each ends with a value, with an error, with its signal's reason or at its deadline. */
export class Waits {
	private readonly aborts = new AbortHub();

	constructor(private readonly clock: Clock) {}

	/**
	 * Begins to wait. The signal must not be aborted yet: an abort that is over is not heard.
	 * @param join puts the wait where it belongs, before anything can end it
	 */
	begin<T>(
		{ signal, deadline = Infinity }: WaitOptions,
		join: (waiting: Waiting<T>) => WaitEvents,
	): Promise<T> {
		return new Promise<T>((fulfil, refuse) => {
			const ended = new AbortController();
			const end = (settle: () => void) => {
				if (ended.signal.aborted) return;
				ended.abort();
				stopListening?.();
				onEnd();
				settle();
			};
			const resolve = (value: T) => end(() => fulfil(value));
			const reject = (reason: Error) => end(() => refuse(reason));
			const { onEnd, timeout } = join({ resolve, reject });
			const stopListening =
				signal && this.aborts.onAbort(signal, () => reject(signal.reason as Error));
			if (deadline === Infinity) return;
			// A timer of its own: a request may take long, held up by a rate limit or by an answer that never comes.
			const atDeadline = () => reject(timeout());
			void sleepUntil(this.clock, deadline, ended.signal).then(atDeadline, () => {});
		});
	}
}
