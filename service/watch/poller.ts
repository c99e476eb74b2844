/*
 * Waits for briefs to end and for slots to become free. One look at the workspace serves everybody who waits, and
 * without them there are no looks.
 *
 * An example. A and B are being written and are waited for, and C waits for a slot. A look is one list call:
 *   it shows A as ready               who waits for A gets it. Its slot is free: C gets that, and orders
 *   it shows B as writing             B has a stage to go, so the next look is due later than for one that is checked
 *   it does not show B                B is got by itself
 *   the look fails                    it is repeated until `patience` is over; then all who wait get the error
 * Once C has ordered and nobody waits for A or B any more, nothing is sent.
 */

import { GET_LAG_MS, PAGE_FRESH_MS } from '../assumptions';
import { anotherBrief, isTransient, ServiceError } from '../api/errors';
import { outcomeOf } from '../api/outcome';
import type { PollInterval } from '../api/poll-interval';
import type { Clock } from '../api/ports';
import { isRunning, type BriefPage, type BriefSummary } from '../api/resources';
import { decideRetry, withFailedTry, type FailedTries } from '../api/resend';
import type { BriefingService } from '../api/service';
import { sleepUntil } from '../api/sleep';
import { instantOf } from '../api/timestamps';
import { gapForSlots, nextLookAtBriefs } from './look-schedule';
import {
	SlotQueue,
	slotsBusy,
	type FreeSlot,
	type SlotPatience,
	type SlotWait,
	type SlotWaitOptions,
} from './slots';
import { beginWait, WaitTimeout, type Waiter, type WaitOptions } from './wait';
import type { Workspace } from './workspace';

/** After this many of the longest intervals without a look, the service counts as not reachable. */
const MISSED_LOOKS = 4;

interface BriefPollerOptions {
	/** It is read before each look, because the caller that looks most often may join or leave. */
	readonly interval: PollInterval;
	/** Looks may fail for so long before those who wait get the error (milliseconds). */
	readonly patience: number;
	/** Called after each look that shows the whole workspace, with the newest page of the list. */
	readonly onLook?: (newestPage: BriefPage) => void;
	/** The patience that all together have with slots. Without it, each caller decides alone. */
	readonly slotPatience?: SlotPatience;
}

/** A wait for a brief, as a caller wants it. Times are of this machine's clock. */
export interface BriefWaitOptions extends WaitOptions {
	/** The time of its creation, if known: its age counts from there. */
	since?: number;
	/** The last time that the caller saw it, even before the wait. */
	seenAt?: number | undefined;
	onStatus?: (brief: BriefSummary) => void;
	/** Checks whether the brief that the service shows under this ID is really the one. */
	isItself?: (brief: BriefSummary) => boolean;
}

interface BriefWait extends BriefWaitOptions {
	readonly waiter: Waiter<BriefSummary>;
	brief: BriefSummary;
	readonly since: number;
	/** The time from which on it could not be looked at although other briefs could. */
	failingSince?: number | undefined;
}

/** Times are of this machine's clock. */
export class BriefPoller {
	private readonly briefs = new Set<BriefWait>();
	private readonly slots = new SlotQueue();
	private lastLook = -Infinity;
	private lastList = -Infinity;
	/** The time at which the newest page was asked for. It is as old as that, however long the answer took. */
	private listAskedAt = -Infinity;
	private failedTries: FailedTries | null = null;
	/** No look before this time, because the last one failed. */
	private notBefore = -Infinity;
	private isLooking = false;
	/** Ends the sleep until the next look, because a caller joins or none is left. */
	private sleeping = new AbortController();
	/** Ends the current look, because no caller is left. */
	private looking = new AbortController();

	constructor(
		private readonly service: BriefingService,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly options: BriefPollerOptions,
	) {}

	/**
	 * Waits until a brief is ready or has failed.
	 * @throws {ServiceError} not_found, or what ended the looks
	 * @throws {WaitTimeout} at the deadline
	 */
	waitForEnd(brief: BriefSummary, options: BriefWaitOptions = {}): Promise<BriefSummary> {
		if (!isRunning(brief)) return Promise.resolve(brief);
		const begunAt = this.clock.now();
		const promise = beginWait<BriefSummary>(this.clock, options, (waiter) => {
			const wait: BriefWait = { ...options, waiter, brief, since: options.since ?? begunAt };
			this.briefs.add(wait);
			return {
				onEnd: () => this.leave(() => this.briefs.delete(wait)),
				timeout: () => new WaitTimeout(wait.brief, this.unseenFor(wait.seenAt ?? begunAt)),
			};
		});
		this.wakeUp();
		return promise;
	}

