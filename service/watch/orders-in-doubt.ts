import { LIST_LAG_MS } from '../assumptions';

/**
 * The orders in doubt of one process, each of which may have a brief that holds a slot, until the list shows that brief
 * or surely would. Times are of the service's clock.
 */
export class OrdersInDoubt {
	/** When each was left so, oldest first. */
	private since: number[] = [];
	/** Those that hold a slot until the next look only. */
	private untilLook = 0;

	get count(): number {
		return this.since.length + this.untilLook;
	}

	/** Takes in one that was last sent at `since`. */
	add(since: number, now: number): void {
		this.since = this.since.concat(since).filter((one) => now - one <= LIST_LAG_MS);
		this.since.sort((a, b) => a - b);
	}

	/** Takes in one that was answered, so that the next look shows whether a brief came of it. */
	addUntilLook(): void {
		this.untilLook += 1;
	}

	/** Takes in a look, and how many briefs it showed that may be those of orders in doubt. */
	observe(appeared: number, now: number): void {
		this.untilLook = 0;
		this.since = this.since
			.slice(Math.max(0, appeared))
			// A clock that was set back does not make that longer.
			.map((since) => Math.min(since, now))
			.filter((since) => now - since <= LIST_LAG_MS);
	}

	/** Until when each holds a slot at the longest. */
	until(): number[] {
		return this.since.map((since) => since + LIST_LAG_MS);
	}
}
