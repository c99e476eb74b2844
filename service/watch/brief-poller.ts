import { AbortHub } from '../abort-hub';
import { LONGEST_RATE_WAIT_MS, ServiceError, isTransient } from '../errors';
import { outcomeOf } from '../outcome';
import { retryAt } from '../patience';
import type { PollInterval } from '../poll-interval';
import type { Clock } from '../ports';
import { isRunning, type BriefStatus, type BriefSummary } from '../resources';
import { sleepUntil } from '../sleep';
import { doneFrom, isStageAway, pollGap } from './schedule';
import type { BriefingService } from '../service';
import type { SlotPermit, Workspace } from './workspace';

/** A new brief may be missing for a while where the service answers from a copy that lags behind. */
const NEW_BRIEF_GRACE_MS = 120_000;

export class WaitTimeout extends Error {
	constructor(
		message: string,
		/** The brief as last seen; undefined where the wait was for a slot. */
		readonly brief?: BriefSummary,
	) {
		super(message);
		this.name = 'WaitTimeout';
	}
}

export interface WaitOptions {
	signal?: AbortSignal;
	/** Time of our clock at which to give up with a WaitTimeout. */
	deadline?: number;
}

interface Waiter {
	reject(reason: Error): void;
}
interface BriefWaiter extends Waiter {
	brief: BriefSummary;
	/** Time of our clock from which its age counts. */
	since: number;
	teaches: boolean;
	/** Since when it could not be looked at although others could. */
	failingSince?: number;
	resolve(brief: BriefSummary): void;
	onStatus?(brief: BriefSummary): void;
}
interface SlotWaiter extends Waiter {
	resolve(permit: SlotPermit): void;
	notBefore: number;
	/** Answer after the next look, whatever it shows. */
	once: boolean;
}

export interface BriefPollerOptions {
	interval: PollInterval;
	/** How long briefs took that ended before (milliseconds, oldest first). */
	durations?: readonly number[];
	/** How long failing looks are endured before everybody who waits is told (milliseconds). */
	patience: number;
	/** Called after each look that shows the whole workspace. */
	onLook?: () => void;
}

/**
 * Everybody who waits for something in the workspace, for a brief to end or for a slot to come free, waits here, and
 * one look serves them all: a single list call, or a single get where one brief is all there is to see.
 * Runs only while somebody waits.
 */
export class BriefPoller {
	private readonly briefs = new Set<BriefWaiter>();
	private readonly slots: SlotWaiter[] = [];
	private readonly durations: number[];
	private readonly lastSeen: BriefStatus[] = [];
	private lastLook = -Infinity;
	private lastList = -Infinity;
	private failures = 0;
	private failingSince = 0;
	private notBefore = -Infinity;
	private readonly aborts = new AbortHub();
	private running = false;
	/** Ends the rest between two looks, because somebody joins or nobody is left. */
	private alarm = new AbortController();
	/** Ends the look under way, because nobody is left. */
	private looking = new AbortController();

	constructor(
		private readonly service: BriefingService,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly options: BriefPollerOptions,
	) {
		this.durations = [...(options.durations ?? [])];
	}

	/** Takes in a newest page that was read for another reason, as if it had been a look. */
	observePage(newestPage: readonly BriefSummary[]): void {
		this.lastLook = this.lastList = this.clock.now();
		this.workspace.observePage(newestPage, this.service.now());
	}

	/**
	 * Waits until a slot is free, in the order of asking. With `once`, looks a single time. `notBefore` is for those whom
	 * the service refused a slot that looked free: they keep their place, and those behind them would fare the same.
	 * @throws {ServiceError} slots_busy with `once`, or what ended the looks
	 * @throws {WaitTimeout} at the deadline
	 */
	takeSlot(
		options: WaitOptions & { notBefore?: number; once?: boolean } = {},
	): Promise<SlotPermit> {
		const { notBefore = -Infinity, once = false } = options;
		const isFresh = this.clock.now() - this.lastList <= this.options.interval.shortest / 5;
		if (isFresh && notBefore <= this.clock.now() && this.slots.length === 0 && this.isSlotFree()) {
			const { signal } = options;
			if (signal?.aborted) return Promise.reject(signal.reason as Error);
			return Promise.resolve(this.permit());
		}
		return this.wait<SlotPermit>(options, (waiter) => {
			const slotWaiter = { ...waiter, notBefore, once };
			const newcomer = this.slots.findIndex((other) => other.notBefore === -Infinity);
			const place = notBefore === -Infinity || newcomer < 0 ? this.slots.length : newcomer;
			this.slots.splice(place, 0, slotWaiter);
			return {
				dismiss: () => remove(this.slots, slotWaiter),
				timeout: () => new WaitTimeout('No slot came free within the waiting time'),
			};
		});
	}

