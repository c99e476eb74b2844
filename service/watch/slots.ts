import { isTransient, ServiceError } from '../api/errors';
import type { Now } from '../api/ports';
import type { Waiter, WaitOptions } from './wait';
import type { SlotHolder, ReservedSlot, Workspace } from './workspace';

export interface FreeSlot extends ReservedSlot {
	/** The time at which the page was asked for, by this machine's clock: others may have taken the slot since. */
	readonly seenAt: number;
}

export interface SlotWaitOptions extends WaitOptions {
	/**
	 * No slot is given before this time of this machine's clock, for a request that the service refused although a slot
	 * looked free: it keeps its place, and those behind it wait too.
	 */
	notBefore?: number;
	/** True if the wait ends after the next look, whatever it shows. */
	once?: boolean;
}

export interface SlotWait {
	readonly waiter: Waiter<FreeSlot>;
	/** -Infinity unless the service refused a slot that looked free. */
	readonly notBefore: number;
	readonly once: boolean;
}

/**
 * The queue for slots, strictly in order. While the service refuses the first one, those behind it are held back too,
 * because they would be refused as well.
 */
export class SlotQueue {
	private readonly waits: SlotWait[] = [];

	get all(): readonly SlotWait[] {
		return this.waits;
	}

	/** Adds a caller at the end. One that the service refused keeps its place before all new ones. */
	join(wait: SlotWait): void {
		const isNew = ({ notBefore }: SlotWait) => notBefore === -Infinity;
		const newcomer = isNew(wait) ? -1 : this.waits.findIndex(isNew);
		this.waits.splice(newcomer < 0 ? this.waits.length : newcomer, 0, wait);
	}

	leave(wait: SlotWait): void {
		this.waits.splice(this.waits.indexOf(wait), 1);
	}

	/**
	 * Decides who gets a free slot and who is refused now. Removes nobody from the queue.
	 * @param toGive how many of the free slots may be given at once
	 */
	serve(freeSlots: number, now: number, toGive: number): Record<'granted' | 'refused', SlotWait[]> {
		const firstHeldBack = this.waits.findIndex(({ notBefore }) => notBefore > now);
		const count = firstHeldBack < 0 ? this.waits.length : firstHeldBack;
		const granted = this.waits.slice(0, Math.min(toGive, count));
		return {
			granted,
			refused: this.waits.slice(Math.min(freeSlots, count)).filter(({ once }) => once),
		};
	}

	get isAnyForOnce(): boolean {
		return this.waits.some(({ once }) => once);
	}

	/**
	 * Gives when to look at the list for those who wait; Infinity if none wait.
	 * @param next when a look may show more than the last one
	 */
	nextLook(next: number): number {
		const [first] = this.waits;
		if (first === undefined) return Infinity;
		return this.isAnyForOnce ? next : Math.max(next, first.notBefore);
	}
}

/** Makes the error for looks that showed no free slot: no create was sent. */
export function slotsBusy(): ServiceError {
	return new ServiceError({
		kind: 'slots_busy',
		operation: 'create_brief',
		message: 'Two briefs are already running in the workspace',
	});
}

/** A wait for a slot ends after this many times the longest time of one brief. */
const PATIENCE_TIMEOUTS = 4;

/** A wait is reported at once, after these minutes, and then once an hour. */
const REPORTED_AFTER_MINUTES = [1, 2, 5, 10, 20, 40];
const MINUTE = 60_000;

/** A wait for a slot, and what it waits for. Times are milliseconds of this machine's clock. */
export interface SlotWaitReport {
	since: number;
	/** The latest end of the wait if nothing can be ordered. */
	until: number;
	/** Either the list shows no free slot, or the service refuses a brief although the list shows one. */
	cause: 'taken' | 'refused';
	holders: SlotHolder[];
}

/** Measures how long no order got a slot, reports it, and says when to give up. */
export class SlotPatience {
	private since: number | null = null;
	private lastSeen = 0;
	/** The time that was waited, without that for which the computer slept. */
	private waited = 0;
	private reportFrom = 0;
	private cause: SlotWaitReport['cause'] = 'taken';

	/** @param timeout the longest time that one brief may run, in milliseconds */
	constructor(
		private readonly workspace: Workspace,
		private readonly clock: Now,
		private readonly timeout: number,
		private readonly onWait: (report: SlotWaitReport) => void,
	) {}

	get isOver(): boolean {
		return this.waited >= this.bound;
	}

	/** Records a look that showed no free slot while somebody waits for one. */
	sawNone(): void {
		this.goesOn('taken');
	}

	/**
	 * Records that a create was answered, with this error or with a brief. Only a final answer shows that a slot was
	 * free.
	 */
	createAnswered(error: ServiceError | null): void {
		if (error?.kind === 'slots_busy') return this.goesOn('refused');
		if (error !== null && isTransient(error.kind)) return;
		this.since = null;
		this.waited = this.reportFrom = 0;
	}

	report(): SlotWaitReport {
		const now = this.clock.now();
		const until = now + Math.max(0, this.bound - this.waited);
		const { cause } = this;
		return { since: this.since ?? now, until, cause, holders: this.workspace.holders() };
	}

	private get bound(): number {
		return PATIENCE_TIMEOUTS * this.timeout;
	}

	private goesOn(cause: SlotWaitReport['cause']): void {
		const now = this.clock.now();
		// Seconds lie between two looks, or a rate limit. After a longer gap the computer has slept.
		const more = Math.min(Math.max(0, now - this.lastSeen), this.timeout);
		this.waited += this.since === null ? 0 : more;
		this.since ??= now;
		this.lastSeen = now;
		this.cause = cause;
		if (this.waited < this.reportFrom) return;
		this.reportFrom = nextReport(this.waited);
		this.onWait(this.report());
	}
}

/** Says how long a wait that has lasted so long will have lasted at its next report. */
function nextReport(waited: number): number {
	const minutes = waited / MINUTE;
	const next = REPORTED_AFTER_MINUTES.find((after) => after > minutes);
	return (next ?? 60 * (Math.floor(minutes / 60) + 1)) * MINUTE;
}
