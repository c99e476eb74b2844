import type { OrderingEnd } from '../../service/order/decide';
import { EXIT } from '../exit-codes';
import type { Stop } from '../stop';
import { stopOf } from '../stop-of';

/** The ordering of a run: whether its rows may go on, and what is reported at its end. */
export class Ordering {
	/** The reason why no more rows are ordered. */
	end: OrderingEnd | 'failure' | 'interrupted' | null = null;
	/** What is reported at its end. */
	stop: Stop | null = null;
	/** All rows have gone as far as they can: now the orders in doubt are decided. */
	isLastCall = false;
	/** The number of orders that the service has taken. */
	acceptedOrders = 0;
	private lastGivenUpAfter = -1;
	private readonly stopOrdering = new AbortController();
	private readonly stopWaiting = new AbortController();

	/** @param now by the service's clock */
	constructor(private readonly now: () => number) {}

	/** Aborted when nothing more is to be ordered. */
	get orderSignal(): AbortSignal {
		return this.stopOrdering.signal;
	}

	/** Aborted when nothing more is to be waited for either. */
	get waitSignal(): AbortSignal {
		return this.stopWaiting.signal;
	}

	/** Lets no new row be ordered; those on their way go on. */
	close(end: OrderingEnd | 'failure'): void {
		this.end ??= end;
	}

	/** Ends everything at once. Briefs that are being written go on, and are fetched by the next run. */
	interrupt(): void {
		this.end = 'interrupted';
		this.stopOrdering.abort();
		this.stopWaiting.abort();
	}

	/**
	 * Ends the run: it orders nothing more and, if waiting would fail alike, waits for nothing more.
	 * @param error what was thrown
	 */
	fail(error: unknown, isWaitingPointless = false): void {
		this.keepFailure(error);
		this.close('failure');
		this.stopOrdering.abort();
		if (isWaitingPointless) this.stopWaiting.abort();
	}

	/** Keeps what was thrown, to be reported at the end: the first, unless key or licence are refused later. */
	keepFailure(error: unknown): void {
		const stop = stopOf(error, this.now());
		const isRefused = ({ exitCode }: Stop) => exitCode === EXIT.refused;
		if (this.stop === null || (isRefused(stop) && !isRefused(this.stop))) this.stop = stop;
	}

	accept(): void {
		this.acceptedOrders += 1;
	}

	/**
	 * An order stayed without a usable answer.
	 * @param wasInDoubt an earlier run had no answer for it either: the service may keep that failure for its key
	 * @returns whether the service, and not this key, is at fault: two different orders in a row got no answer
	 */
	giveUp(wasInDoubt: boolean): boolean {
		const inARow = this.lastGivenUpAfter === this.acceptedOrders;
		this.lastGivenUpAfter = this.acceptedOrders;
		return inARow && !wasInDoubt;
	}
}