	/**
	 * Waits until a brief has ended, ready or failed.
	 * @param options.since time of our clock at which it was created, where that is known: then the others' waits learn
	 *   from how long it took
	 * @throws {ServiceError} not_found, or what ended the looks
	 * @throws {WaitTimeout} at the deadline
	 */
	ended(
		brief: BriefSummary,
		options: WaitOptions & { since?: number; onStatus?: (brief: BriefSummary) => void } = {},
	): Promise<BriefSummary> {
		if (!isRunning(brief)) return Promise.resolve(brief);
		const { since, onStatus } = options;
		return this.wait<BriefSummary>(options, (waiter) => {
			const briefWaiter: BriefWaiter = {
				...waiter,
				brief,
				since: since ?? this.clock.now(),
				teaches: since !== undefined,
				onStatus,
			};
			this.briefs.add(briefWaiter);
			return {
				dismiss: () => void this.briefs.delete(briefWaiter),
				timeout: () => {
					const { brief } = briefWaiter;
					const what = `The brief is still ${brief.status}`;
					return new WaitTimeout(`${what} at the end of the waiting time`, brief);
				},
			};
		});
	}

	private permit(): SlotPermit {
		return this.workspace.permit(() => this.service.now());
	}

	private isSlotFree(): boolean {
		return this.workspace.freeSlots() > 0;
	}

