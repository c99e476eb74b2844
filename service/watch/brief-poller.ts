import type { Clock } from '../ports';
import { isRunning, type BriefSummary } from '../resources';
import type { BriefingService } from '../service';
import { sleepUntil } from '../sleep';
import { instantOf } from '../timestamps';
import { stillRunning, type BriefWait, type BriefWaitOptions } from './brief-wait';
import { FailedLooks } from './failed-looks';
import { LookTimes } from './look-times';
import { Looks, type LooksOptions } from './looks';
import type { SlotPatience } from './slot-patience';
import { SlotQueue } from './slot-queue';
import { noSlotInTime, slotsBusy, type FreeSlot, type SlotWait } from './slot-wait';
import { Waits, type WaitOptions } from './waiting';
import { WatchedBriefs } from './watched-briefs';
import type { Workspace } from './workspace';

/** What was not seen for so many of the longest intervals could not be looked at. */
const MISSED_LOOKS = 4;

export interface BriefPollerOptions extends LooksOptions {
	/** How long briefs took that ended before (milliseconds, oldest first). */
	durations?: readonly number[];
}

/**
 * Waits for briefs to end and for slots to come free, for everybody who asks: one look at the workspace serves them
 * all. It looks only while somebody waits.
 */
export class BriefPoller {
	private readonly briefs: WatchedBriefs<BriefWait>;
	private readonly slots = new SlotQueue<SlotWait>();
	private readonly waits: Waits;
	private readonly times: LookTimes;
	private readonly looks: Looks;
	private readonly failed: FailedLooks;
	private isRunning = false;
	/** Ends the sleep until the next look, because somebody joins or nobody is left. */
	private sleeping = new AbortController();
	/** Ends the look under way, because nobody is left. */
	private looking = new AbortController();

	constructor(
		service: BriefingService,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly options: BriefPollerOptions,
	) {
		this.briefs = new WatchedBriefs(options.durations ?? []);
		this.waits = new Waits(clock);
		const { briefs, slots } = this;
		const waiters = { briefs, slots };
		this.times = new LookTimes(service, clock, workspace, waiters, options);
		this.looks = new Looks(service, clock, workspace, waiters, this.times, options);
		this.failed = new FailedLooks(clock, options);
	}

	/** Whether a page of the list was ever taken in. */
	hasSeenList(): boolean {
		return this.times.hasSeenList();
	}

	/**
	 * Takes in a newest page that was read for another reason, as if it had been a look.
	 * @param age how long ago it was read, in milliseconds: others may have taken the slots since
	 */
	observePage(newestPage: readonly BriefSummary[], age = 0): void {
		this.looks.observePage(newestPage, age);
	}

	/**
	 * Waits until a slot is free, in the order of asking. With `once`, looks a single time. `notBefore` is for a request
	 * that the service refused although a slot looked free: it keeps its place, and those behind it wait with it.
	 * @throws {ServiceError} slots_busy with `once`, what ended the looks, or the rate limit that held them back
	 * @throws {WaitTimeout} at the deadline
	 */
	takeSlot(options: WaitOptions & { notBefore?: number; once?: boolean } = {}): Promise<FreeSlot> {
		const { signal, notBefore = -Infinity, once = false } = options;
		if (signal?.aborted) return Promise.reject(signal.reason as Error);
		if (this.times.isListFresh()) {
			const isFirst = this.slots.all.length === 0 && notBefore <= this.clock.now();
			if (isFirst && this.workspace.slotsToGive() > 0) return Promise.resolve(this.looks.permit());
			if (once && this.workspace.freeSlots() === 0) return Promise.reject(slotsBusy());
		}
		const begunAt = this.clock.now();
		const promise = this.waits.begin<FreeSlot>(options, (waiting) => {
			const wait: SlotWait = { waiting, notBefore, once };
			this.slots.join(wait);
			this.looks.tellSlotWait();
			return {
				onEnd: () => this.leave(() => this.slots.leave(wait)),
				timeout: () => {
					const seenAt = Math.max(begunAt, this.times.listAskedAt);
					return this.times.heldBackBy() ?? noSlotInTime(this.unseenFor(seenAt));
				},
			};
		});
		this.wakeUp();
		return promise;
	}