	/**
	 * Waits for a free slot, first come, first served.
	 * @throws {ServiceError} slots_busy with `once`, what ended the looks, or the rate limit that held them back
	 * @throws {WaitTimeout} at the deadline
	 */
	takeSlot(options: SlotWaitOptions = {}): Promise<FreeSlot> {
		const { notBefore = -Infinity, once = false } = options;
		const begunAt = this.clock.now();
		const promise = beginWait<FreeSlot>(this.clock, options, (waiter) => {
			const wait: SlotWait = { waiter, notBefore, once };
			this.slots.join(wait);
			// A new caller hears of the wait at once, unless a look is due now.
			const isReported = this.workspace.freeSlots() <= 0 && this.nextLook() > this.clock.now();
			if (isReported) this.options.slotPatience?.sawNone();
			return {
				onEnd: () => this.leave(() => this.slots.leave(wait)),
				timeout: () => {
					const seenAt = Math.max(begunAt, this.listAskedAt);
					return this.heldBackBy() ?? new WaitTimeout(undefined, this.unseenFor(seenAt));
				},
			};
		});
		if (this.isListFresh()) this.serveSlots();
		this.wakeUp();
		return promise;
	}

	/**
	 * Uses a newest page that was read for another reason as if it were a look, unless a later one was looked at.
	 * @param age how long ago it was read, in milliseconds: others may have taken the slots since
	 */
	observePage(newestPage: readonly BriefSummary[], age = 0): void {
		const at = this.clock.now() - Math.max(0, age);
		if (at >= this.listAskedAt) this.takeIn(newestPage, at, at);
	}

	/**
	 * Looks now whether both slots were taken, for an order that holds a slot and was refused.
	 * @param then when it was refused, by the service's clock: a brief that ended since still had its slot
	 * @throws {ServiceError} what the service answered to the look
	 */
	async wereSlotsTaken(then: number, signal?: AbortSignal): Promise<boolean> {
		const { data } = await this.lookAtNewest(signal);
		const endedBriefs = data.filter(
			({ finished_at: end }) => (instantOf(end) ?? -Infinity) >= then,
		);
		return this.workspace.areSlotsTaken(endedBriefs.length);
	}

	/** The patience that all together have with slots, if it is limited. */
	get slotPatience(): SlotPatience | undefined {
		return this.options.slotPatience;
	}

	private isAnybodyWaiting(): boolean {
		return this.briefs.size + this.slots.all.length > 0;
	}

	/** Ends the sleep until the next look, which may be due sooner now. */
	private wakeUp(): void {
		this.sleeping.abort();
		if (!this.isLooking) void this.run();
	}

	private leave(remove: () => void): void {
		remove();
		if (this.isAnybodyWaiting()) return;
		this.sleeping.abort();
		this.looking.abort();
	}

	private async run(): Promise<void> {
		this.isLooking = true;
		try {
			while (this.isAnybodyWaiting()) {
				const due = Math.max(this.nextLook(), this.notBefore);
				if (due > this.clock.now()) await this.sleep(due);
				else await this.look();
			}
		} catch (unexpected) {
			this.failAll(unexpected as Error);
		} finally {
			this.isLooking = false;
		}
	}

	private nextLook(): number {
		const { interval } = this.options;
		const forBriefs = nextLookAtBriefs(this.briefs, this.lastLook, interval);
		return Math.min(forBriefs, this.slots.nextLook(this.nextForSlots()));
	}

	private nextForSlots(): number {
		if (this.workspace.isLookWanted) return -Infinity;
		const holders = this.slots.isAnyForOnce ? null : this.workspace.slotsHeldBy();
		const listedAt = this.service.now() - (this.clock.now() - this.lastList);
		return this.lastList + gapForSlots(holders, listedAt, this.options.interval);
	}

	private async sleep(until: number): Promise<void> {
		this.sleeping = new AbortController();
		const { signal } = this.sleeping;
		await sleepUntil(this.clock, until, signal).catch((reason: unknown) => {
			if (!signal.aborted) throw reason;
		});
	}

