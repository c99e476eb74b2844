import { toOrder, type Summary } from '../rows/summarise';

/** The rows of a CSV by what a run would do with them. */
export interface RowCounts {
	rows: number;
	/** Never ordered, and without a listed brief that may be theirs. */
	fresh: number;
	/** Ordered before with other content. */
	changed: number;
	/** Their briefs are listed, and are taken over. */
	adopted: number;
	/** A listed brief may be theirs or not: parked. */
	unclear: number;
	/** Taken over or parked before, and ordered now because of --order-again. */
	again: number;
	under_way: number;
	done: number;
	failed: number;
	parked: number;
	invalid: number;
	duplicates: number;
	/** Those that a run would order, if nothing limits it. */
	ready_to_go: number;
}

/** Rows that --order-again orders anew, by what they were. */
export interface AgainCounts {
	done: number;
	parked: number;
}

/** How many rows have listed briefs, as `Foreseen` tells it one by one. */
export interface ListedCounts {
	adopted: number;
	unclear: number;
	/** How many of those two are changed rows. */
	changed: number;
	again: AgainCounts;
}

export const NOTHING_LISTED: ListedCounts = {
	adopted: 0,
	unclear: 0,
	changed: 0,
	again: { done: 0, parked: 0 },
};

export function countRows(
	summary: Summary,
	options: { orderChanged: boolean },
	{ adopted, unclear, changed, again }: ListedCounts = NOTHING_LISTED,
): RowCounts {
	const { rows, fresh, changes, begun, done, failed, parked, invalid, duplicates } = summary;
	const listed = adopted + unclear;
	return {
		rows,
		fresh: fresh - (listed - changed),
		changed: changes.size - changed,
		adopted,
		unclear,
		again: again.done + again.parked,
		under_way: begun.length,
		done: done - again.done,
		failed,
		parked: parked.length - again.parked,
		invalid,
		duplicates,
		ready_to_go: toOrder(summary, options) - listed + again.done + again.parked,
	};
}

/** What becomes of the rows that are ready to go: in the order of the CSV first `takes`, then `beyond_max`, then `deferred`. */
export interface Shares {
	takes: number;
	/** Left for the next run because of --max. */
	beyond_max: number;
	/** Left for the months to come. */
	deferred: number;
}

/** @param left how many briefs the allowance gives this run */
export function shareOut(readyToGo: number, left: number, max: number): Shares {
	const takes = Math.min(readyToGo, left, max);
	const deferred = Math.max(0, readyToGo - left);
	return { takes, deferred, beyond_max: readyToGo - takes - deferred };
}
