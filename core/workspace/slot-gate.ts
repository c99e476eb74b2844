import { ServiceError } from '../api/errors';
import { SLOTS } from '../api/limits';
import type { Clock } from '../api/ports';
import { isRunning, type BriefSummary } from '../api/types';
import { raceDeadline, sleepUntil } from '../api/sleep';
import { MAX_RATE_LIMIT_WAIT_MS } from '../api/retry';
import { MAX_LIST_WAIT_MS, STUCK_AFTER_MS } from '../assumptions';
import { PAGE_FRESH_MS, type BriefList } from './brief-list';
import type { BriefPoller } from './brief-poller';
import { getCreationTime } from './brief-time';
import type { RequestContext } from './request-context';

/**
 * Two briefs can run in a workspace, and the briefs of colleagues count. So orders are sent one at a time, each after a
 * poll that shows a free slot and the previous order:
 *
 *     order A   turn: a slot is free, POST
 *     order B   waits for the turn          turn: the list shows A, a slot is free, POST
 *     order C   waits for the turn                                                        turn: A and B are running …
 *
 * The poll that shows A also shows what other processes have created meanwhile. One deadline limits the wait for the
 * turn, the wait for a slot, and the waits after the service has refused an order although the list showed a free slot.
 */
export class SlotGate {
	/** Resolves when the last caller in the queue has finished its turn. Never rejects. */
	private lastTurn: Promise<void> = Promise.resolve();
	/** When each brief of this process was created, by ID. The list might not show these briefs yet. */
	private readonly created = new Map<string, number>();
	/** When each order that might have created a brief was last sent, by order ID. */
	private readonly unconfirmed = new Map<string, number>();
	private lastAnswerAt = -Infinity;
	private backOff = { refusals: 0, until: -Infinity };
	private wait: { readonly since: number; readonly until: number } | null = null;

	constructor(
		private readonly list: BriefList,
		private readonly poller: BriefPoller,
	) {}

	/** The wait for a slot, for progress messages; null while no order waits. */
	get currentWait(): SlotWait | null {
		return this.wait && { ...this.wait, runningIds: this.getRunningIds() };
	}

	/**
	 * Calls `send` when all previous callers have finished their turns.
	 * @throws {SlotsBusyError} if the turn does not come before the deadline
	 */
	async runInTurn<T>(
		send: () => Promise<T>,
		deadline: number,
		context: RequestContext,
	): Promise<T> {
		const { clock, signal } = context;
		const previous = this.lastTurn;
		const result = raceDeadline(previous, deadline, clock, signal).then((isTurn) => {
			if (!isTurn) throw new SlotsBusyError(this.getRunningIds());
			return send();
		});
		// If this caller leaves the queue early, the next caller still waits for the previous one.
		this.lastTurn = Promise.allSettled([previous, result]).then(() => undefined);
		return await result;
	}

	/**
	 * Polls until a slot is free for the order.
	 * @throws {SlotsBusyError} if no slot is free at the deadline
	 * @throws {ServiceError} if the list cannot be read
	 */
	async waitForSlot(orderId: string, deadline: number, context: RequestContext): Promise<void> {
		this.wait = { since: context.clock.now(), until: deadline };
		try {
			await this.poller.watchSlots(() => this.pollUntilFree(orderId, deadline, context));
		} finally {
			this.wait = null;
		}
	}

	/** True if the newest page of the list shows no free slot for the order. */
	async areSlotsBusy(orderId: string, context: RequestContext): Promise<boolean> {
		const page = await this.list.readNewestPage(context, 0);
		return !this.hasFreeSlot(page, orderId, context.client.now());
	}

	/** Counts a brief that the list might not show yet, such as a brief that was just created. */
	trackBrief(brief: BriefSummary, now: number): void {
		this.created.set(brief.id, Math.min(now, getCreationTime(brief)));
	}

	/** For two minutes, counts an order that might have created a brief. By that time the list shows the brief. */
	trackUnconfirmed(orderId: string, sentAt: number): void {
		this.unconfirmed.set(orderId, sentAt);
	}