	private wait<T>(
		{ signal, deadline = Infinity }: WaitOptions,
		enlist: (waiter: Waiter & { resolve(value: T): void }) => {
			dismiss: () => void;
			timeout: () => WaitTimeout;
		},
	): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			signal?.throwIfAborted();
			const over = new AbortController();
			const leave = () => {
				dismiss();
				over.abort();
				stopListening?.();
				if (this.isAnybodyWaiting()) return;
				this.alarm.abort();
				this.looking.abort();
			};
			const leaveWith = (reason: Error) => {
				leave();
				reject(reason);
			};
			const { dismiss, timeout } = enlist({
				resolve: (value) => {
					leave();
					resolve(value);
				},
				reject: leaveWith,
			});
			const stopListening =
				signal && this.aborts.onAbort(signal, () => leaveWith(signal.reason as Error));
			if (deadline < Infinity) void this.endAt(deadline, over.signal, () => leaveWith(timeout()));
			this.alarm.abort();
			if (!this.running) void this.run();
		});
	}

	/** Each wait has an alarm of its own: a look may take long, held up by a rate limit or by an answer that never comes. */
	private async endAt(deadline: number, over: AbortSignal, end: () => void): Promise<void> {
		await sleepUntil(this.clock, deadline, over).then(end, () => {});
	}

	private isAnybodyWaiting(): boolean {
		return this.briefs.size + this.slots.length > 0;
	}

	private async run(): Promise<void> {
		this.running = true;
		try {
			while (this.isAnybodyWaiting()) {
				const due = Math.max(this.nextLook(), this.notBefore);
				if (due > this.clock.now()) await this.rest(due);
				else await this.look();
			}
		} catch (unexpected) {
			this.failAll(unexpected as Error);
		} finally {
			this.running = false;
		}
	}

	/** Sleeps until the time comes, somebody joins or nobody is left. */
	private async rest(until: number): Promise<void> {
		this.alarm = new AbortController();
		const { signal } = this.alarm;
		await sleepUntil(this.clock, until, signal).catch((reason: unknown) => {
			if (!signal.aborted) throw reason;
		});
	}

	/** The time at which the next look is due for whoever is the first to need one. */
	private nextLook(): number {
		const { interval } = this.options;
		const from = doneFrom(this.durations, interval);
		const dues = [...this.briefs].map(({ since, brief }) => {
			const last = Math.max(this.lastLook, since);
			const isFar = isStageAway(brief.status, this.lastSeen);
			return last + (isFar ? interval.longest : pollGap(last - since, from, interval));
		});
		// Slots are seen in the list only, and given in the order of the queue.
		const nextList = this.lastList + interval.shortest;
		const [first] = this.slots;
		if (first !== undefined) dues.push(Math.max(nextList, first.notBefore));
		if (this.slots.some(({ once }) => once)) dues.push(nextList);
		return Math.min(...dues);
	}

	private async look(): Promise<void> {
		this.looking = new AbortController();
		const { signal } = this.looking;
		try {
			const [only] = this.briefs;
			if (only !== undefined && this.briefs.size === 1 && this.slots.length === 0) {
				await this.lookAt(only, signal);
			} else {
				await this.lookAtList(signal);
			}
			this.failures = 0;
		} catch (error) {
			if (!signal.aborted) this.endure(error as Error);
		}
	}

	private async lookAtList(signal: AbortSignal): Promise<void> {
		const missing = new Map([...this.briefs].map((waiter) => [waiter, waiter.brief.id]));
		let page = await this.service.briefs({}, signal);
		this.lastLook = this.lastList = this.clock.now();
		this.workspace.observePage(page.data, this.service.now());
		this.options.onLook?.();
		// Older pages cost one request each, like a get; so they are worth reading only while several briefs are missing.
		for (let reads = 0; ; reads += 1) {
			const byId = new Map(page.data.map((brief) => [brief.id, brief]));
			for (const [waiter, id] of missing) {
				const brief = byId.get(id);
				if (brief === undefined) continue;
				missing.delete(waiter);
				this.settle(waiter, brief);
			}
			if (missing.size - reads < 2 || page.next_cursor === null) break;
			page = await this.service.briefs({ cursor: page.next_cursor }, signal);
		}
		this.grantSlots();
		for (const waiter of missing.keys()) {
			if (this.briefs.has(waiter)) await this.lookAtMissing(waiter, signal);
		}
		if (this.slots.length > 0) await this.lookAfterUnlisted(signal);
		this.grantSlots();
	}

	private async lookAt(waiter: BriefWaiter, signal: AbortSignal): Promise<void> {
		const { id } = waiter.brief;
		const outcome = await outcomeOf(this.service.brief(id, signal));
		const now = this.clock.now();
		this.lastLook = now;
		if ('value' in outcome) {
			this.settle(waiter, outcome.value);
			return;
		}
		if (outcome.error.kind !== 'not_found') throw outcome.error;
		if (now - waiter.since <= NEW_BRIEF_GRACE_MS) return;
		this.workspace.forget(id);
		waiter.reject(outcome.error);
	}

	/** The list answers, so a brief that cannot be got is a trouble of its own, and not one of the others. */
	private async lookAtMissing(waiter: BriefWaiter, signal: AbortSignal): Promise<void> {
		const outcome = await outcomeOf(this.lookAt(waiter, signal));
		if ('value' in outcome) {
			waiter.failingSince = undefined;
			return;
		}
		const { error } = outcome;
		if (!isTransient(error.kind) || error.kind === 'rate_limited') throw error;
		const now = this.clock.now();
		waiter.failingSince ??= now;
		if (now - waiter.failingSince >= this.options.patience) waiter.reject(error);
	}

	/** Briefs of ours for which nobody waits, and which the list should show by now, must not hold a slot for ever. */
	private async lookAfterUnlisted(signal: AbortSignal): Promise<void> {
		const waitedFor = new Set([...this.briefs].map(({ brief }) => brief.id));
		for (const [id, since] of this.workspace.unlisted()) {
			if (waitedFor.has(id) || this.service.now() - since <= NEW_BRIEF_GRACE_MS) continue;
			const outcome = await outcomeOf(this.service.brief(id, signal));
			if ('value' in outcome) this.workspace.observe(outcome.value, this.service.now());
			else if (outcome.error.kind === 'not_found') this.workspace.forget(id);
			else if (!isTransient(outcome.error.kind)) throw outcome.error;
		}
	}

	private settle(waiter: BriefWaiter, brief: BriefSummary): void {
		this.workspace.observe(brief, this.service.now());
		// Whoever gave up during the look wants to hear no more.
		if (!this.briefs.has(waiter)) return;
		const before = waiter.brief.status;
		if (brief.status !== before) waiter.onStatus?.(brief);
		waiter.brief = brief;
		if (isRunning(brief)) return;
		if (waiter.teaches) this.durations.push(this.clock.now() - waiter.since);
		if (brief.status === 'ready') this.lastSeen.push(before);
		waiter.resolve(brief);
	}

	/** Strictly in order: while the first is held back, because the service refused it, so are all behind it. */
	private grantSlots(): void {
		const now = this.clock.now();
		let isHeld = false;
		for (const waiter of this.slots.slice()) {
			isHeld ||= waiter.notBefore > now;
			if (!isHeld && this.isSlotFree()) waiter.resolve(this.permit());
			else if (waiter.once) waiter.reject(slotsBusy());
		}
	}

	/** A look that failed changes nothing for those who wait, unless it cannot get better or lasts too long. */
	private endure(error: Error): void {
		const { patience, interval } = this.options;
		const now = this.clock.now();
		if (!(error instanceof ServiceError) || !isTransient(error.kind)) return this.failAll(error);
		if (this.failures === 0) this.failingSince = now;
		this.failures += 1;
		const next = Math.max(now + interval.shortest, retryAt(error, this.failures, now, interval));
		const isTooLong = next - now > LONGEST_RATE_WAIT_MS;
		if (isTooLong || now - this.failingSince >= patience) return this.failAll(error);
		this.notBefore = next;
	}

	private failAll(error: Error): void {
		this.failures = 0;
		for (const waiter of [...this.briefs, ...this.slots]) waiter.reject(error);
	}
}

function remove<T>(list: T[], item: T): void {
	const index = list.indexOf(item);
	if (index >= 0) list.splice(index, 1);
}

/** The answer to a single look that showed no free slot: no create was sent. */
function slotsBusy(): ServiceError {
	return new ServiceError({
		kind: 'slots_busy',
		operation: 'create_brief',
		status: null,
		code: '',
		message: 'Two briefs are already running in the workspace',
		details: [],
		requestId: '',
		retryAt: null,
	});
}