	/** Looks once. One list call serves all; for a single brief a get is enough. */
	private async look(): Promise<void> {
		this.looking = new AbortController();
		const { signal } = this.looking;
		const [first] = this.briefs;
		const isOnly = this.briefs.size === 1 && this.slots.all.length === 0;
		try {
			if (first !== undefined && isOnly) await this.lookAt(first.brief.id, signal);
			else await this.lookAtList(signal);
			this.failedTries = null;
		} catch (error) {
			if (!signal.aborted && !this.endures(error as Error)) this.failAll(error as Error);
		}
	}

	private async lookAtList(signal: AbortSignal): Promise<void> {
		const missingIds = await this.findInList(signal);
		this.serveSlots();
		for (const id of missingIds)
			if (this.waitsFor(id).length > 0) await this.lookAtMissing(id, signal);
		if (this.slots.all.length > 0) await this.lookAtUnlisted(signal);
		this.serveSlots();
		this.bearSlotWait();
	}

	/** @returns the IDs of the awaited briefs that the list does not show */
	private async findInList(signal: AbortSignal): Promise<Set<string>> {
		const missingWaits = new Set(this.briefs);
		const idsMissing = () => new Set([...missingWaits].map(({ brief }) => brief.id));
		let page = await this.lookAtNewest(signal);
		for (let olderPages = 0; ; olderPages += 1) {
			const shownBriefs = new Map(page.data.map((brief) => [brief.id, brief]));
			for (const wait of missingWaits) {
				const brief = shownBriefs.get(wait.brief.id);
				if (brief === undefined || wait.isItself?.(brief) === false) continue;
				missingWaits.delete(wait);
				this.observe(wait, brief);
			}
			const cursor = page.next_cursor;
			// A page costs one request, as a get does, so it pays only while several briefs are missing.
			if (cursor === null || idsMissing().size - olderPages < 2) break;
			const older = await outcomeOf(this.service.briefs({ cursor }, signal));
			// What the list does not show is got.
			if ('error' in older) break;
			page = older.value;
		}
		return idsMissing();
	}

	private async lookAtNewest(signal?: AbortSignal): Promise<BriefPage> {
		// A rate limit is waited out before, so that the page is no older than its request.
		await this.service.passGate(signal);
		const askedAt = this.clock.now();
		const page = await this.service.briefs({}, signal);
		this.takeIn(page.data, this.clock.now(), askedAt);
		this.options.onLook?.(page);
		return page;
	}

	private takeIn(newestPage: readonly BriefSummary[], at: number, askedAt: number): void {
		this.lastLook = this.lastList = at;
		this.listAskedAt = askedAt;
		this.workspace.observePage(newestPage, this.service.now());
	}

	/** Gets the briefs of this process that the list should show by now, which must not hold a slot forever. */
	private async lookAtUnlisted(signal: AbortSignal): Promise<void> {
		for (const [id, since] of this.workspace.unlisted()) {
			const isWatched = this.waitsFor(id).length > 0;
			if (!isWatched && !mayBeTooNew(since, this.service.now()))
				await this.lookAtMissing(id, signal);
		}
	}

	/**
	 * Gets a brief that the list does not show. The list answers, so if the brief cannot be got, only that brief has
	 * failed.
	 */
	private async lookAtMissing(id: string, signal: AbortSignal): Promise<void> {
		const outcome = await outcomeOf(this.lookAt(id, signal));
		if ('value' in outcome) return;
		const { error } = outcome;
		if (!isTransient(error.kind) || error.kind === 'rate_limited') throw error;
		const now = this.clock.now();
		for (const wait of this.waitsFor(id)) {
			wait.failingSince ??= now;
			if (now - wait.failingSince >= this.options.patience) wait.waiter.reject(error);
		}
	}