	/** Records that the service answered a create request. */
	recordAnswer(orderId: string, createdBrief: BriefSummary | null, context: RequestContext): void {
		this.unconfirmed.delete(orderId);
		this.lastAnswerAt = context.clock.now();
		if (createdBrief === null) return;
		this.trackBrief(createdBrief, context.client.now());
		this.backOff = { refusals: 0, until: -Infinity };
	}

	/**
	 * Makes all orders wait after a refusal for want of a slot, because the list might still show a free slot.
	 * @param retryAt the end of the refusal's Retry-After, by this machine's clock; null without one
	 */
	recordRefusal(retryAt: number | null, clock: Clock): void {
		const { refusals } = this.backOff;
		const wait = Math.min(BACK_OFF_MS.longest, BACK_OFF_MS.first * 2 ** refusals);
		const now = clock.now();
		// A Retry-After of zero must not cause a tight loop.
		const until = Math.max(now + wait, Math.min(retryAt ?? now, now + MAX_RATE_LIMIT_WAIT_MS));
		this.backOff = { refusals: refusals + 1, until };
	}

	private async pollUntilFree(
		orderId: string,
		deadline: number,
		context: RequestContext,
	): Promise<void> {
		const { clock, client, signal } = context;
		await sleepUntil(clock, Math.min(deadline, this.backOff.until), signal);
		// A page from before the last answer does not show the brief that it created.
		const maxAge = Math.min(PAGE_FRESH_MS, clock.now() - this.lastAnswerAt);
		let page = await this.list.readNewestPage(context, maxAge);
		while (!this.hasFreeSlot(page, orderId, client.now()) || clock.now() < this.backOff.until) {
			if (clock.now() >= deadline) throw new SlotsBusyError(this.getRunningIds());
			page = await this.poller.pollNext(deadline, context);
		}
	}

	private hasFreeSlot(page: readonly BriefSummary[], orderId: string, now: number): boolean {
		this.forgetEnded(now);
		const shown = new Set(page.map(({ id }) => id));
		const unlisted = [...this.created].filter(([briefId]) => !shown.has(briefId));
		const others = [...this.unconfirmed].filter(([id]) => id !== orderId);
		const unlistedSince = [...unlisted, ...others].map(([, time]) => time);
		return isSlotFree(page, unlistedSince, now);
	}

	private getRunningIds(): string[] {
		return this.list.newestBriefs.filter(isRunning).map(({ id }) => id);
	}

	private forgetEnded(now: number): void {
		for (const [briefId, createdAt] of this.created) {
			const brief = this.list.get(briefId);
			const hasEnded = brief !== undefined && !isRunning(brief);
			if (hasEnded || now - createdAt >= STUCK_AFTER_MS) this.created.delete(briefId);
		}
		for (const [orderId, sentAt] of this.unconfirmed)
			if (now - sentAt >= MAX_LIST_WAIT_MS) this.unconfirmed.delete(orderId);
	}
}

/** A wait for a slot. Times are by this machine's clock. */
export interface SlotWait {
	readonly since: number;
	readonly until: number;
	readonly runningIds: readonly string[];
}

/** Both slots were in use until the deadline. */
export class SlotsBusyError extends ServiceError {
	/** @param runningIds the briefs that were running at the last poll */
	constructor(readonly runningIds: readonly string[]) {
		super({ kind: 'slots_busy', operation: 'create_brief' });
	}
}

/** The wait after a refusal for want of a slot. It doubles with each refusal in a row, up to the time of two polls. */
const BACK_OFF_MS = { first: 15_000, longest: 60_000 } as const;

/**
 * True if one more order can be sent.
 * @param unlistedSince creation times of briefs and orders of this process that the page does not show
 */
function isSlotFree(
	page: readonly BriefSummary[],
	unlistedSince: readonly number[],
	now: number,
): boolean {
	// A page that does not show our newest brief does not show the briefs that others have created since, either.
	if (unlistedSince.some((time) => now - time < MAX_LIST_WAIT_MS)) return false;
	const running = page.filter((brief) => isRunning(brief) && !isStuck(brief, now));
	return running.length + unlistedSince.length < SLOTS;
}

function isStuck(brief: BriefSummary, now: number): boolean {
	return now - getCreationTime(brief) >= STUCK_AFTER_MS;
}
