import {
	LIST_DISORDER_MS,
	LIST_LAG_MS,
	LOOK_FRESH_MS,
	LOOKED_BACK_MS,
} from '../../service/assumptions';
import { ServiceError } from '../../service/api/errors';
import type { BriefPage, BriefSummary } from '../../service/api/resources';
import { MonthUse } from '../../service/list/allowance';
import type { SharedList } from '../../service/list/brief-list';
import { ListedBriefs } from '../../service/order/listed-briefs';
import { clock } from './node-clock';

/** A brief that was created this long before a reading is in it, though the list may lag, and is not quite in order. */
const SURELY_READ_MS = LIST_LAG_MS + LIST_DISORDER_MS;

/**
 * What the list of one workspace has shown to all executions of this process: it is read down to the oldest brief that
 * may be used, then only as far as it may be new, and kept up to date by the looks of the watch.
 */
export class WatchedList {
	readonly briefs = new ListedBriefs(() => this.asOf);
	readonly monthUse = new MonthUse();
	/** The service's time up to which no brief is missing. */
	asOf = -Infinity;
	private readAt = -Infinity;
	/** Set if briefs may be listed that were not read. */
	hasGap = true;
	/** The number of briefs that were known when none was missing. */
	private wholeSize = 0;
	/** A reading that began before this time of the service does not close the gap. */
	private gapSince = -Infinity;
	/** Set if also the briefs are known that are too old to be used. */
	private isReadToEnd = false;

	/** Takes in the newest page of the list. After a long pause it does not reach what is known. */
	see({ data, next_cursor: next }: BriefPage, asOf: number): void {
		const isWhole = next === null || this.reachesKnown(data);
		this.isReadToEnd ||= next === null;
		this.take(data);
		if (isWhole) return this.becomeWhole(asOf);
		this.hasGap = true;
		this.gapSince = asOf;
	}

	/** Reads what is not known yet, unless that was done less than `maxAge` ago. Throws ServiceError. */
	async upToDate(list: SharedList, maxAge: number, signal: AbortSignal): Promise<void> {
		if (!this.hasGap && clock.now() - this.readAt <= maxAge) return;
		// The first answer shows the time of the service.
		const { asOf } = await list.downTo(Infinity, { maxAge, since: this.gapSince }, signal);
		const from = Math.max(this.asOf - SURELY_READ_MS, asOf - LOOKED_BACK_MS);
		const listing = await list.downTo(from, { maxAge: Infinity }, signal);
		if (!listing.isComplete)
			throw new ServiceError({ kind: 'list_unreadable', operation: 'list_briefs' });
		this.take(listing.briefs);
		this.becomeWhole(listing.asOf);
	}

	/** Reads the list to its end, once. One that breaks off is read as far as it goes. Throws ServiceError. */
	async toEnd(list: SharedList, signal: AbortSignal): Promise<void> {
		if (this.isReadToEnd) return;
		this.take((await list.downTo(-Infinity, { maxAge: LOOK_FRESH_MS }, signal)).briefs);
		this.isReadToEnd = true;
	}

	private take(briefs: readonly BriefSummary[]): void {
		this.briefs.see(briefs);
		for (const { id, created_at } of briefs) this.monthUse.add(id, created_at);
	}

	private reachesKnown(page: readonly BriefSummary[]): boolean {
		const last = page.at(-1);
		return (
			last === undefined || this.briefs.wasSeen(last, this.wholeSize) || this.briefs.isOld(last)
		);
	}

	private becomeWhole(asOf: number): void {
		this.asOf = asOf;
		this.wholeSize = this.briefs.size;
		this.readAt = clock.now();
		this.hasGap = false;
	}
}