	/**
	 * Waits until a brief has ended, ready or failed.
	 * @param options.since time of this machine's clock at which it was created, where that is known: then the others'
	 *   waits learn from how long it took
	 * @param options.seenAt time of this machine's clock at which it was seen as it is given
	 * @throws {ServiceError} not_found, or what ended the looks
	 * @throws {WaitTimeout} at the deadline
	 */
	ended(brief: BriefSummary, options: BriefWaitOptions = {}): Promise<BriefSummary> {
		if (!isRunning(brief)) return Promise.resolve(brief);
		const { signal, since, seenAt, onStatus, isItself } = options;
		if (signal?.aborted) return Promise.reject(signal.reason as Error);
		const begunAt = this.clock.now();
		const promise = this.waits.begin<BriefSummary>(options, (waiting) => {
			const wait: BriefWait = {
				waiting,
				onStatus,
				isItself,
				brief,
				seenAt,
				shownAt: seenAt,
				since: since ?? this.clock.now(),
				isStartKnown: since !== undefined,
			};
			this.briefs.all.add(wait);
			return {
				onEnd: () => this.leave(() => this.briefs.all.delete(wait)),
				timeout: () => stillRunning(wait.brief, this.unseenFor(wait.shownAt ?? begunAt)),
			};
		});
		this.wakeUp();
		return promise;
	}

	/**
	 * Whether both slots were taken, as a look of this moment shows it. For an order that holds a slot and was refused.
	 * @param then when it was refused, by the service's clock: what has ended since had a slot at that time
	 * @throws {ServiceError} what the service answered to the look
	 */
	async wereSlotsTaken(then: number, signal?: AbortSignal): Promise<boolean> {
		const { data } = await this.looks.lookAtNewest(signal);
		const ended = data.filter(({ finished_at: end }) => (instantOf(end) ?? -Infinity) >= then);
		return this.workspace.areSlotsTaken(ended.length);
	}

	/** How long slots are waited for, where that is bounded for all together. */
	get slotPatience(): SlotPatience | undefined {
		return this.options.slotPatience;
	}

	/** How long ago it was seen, where it would have been looked at several times since; else 0. */
	private unseenFor(seenAt: number): number {
		const age = this.clock.now() - seenAt;
		return age > MISSED_LOOKS * this.options.interval.longest ? age : 0;
	}

	private isAnybodyWaiting(): boolean {
		return this.briefs.all.size + this.slots.all.length > 0;
	}

	/** Somebody joined: the next look may be due sooner. */
	private wakeUp(): void {
		this.sleeping.abort();
		if (!this.isRunning) void this.run();
	}

	private leave(remove: () => void): void {
		remove();
		if (this.isAnybodyWaiting()) return;
		this.sleeping.abort();
		this.looking.abort();
	}

	private async run(): Promise<void> {
		this.isRunning = true;
		try {
			while (this.isAnybodyWaiting()) {
				const due = Math.max(this.times.next(), this.failed.notBefore);
				if (due > this.clock.now()) await this.sleep(due);
				else await this.look();
			}
		} catch (unexpected) {
			this.failAll(unexpected as Error);
		} finally {
			this.isRunning = false;
		}
	}

	/** Sleeps until the time comes, somebody joins or nobody is left. */
	private async sleep(until: number): Promise<void> {
		this.sleeping = new AbortController();
		const { signal } = this.sleeping;
		await sleepUntil(this.clock, until, signal).catch((reason: unknown) => {
			if (!signal.aborted) throw reason;
		});
	}

	private async look(): Promise<void> {
		this.looking = new AbortController();
		const { signal } = this.looking;
		try {
			await this.looks.look(signal);
			this.failed.forget();
		} catch (error) {
			if (!signal.aborted && !this.failed.endure(error as Error)) this.failAll(error as Error);
		}
	}

	private failAll(error: Error): void {
		this.failed.forget();
		for (const { waiting } of [...this.briefs.all, ...this.slots.all]) waiting.reject(error);
	}
}