	private async lookAt(id: string, signal: AbortSignal): Promise<void> {
		const outcome = await outcomeOf(this.service.brief(id, signal));
		const now = (this.lastLook = this.clock.now());
		const waits = this.waitsFor(id);
		if ('value' in outcome) {
			const brief = outcome.value;
			const ownWaits = waits.filter(({ isItself }) => isItself?.(brief) !== false);
			if (waits.length > 0 && ownWaits.length === 0) throw anotherBrief(brief);
			this.workspace.observe(brief, this.service.now());
			for (const wait of ownWaits) this.observe(wait, brief);
			return;
		}
		const { error } = outcome;
		if (error.kind === 'not_found') {
			const overdue = waits.filter(({ since }) => !mayBeTooNew(since, now));
			if (overdue.length > 0 || waits.length === 0) this.workspace.forget(id);
			for (const { waiter } of overdue) waiter.reject(error);
		} else if (error.kind === 'invalid_input') {
			// A refused ID says nothing about the others.
			for (const { waiter } of waits) waiter.reject(error);
		} else throw error;
	}

	private waitsFor(id: string): BriefWait[] {
		return [...this.briefs].filter(({ brief }) => brief.id === id);
	}

	private observe(wait: BriefWait, brief: BriefSummary): void {
		this.workspace.observe(brief, this.service.now());
		// A caller that gave up during the look hears nothing more.
		if (!this.briefs.has(wait)) return;
		const hasChanged = brief.status !== wait.brief.status;
		wait.brief = brief;
		wait.seenAt = this.clock.now();
		wait.failingSince = undefined;
		if (hasChanged) wait.onStatus?.(brief);
		if (!isRunning(brief)) wait.waiter.resolve(brief);
	}

	private serveSlots(): void {
		const [freeSlots, toGive] = [this.workspace.freeSlots(), this.workspace.slotsToGive()];
		const { granted, refused } = this.slots.serve(freeSlots, this.clock.now(), toGive);
		for (const { waiter } of granted) waiter.resolve(this.reserve());
		for (const { waiter } of refused) waiter.reject(slotsBusy());
	}

	/** Gives out a slot. As soon as its create is answered, the same look may serve the next in the queue. */
	private reserve(): FreeSlot {
		const onAnswer = () => {
			if (this.isListFresh()) this.serveSlots();
		};
		const slot = this.workspace.reserve(() => this.service.now(), onAnswer);
		return { ...slot, seenAt: this.listAskedAt };
	}

	/**
	 * Ends the waits for a slot once the patience is over. While a slot is held back until the last brief is listed,
	 * nobody waits for a busy slot.
	 */
	private bearSlotWait(): void {
		const { slotPatience } = this.options;
		if (slotPatience === undefined || this.slots.all.length === 0) return;
		if (this.workspace.freeSlots() <= 0) slotPatience.sawNone();
		if (!slotPatience.isOver) return;
		for (const { waiter } of [...this.slots.all]) waiter.reject(slotsBusy());
	}

	/** Checks whether the last page is young enough to take a slot without another look. */
	private isListFresh(): boolean {
		return this.clock.now() - this.listAskedAt <= PAGE_FRESH_MS;
	}

	/** Gives the rate limit that kept us from looking at the list, or null. */
	private heldBackBy(): ServiceError | null {
		const limit = this.service.rateLimit();
		// The schedule may leave the list alone for this long.
		const isSeen = this.clock.now() - this.listAskedAt <= 2 * this.options.interval.longest;
		return limit === null || isSeen ? null : limit.error;
	}

	/** Says how long ago it was last seen, if several looks should have shown it since; otherwise 0. */
	private unseenFor(seenAt: number): number {
		const age = this.clock.now() - seenAt;
		return age > MISSED_LOOKS * this.options.interval.longest ? age : 0;
	}

	/** Records a failed look, and says whether another one may help. */
	private endures(error: Error): boolean {
		if (!(error instanceof ServiceError)) return false;
		const { patience, interval } = this.options;
		const now = this.clock.now();
		this.failedTries = withFailedTry(this.failedTries, error.kind, now);
		// Only the time counts, not the number of tries.
		const limits = { failures: Infinity, rateLimits: Infinity, outage: patience };
		const retryAt = decideRetry(error, this.failedTries, limits, now);
		if (retryAt === null) return false;
		this.notBefore = Math.max(now + interval.shortest, retryAt);
		return true;
	}

	private failAll(error: Error): void {
		this.failedTries = null;
		for (const { waiter } of [...this.briefs, ...this.slots.all]) waiter.reject(error);
	}
}

/** Checks whether a brief may be missing because it is too new. `since`: when it was created, as far as we know. */
function mayBeTooNew(since: number, now: number): boolean {
	return now - since <= GET_LAG_MS;
}
