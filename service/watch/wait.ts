import { AbortHub } from '../abort-hub';
import type { Clock } from '../ports';
import type { BriefSummary } from '../resources';
import { sleepUntil } from '../sleep';

export class WaitTimeout extends Error {
	constructor(
		message: string,
		/** The brief as last seen; undefined if the wait was for a slot. */
		readonly brief?: BriefSummary,
		/** How long the service could not be looked at before the end, in milliseconds; 0 if it could. */
		readonly unseenFor = 0,
	) {
		super(message);
		this.name = 'WaitTimeout';
	}
}

export interface WaitOptions {
	signal?: AbortSignal;
	/** When to give up with a WaitTimeout, by this machine's clock. */
	deadline?: number;
}

/** Ends a wait. Only the first end counts. */
export interface Waiting<T> {
	readonly resolve: (value: T) => void;
	readonly reject: (reason: Error) => void;
}

interface WaitEvents {
	/** Called once, however the wait ends, before its promise settles. */
	onEnd: () => void;
	/** The error for the deadline. */
	timeout: () => Error;
}

/** Each wait ends with a value, an error, its signal's reason, or at its deadline. */
export class Waits {
	private readonly aborts = new AbortHub();

	constructor(private readonly clock: Clock) {}

	/**
	 * Begins a wait. The signal must not be aborted yet, because a past abort is not heard.
	 * @param join puts the wait into its queue, before anything can end it
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
			// The deadline needs its own timer: a request may take long, because of a rate limit or an answer that never
			// comes.
			const atDeadline = () => reject(timeout());
			void sleepUntil(this.clock, deadline, ended.signal).then(atDeadline, () => {});
		});
	}
}
