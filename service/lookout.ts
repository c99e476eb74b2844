import { ServiceError, isTransient } from './errors';
import { outcomeOf } from './outcome';
import { retryAt } from './patience';
import type { Clock } from './ports';
import { isRunning, type BriefSummary } from './resources';
import { doneFrom, pollGap, type PollInterval } from './schedule';
import type { BriefingService } from './service';
import type { Lease, Workspace } from './workspace';

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

interface Waiter extends WaitOptions {
	reject(reason: Error): void;
}
interface BriefWaiter extends Waiter {
	brief: BriefSummary;
	/** Time of our clock from which its age counts. */
	since: number;
	teaches: boolean;
	resolve(brief: BriefSummary): void;
	onStatus?(brief: BriefSummary): void;
}
interface SlotWaiter extends Waiter {
	resolve(lease: Lease): void;
	notBefore: number;
	/** Answer after the next look, whatever it shows. */
	once: boolean;
}

export interface LookoutOptions {
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
export class Lookout {
	private readonly briefs = new Set<BriefWaiter>();
	private readonly slots: SlotWaiter[] = [];
	private readonly durations: number[];
	private lastLook = -Infinity;
	private lastList = -Infinity;
	private failures = 0;
	private failingSince = 0;
	private notBefore = -Infinity;
	private running = false;
	private alarm = new AbortController();

	constructor(
		private readonly service: BriefingService,
		private readonly clock: Clock,
		private readonly workspace: Workspace,
		private readonly options: LookoutOptions,
	) {
		this.durations = [...(options.durations ?? [])];
	}

	/** Takes in a newest page that was read for another reason, as if it had been a look. */
	saw(newestPage: readonly BriefSummary[]): void {
		this.lastLook = this.lastList = this.clock.now();
		this.workspace.see(newestPage, this.service.now());
	}

	/**
	 * Waits until a slot is free, in the order of asking. With `once`, looks a single time.
	 * @throws {ServiceError} slots_busy with `once`, or what ended the looks
	 * @throws {WaitTimeout} at the deadline
	 */
	takeSlot(options: WaitOptions & { notBefore?: number; once?: boolean } = {}): Promise<Lease> {
		const { notBefore = -Infinity, once = false } = options;
		const isFresh = this.clock.now() - this.lastList <= this.options.interval.shortest / 5;
		if (isFresh && notBefore <= this.clock.now() && this.slots.length === 0 && this.isSlotFree()) {
			options.signal?.throwIfAborted();
			return Promise.resolve(this.lease());
		}
		return this.wait<Lease>(options, (waiter) => {
			const slotWaiter = { ...waiter, notBefore, once };
			this.slots.push(slotWaiter);
			return () => remove(this.slots, slotWaiter);
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
			const briefWaiter = {
				...waiter,
				brief,
				since: since ?? this.clock.now(),
				teaches: since !== undefined,
				onStatus,
			};
			this.briefs.add(briefWaiter);
			return () => void this.briefs.delete(briefWaiter);
		});
	}

	private lease(): Lease {
		return this.workspace.lease(() => this.service.now());
	}

	private isSlotFree(): boolean {
		return this.workspace.freeSlots() > 0;
	}

