import { RATE_LIMIT_CAUTION_MS } from '../assumptions';
import type { ServiceError } from '../errors';
import type { PollInterval } from '../poll-interval';
import type { Clock } from '../ports';
import type { BriefingService } from '../service';
import { gapForSlots } from './schedule';
import type { SlotQueue } from './slot-queue';
import type { SlotWait } from './slot-wait';
import type { BriefWait } from './brief-wait';
import type { WatchedBriefs } from './watched-briefs';
import type { Workspace } from './workspace';

/** Those for whom the workspace is looked at. */
export interface Waiters {
	readonly briefs: WatchedBriefs<BriefWait>;
	readonly slots: SlotQueue<SlotWait>;
}

/** When the workspace was looked at, and when the next look is due. Times are of this machine's clock. */
export class LookTimes {
	private lastLook = -Infinity;
	private lastList = -Infinity;
	/** When the last newest page was asked for: however long its answer took, it is as old as that. */
	listAskedAt = -Infinity;

	constructor(
		private readonly service: Pick<BriefingService, 'now' | 'lastRateLimited' | 'rateLimit'>,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly waiters: Waiters,
		/** The interval is read anew each time: whoever looks most often may join or leave. */
		private readonly options: { readonly interval: PollInterval },
	) {}

	/** The newest page was asked for, and counts as read at `at`. */
	listRead(at: number, askedAt: number): void {
		this.lastLook = this.lastList = at;
		this.listAskedAt = askedAt;
	}

	/** A single brief was looked at. */
	briefRead(): void {
		this.lastLook = this.clock.now();
	}

	/** When the next look is due for whoever is the first to need one. */
	next(): number {
		const { briefs, slots } = this.waiters;
		return Math.min(
			briefs.nextLook(this.lastLook, this.options.interval, this.isCalm()),
			slots.nextLook(this.nextForSlots()),
		);
	}

	/** Whether a page of the list was ever taken in. */
	hasSeenList(): boolean {
		return this.lastList > -Infinity;
	}

	/** Whether the last page of the list is so young that a slot may be taken without another. */
	isListFresh(): boolean {
		return this.clock.now() - this.listAskedAt <= this.options.interval.shortest / 5;
	}

	/** What the service said with the rate limit that has kept the list from being looked at; null where none has. */
	heldBackBy(): ServiceError | null {
		const limit = this.service.rateLimit();
		const isSeen = this.clock.now() - this.listAskedAt <= this.options.interval.longest;
		return limit === null || isSeen ? null : limit.error;
	}

	private nextForSlots(): number {
		const { briefs, slots } = this.waiters;
		if (this.workspace.isLookWanted) return -Infinity;
		const holders = slots.isAnyForOnce ? null : this.workspace.slotsHeldBy();
		const listedAt = this.service.now() - (this.clock.now() - this.lastList);
		const learnt = briefs.learnt(this.options.interval);
		return this.lastList + gapForSlots(holders, listedAt, learnt, this.options.interval);
	}

	private isCalm(): boolean {
		return this.clock.now() - this.service.lastRateLimited > RATE_LIMIT_CAUTION_MS;
	}
}
