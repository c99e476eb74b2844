import type { OrderingEnd } from '../../service/order/decide';
import { monthStart } from '../../service/list/month';
import type { DeferralCause } from '../folder/events';
import type { Workspace } from '../../service/watch/workspace';

/** The briefs that this run may still order (P5). Times are milliseconds of the service's clock. */
export class Budget {
	/** The keys of orders sent, or about to be, whose answer is not known: their briefs may be paid for. */
	private readonly reservedKeys = new Set<string>();
	private createdBriefs = 0;
	private usedUpIn: number | null = null;

	constructor(
		private readonly workspace: Workspace,
		/** `knownIds` are those of the briefs that `used` counts: one that answers an old order is not a new one. */
		private readonly start: {
			allowance: number | null;
			used: number;
			at: number;
			knownIds: ReadonlySet<string>;
		},
		private readonly bounds: { keep: number; max: number },
	) {}

	/** The briefs of the month; null if that is not known. */
	get allowance(): number | null {
		return this.start.allowance;
	}

	/** Briefs used of this month's allowance, by everybody. */
	monthUse(now: number): number {
		const sameMonth = monthStart(now) === monthStart(this.start.at);
		return Math.max(
			this.workspace.monthUse(now),
			sameMonth ? this.start.used + this.createdBriefs : 0,
		);
	}

	/** Gives what the allowance still gives this run, its limit apart. */
	remaining(now: number): number {
		return Math.max(0, this.briefsLeftOf(now, this.reservedKeys.size));
	}

	/** Gives why nothing more may be ordered, or null. An order's own place does not count against it. */
	end(now: number, key?: string): OrderingEnd | null {
		const reservations =
			this.reservedKeys.size - (key !== undefined && this.reservedKeys.has(key) ? 1 : 0);
		if (this.briefsLeftOf(now, reservations) <= 0) return 'allowance';
		return this.createdBriefs + reservations >= this.bounds.max ? 'max' : null;
	}

	reserve(key: string): void {
		this.reservedKeys.add(key);
	}

	/** Nothing was paid for the order. */
	free(key: string): void {
		this.reservedKeys.delete(key);
	}

	spent(key: string, briefId: string): void {
		this.reservedKeys.delete(key);
		if (!this.start.knownIds.has(briefId)) this.createdBriefs += 1;
	}

	whyDeferred(now: number): DeferralCause {
		const { keep } = this.bounds;
		const briefsLeft = this.briefsLeftOf(now, this.reservedKeys.size);
		if (briefsLeft > 0) return { reason: 'too_little' };
		return briefsLeft + keep > 0 && this.usedUpIn !== monthStart(now)
			? { reason: 'kept', keep }
			: { reason: 'used_up' };
	}

	/** The service says that nothing is left, whatever was counted here. */
	usedUp(now: number): void {
		this.usedUpIn = monthStart(now);
	}

	private briefsLeftOf(now: number, reservations: number): number {
		if (this.usedUpIn === monthStart(now)) return 0;
		return (
			(this.start.allowance ?? Infinity) - this.monthUse(now) - this.bounds.keep - reservations
		);
	}
}
