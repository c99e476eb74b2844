import { isTransient, type ServiceError } from '../errors';
import type { Clock } from '../ports';
import type { SlotHolder } from './slot-holders';
import type { Workspace } from './workspace';

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