	private wait<T>(
		{ signal, deadline }: WaitOptions,
		enlist: (waiter: Waiter & { resolve(value: T): void }) => () => void,
	): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			signal?.throwIfAborted();
			const leave = () => {
				dismiss();
				signal?.removeEventListener('abort', onAbort);
			};
			const onAbort = () => {
				leave();
				this.alarm.abort();
				reject(signal?.reason as Error);
			};
			const dismiss = enlist({
				signal,
				deadline,
				resolve: (value) => {
					leave();
					resolve(value);
				},
				reject: (reason) => {
					leave();
					reject(reason);
				},
			});
			signal?.addEventListener('abort', onAbort);
			this.alarm.abort();
			if (!this.running) void this.run();
		});
	}

	private async run(): Promise<void> {
		this.running = true;
		try {
			while (this.briefs.size + this.slots.length > 0) {
				const now = this.clock.now();
				const wait = Math.max(this.nextLook(), this.notBefore) - now;
				const untilDeadline = this.nextDeadline() - now;
				if (wait <= 0) await this.look();
				else if (untilDeadline > 0) await this.rest(Math.min(wait, untilDeadline));
				this.expire();
			}
		} catch (unexpected) {
			this.failAll(unexpected as Error);
		} finally {
			this.running = false;
		}
	}

	/** Sleeps until the time is up or somebody joins or leaves. */
	private async rest(ms: number): Promise<void> {
		this.alarm = new AbortController();
		const { signal } = this.alarm;
		await this.clock.sleep(ms, signal).catch((reason: unknown) => {
			if (!signal.aborted) throw reason;
		});
	}

	/** The time at which the next look is due for whoever is the first to need one. */
	private nextLook(): number {
		const { interval } = this.options;
		const from = doneFrom(this.durations, interval);
		const dues = [...this.briefs].map(({ since }) => {
			const last = Math.max(this.lastLook, since);
			return last + pollGap(last - since, from, interval);
		});
		for (const { notBefore } of this.slots) {
			dues.push(Math.max(this.lastLook + interval.shortest, notBefore));
		}
		return Math.min(...dues);
	}

	private waiters(): Waiter[] {
		return [...this.briefs, ...this.slots];
	}

	private nextDeadline(): number {
		return Math.min(Infinity, ...this.waiters().map((waiter) => waiter.deadline ?? Infinity));
	}

	private async look(): Promise<void> {
		try {
			const [only] = this.briefs;
			if (only !== undefined && this.briefs.size === 1 && this.slots.length === 0) {
				await this.lookAt(only);
			} else {
				await this.lookAtList();
			}
			this.failures = 0;
		} catch (error) {
			this.endure(error as Error);
		}
		this.lastLook = this.clock.now();
	}

	private async lookAtList(): Promise<void> {
		const missing = new Map([...this.briefs].map((waiter) => [waiter, waiter.brief.id]));
		let page = await this.service.briefs();
		this.lastList = this.clock.now();
		this.workspace.see(page.data, this.service.now());
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
			page = await this.service.briefs({ cursor: page.next_cursor });
		}
		this.grantSlots();
		for (const waiter of missing.keys()) await this.lookAt(waiter);
		this.grantSlots();
	}

	private async lookAt(waiter: BriefWaiter): Promise<void> {
		const outcome = await outcomeOf(this.service.brief(waiter.brief.id));
		if ('value' in outcome) this.settle(waiter, outcome.value);
		else if (outcome.error.kind !== 'not_found') throw outcome.error;
		else if (this.clock.now() - waiter.since > NEW_BRIEF_GRACE_MS) waiter.reject(outcome.error);
	}

	private settle(waiter: BriefWaiter, brief: BriefSummary): void {
		this.workspace.note(brief, this.service.now());
		if (brief.status !== waiter.brief.status) waiter.onStatus?.(brief);
		waiter.brief = brief;
		if (isRunning(brief)) return;
		if (waiter.teaches) this.durations.push(this.clock.now() - waiter.since);
		waiter.resolve(brief);
	}

	private grantSlots(): void {
		const now = this.clock.now();
		for (const waiter of this.slots.slice()) {
			if (waiter.notBefore > now && !waiter.once) continue;
			if (this.isSlotFree()) waiter.resolve(this.lease());
			else if (waiter.once) waiter.reject(slotsBusy());
		}
	}

	/** A look that failed changes nothing for those who wait, unless it cannot get better or lasts too long. */
	private endure(error: Error): void {
		const now = this.clock.now();
		if (!(error instanceof ServiceError) || !isTransient(error.kind)) return this.failAll(error);
		if (this.failures === 0) this.failingSince = now;
		this.failures += 1;
		if (now - this.failingSince >= this.options.patience) return this.failAll(error);
		this.notBefore = retryAt(error, this.failures, now, this.options.interval);
	}

	private failAll(error: Error): void {
		for (const waiter of this.waiters()) waiter.reject(error);
	}

	private expire(): void {
		const now = this.clock.now();
		for (const waiter of this.waiters()) {
			if ((waiter.deadline ?? Infinity) > now) continue;
			const brief = 'brief' in waiter ? (waiter as BriefWaiter).brief : undefined;
			const what = brief === undefined ? 'No slot came free' : `The brief is still ${brief.status}`;
			waiter.reject(new WaitTimeout(`${what} at the end of the waiting time`, brief));
		}
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
