import { SLOTS } from '../api/limits';
import type { Clock } from '../api/ports';
import { isRunning, type BriefSummary } from '../api/types';
import { raceDeadline, sleepUntil } from '../api/sleep';
import { MAX_RATE_LIMIT_WAIT_MS } from '../api/retry';
import { MAX_LIST_WAIT_MS, STUCK_AFTER_MS } from '../assumptions';
import { PAGE_FRESH_MS, type BriefList, type ListPage, type ListSnapshot } from './brief-list';
import type { BriefPoller } from './brief-poller';
import { isOlderThan } from './brief-time';
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
	/** The briefs of this process, with the time of their request or answer. The list might not show them yet. */
	private readonly created = new Map<string, number>();
	/** When each key that might have created a brief was last sent. */
	private readonly unconfirmed = new Map<string, number>();
	private lastAnswerAt = -Infinity;
	private backOff = { refusals: 0, until: -Infinity };
	private wait: { readonly since: number; readonly until: number } | null = null;
	/** An order that is refused at once continues to wait: its wait does not begin anew. */
	private lastWait: {
		readonly key: string;
		readonly since: number;
		readonly endedAt: number;
	} | null = null;

	constructor(
		private readonly list: BriefList,
		private readonly poller: BriefPoller,
	) {}

	/** The wait for a slot, for progress messages; null while no order waits. */
	get currentWait(): SlotWait | null {
		return this.wait && { ...this.wait, runningIds: this.getRunningIds() };
	}

	/** Calls `send` when all previous callers have finished their turns, unless the deadline comes first. */
	async runInTurn<T>(
		send: () => Promise<T>,
		deadline: number,
		context: RequestContext,
	): Promise<T | SlotDeadline> {
		const { clock, signal } = context;
		const previous = this.lastTurn;
		const isTurn = raceDeadline(previous, deadline, clock, signal);
		const result = isTurn.then(async (isReached) =>
			isReached ? await send() : this.makeDeadline(),
		);
		// If this caller leaves the queue early, the next caller still waits for the previous one.
		this.lastTurn = Promise.allSettled([previous, result]).then(() => undefined);
		return await result;
	}

	/**
	 * Polls until a slot is free for the order. Returns the complete list with the page that shows the free slot.
	 * @throws {ServiceError} if the list cannot be read
	 */
	async waitForSlot(
		order: WaitingOrder,
		context: RequestContext,
	): Promise<ListSnapshot | SlotDeadline> {
		const { key, deadline } = order;
		const now = context.clock.now();
		const last = this.lastWait;
		const isContinued = last?.key === key && now - last.endedAt < CONTINUED_WAIT_MS;
		const since = isContinued ? last.since : now;
		this.wait = { since, until: deadline };
		try {
			return await this.poller.watchSlots(() => this.pollUntilFree(order, context));
		} finally {
			this.wait = null;
			this.lastWait = { key, since, endedAt: context.clock.now() };
		}
	}

	/**
	 * True if two slots were in use when an order was refused. A brief counts however long it has been running: the service
	 * counts it, too.
	 */
	async wereSlotsBusy(key: string, context: RequestContext): Promise<boolean> {
		const page = await this.list.readNewestPage(context, 0);
		const running = page.briefs.filter(isRunning).length;
		return running + this.listUnlisted(page, key, context.client.now()).length >= SLOTS;
	}

	/**
	 * Counts a brief that the list might not show yet.
	 * @param time of the request that created it, or of the answer
	 */
	trackBrief(briefId: string, time: number): void {
		this.created.set(briefId, time);
	}

	/** For two minutes, counts a key that might have created a brief. By that time the list shows the brief. */
	trackUnconfirmed(key: string, sentAt: number): void {
		this.unconfirmed.set(key, sentAt);
	}

	/** Records that a create request has ended: only a newer page is sure to show its brief. */
	recordRequestEnd(clock: Clock): void {
		this.lastAnswerAt = clock.now();
	}

	/** Records that a key has returned a brief. */
	recordBrief(key: string, briefId: string, now: number): void {
		this.unconfirmed.delete(key);
		this.trackBrief(briefId, now);
		this.backOff = { refusals: 0, until: -Infinity };
	}

	/** Records that no request with this key has created a brief. */
	recordNothingCreated(key: string): void {
		this.unconfirmed.delete(key);
	}

	/**
	 * Makes all orders wait after the service has found no free slot, because the list might still show a free slot.
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
		{ key, since, deadline }: WaitingOrder,
		context: RequestContext,
	): Promise<ListSnapshot | SlotDeadline> {
		const { clock, client, signal } = context;
		await sleepUntil(clock, Math.min(deadline, this.backOff.until), signal);
		// A page from before the last answer does not show the brief that it created.
		const maxAge = Math.min(PAGE_FRESH_MS, clock.now() - this.lastAnswerAt);
		let page = await this.list.readNewestPage(context, maxAge);
		for (;;) {
			const isFree = this.hasFreeSlot(page, key, client.now()) && clock.now() >= this.backOff.until;
			const snapshot = isFree ? await this.list.readSince(since, context) : null;
			// Older pages can take long, so another caller might have read a newer page, with other slots.
			if (snapshot?.newestPage === page) return snapshot;
			if (clock.now() >= deadline) return this.makeDeadline();
			page = snapshot?.newestPage ?? (await this.poller.pollNext(deadline, context));
		}
	}

	private hasFreeSlot(page: ListPage, key: string, now: number): boolean {
		const unlistedSince = this.listUnlisted(page, key, now);
		// A page that does not show our newest brief does not show the briefs that others have created since, either.
		if (unlistedSince.some((time) => Math.abs(now - time) < MAX_LIST_WAIT_MS)) return false;
		const running = page.briefs.filter((brief) => isRunning(brief) && !isStuck(brief, now));
		return running.length + unlistedSince.length < SLOTS;
	}

	/** Returns the times of the briefs of this process that the page does not show, without the requests of the key. */
	private listUnlisted({ briefs }: ListPage, key: string, now: number): number[] {
		this.forgetEnded(now);
		const shown = new Set(briefs.map(({ id }) => id));
		const unlisted = [...this.created].filter(([briefId]) => !shown.has(briefId));
		const others = [...this.unconfirmed].filter(([each]) => each !== key);
		return [...unlisted, ...others].map(([, time]) => time);
	}

	private makeDeadline(): SlotDeadline {
		return { kind: 'deadline', runningIds: this.getRunningIds() };
	}

	private getRunningIds(): string[] {
		return this.list.newestBriefs.filter(isRunning).map(({ id }) => id);
	}

	private forgetEnded(now: number): void {
		for (const [briefId, time] of this.created) {
			const brief = this.list.get(briefId);
			const hasEnded = brief !== undefined && !isRunning(brief);
			if (hasEnded || now - time >= STUCK_AFTER_MS) this.created.delete(briefId);
		}
		for (const [key, sentAt] of this.unconfirmed)
			if (now - sentAt >= MAX_LIST_WAIT_MS) this.unconfirmed.delete(key);
	}
}

/** An order that waits for a slot. */
interface WaitingOrder {
	readonly key: string;
	/** How far back the list has to be complete, by the service's clock. */
	readonly since: number;
	/** By this machine's clock. */
	readonly deadline: number;
}

/** The deadline came before the turn or a slot. */
export interface SlotDeadline {
	readonly kind: 'deadline';
	/** The briefs that were running at the last poll. */
	readonly runningIds: readonly string[];
}

/** A wait for a slot. Times are by this machine's clock. */
export interface SlotWait {
	readonly since: number;
	readonly until: number;
	readonly runningIds: readonly string[];
}

/** A wait of the same order that begins sooner continues the last wait. */
const CONTINUED_WAIT_MS = 60_000;

/** The wait after the service has found no free slot. It doubles with each refusal in a row, up to the time of two polls. */
const BACK_OFF_MS = { first: 15_000, longest: 60_000 } as const;

function isStuck(brief: BriefSummary, now: number): boolean {
	return isOlderThan(brief, STUCK_AFTER_MS, now);
}
