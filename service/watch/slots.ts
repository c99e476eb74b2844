import { isTransient, ServiceError } from '../errors';
import type { Clock } from '../ports';
import type { SlotHolder, SlotPermit, Workspace } from './workspace';

/** A permit for a slot that the list showed to be free. */
export interface FreeSlot extends SlotPermit {
	/** When the page was asked for that showed it, by this machine's clock: others may have taken it since. */
	readonly seenAt: number;
}

/** One who waits for a slot. */
export interface SlotRequest {
	/**
	 * Time of this machine's clock before which no slot is taken; -Infinity unless the service refused one that looked
	 * free.
	 */
	readonly notBefore: number;
	/** Whether it ends after the next look, whatever that shows. */
	readonly once: boolean;
}

/**
 * Who waits for a slot, in which order, and who gets one. Strictly in order: while the first is held back because the
 * service refused it, all behind it are held back too, for they would be refused as well.
 */
export class SlotQueue<T extends SlotRequest> {
	private readonly requests: T[] = [];

	get all(): readonly T[] {
		return this.requests;
	}

	/** Adds one at the end, or before all newcomers if the service refused it: those keep their places. */
	join(request: T): void {
		const isNew = ({ notBefore }: SlotRequest) => notBefore === -Infinity;
		const newcomer = isNew(request) ? -1 : this.requests.findIndex(isNew);
		this.requests.splice(newcomer < 0 ? this.requests.length : newcomer, 0, request);
	}

	leave(request: T): void {
		const place = this.requests.indexOf(request);
		if (place >= 0) this.requests.splice(place, 1);
	}

	/**
	 * Who gets one of the free slots, and who is refused one now; the others wait on. All stay in the queue.
	 * @param toGive how many of the free slots may be given at once
	 */
	serve(freeSlots: number, now: number, toGive = freeSlots): { granted: T[]; refused: T[] } {
		const held = this.requests.findIndex(({ notBefore }) => notBefore > now);
		const first = held < 0 ? this.requests.length : held;
		const granted = this.requests.slice(0, Math.min(toGive, first));
		return {
			granted,
			refused: this.requests.slice(Math.min(freeSlots, first)).filter(({ once }) => once),
		};
	}

	/** Whether one of them ends after the next look. */
	get isAnyForOnce(): boolean {
		return this.requests.some(({ once }) => once);
	}

	/**
	 * When to look at the list for those who wait, the only place where slots are seen; Infinity if nobody waits.
	 * @param next when a look may show more than the last one
	 */
	nextLook(next: number): number {
		const [first] = this.requests;
		if (first === undefined) return Infinity;
		return this.isAnyForOnce ? next : Math.max(next, first.notBefore);
	}
}

/** The answer where looks showed no free slot: no create was sent. */
export function slotsBusy(): ServiceError {
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

/** After so many times the longest time of one brief nobody waits for a slot any more. */
const PATIENCE_TIMEOUTS = 4;

/** A wait is told at once, and again when it has lasted so many minutes; after that once an hour. */
const TOLD_AFTER_MINUTES = [0, 1, 2, 5, 10, 20, 40, 60];
const MINUTE = 60_000;

/** For what a wait for a slot waits. Times are milliseconds of this machine's clock. */
export interface SlotWaitReport {
	since: number;
	/** Then at the latest it ends, if nothing can be ordered till then. */
	until: number;
	/** The list shows no free slot, or the service refuses a brief although it shows one. */
	cause: 'taken' | 'refused';
	holders: SlotHolder[];
}

export interface SlotPatienceOptions {
	/** How long one brief may run, in milliseconds. */
	timeout: number;
	/** Called when a wait is to be told. */
	tell: (report: SlotWaitReport) => void;
}

/** How long orders wait for a slot while nothing can be ordered, when that is told, and when it is long enough. */
export class SlotPatience {
	private since: number | null = null;
	private lastSeen = 0;
	/** How long it has lasted, but for the time that a computer slept. */
	private waited = 0;
	private told = 0;
	private cause: SlotWaitReport['cause'] = 'taken';

	constructor(
		private readonly workspace: Pick<Workspace, 'holders'>,
		private readonly clock: Pick<Clock, 'now'>,
		private readonly options: SlotPatienceOptions,
	) {}

	get isOver(): boolean {
		return this.waited >= this.bound;
	}

	/** A look shows no free slot, and somebody waits for one. */
	sawNone(): void {
		this.goesOn('taken');
	}

	/** A create was answered, with this error or with a brief. Only an answer that is final says that a slot was free. */
	createAnswered(error: ServiceError | null): void {
		if (error?.kind === 'slots_busy') return this.goesOn('refused');
		if (error !== null && isTransient(error.kind)) return;
		this.since = null;
		this.waited = this.told = 0;
	}

	report(): SlotWaitReport {
		const now = this.clock.now();
		const until = now + Math.max(0, this.bound - this.waited);
		const { cause } = this;
		return { since: this.since ?? now, until, cause, holders: this.workspace.holders() };
	}

	private get bound(): number {
		return PATIENCE_TIMEOUTS * this.options.timeout;
	}

	private goesOn(cause: SlotWaitReport['cause']): void {
		const now = this.clock.now();
		// Between two looks lie seconds, or a rate limit. Where it is more, the computer has slept.
		const more = Math.min(Math.max(0, now - this.lastSeen), this.options.timeout);
		this.waited += this.since === null ? 0 : more;
		this.since ??= now;
		this.lastSeen = now;
		this.cause = cause;
		if (this.waited < toldAfter(this.told)) return;
		while (this.waited >= toldAfter(this.told)) this.told += 1;
		this.options.tell(this.report());
	}
}

/** How long a wait has lasted when it is told for the nth time, from 0. */
function toldAfter(n: number): number {
	const last = TOLD_AFTER_MINUTES.length - 1;
	const minutes = TOLD_AFTER_MINUTES[n] ?? 60 * (n - last + 1);
	return minutes * MINUTE;
}
