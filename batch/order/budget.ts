import type { OrderingEnd } from '../../service/order/decide';
import { monthStart } from '../../service/list/month';
import type { DeferralCause } from '../folder/events';
import type { Records } from '../folder/records';
import type { Workspace } from '../../service/watch/workspace';

/** The briefs that this run may still order (P5). Times are milliseconds of the service's clock. */
export class Budget {
	/** The keys of orders sent, or about to be: their briefs may be paid for. */
	private readonly reservedKeys = new Set<string>();
	private usedUpIn: number | null = null;

	constructor(
		private readonly workspace: Workspace,
		/** Knows which briefs this run has paid for. */
		private readonly records: Pick<Records, 'lately'>,
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
			sameMonth ? this.start.used + this.paidKeys.size : 0,
		);
	}

	/** Gives what the allowance still gives this run, its limit apart. */
	remaining(now: number): number {
		return Math.max(0, this.briefsLeft(now));
	}

	/** Gives why nothing more may be ordered, or null. An order's own place does not count against it. */
	end(now: number, key?: string): OrderingEnd | null {
		if (this.briefsLeft(now, key) <= 0) return 'allowance';
		return this.paidKeys.size + this.reservations(key) >= this.bounds.max ? 'max' : null;
	}

	reserve(key: string): void {
		this.reservedKeys.add(key);
	}

	/** Nothing was paid for the order, or what was is on record. */
	free(key: string): void {
		this.reservedKeys.delete(key);
	}

	whyDeferred(now: number): DeferralCause {
		const { keep } = this.bounds;
		const briefsLeft = this.briefsLeft(now);
		if (briefsLeft > 0) return { reason: 'too_little' };
		return briefsLeft + keep > 0 && this.usedUpIn !== monthStart(now)
			? { reason: 'kept', keep }
			: { reason: 'used_up' };
	}

	/** The service says that nothing is left, whatever was counted here. */
	usedUp(now: number): void {
		this.usedUpIn = monthStart(now);
	}

	private briefsLeft(now: number, key?: string): number {
		if (this.usedUpIn === monthStart(now)) return 0;
		const briefs = (this.start.allowance ?? Infinity) - this.monthUse(now) - this.bounds.keep;
		return briefs - this.reservations(key);
	}

	/** Counts the other orders whose briefs may be paid for, and are not on record yet. */
	private reservations(key?: string): number {
		const { paidKeys } = this;
		return [...this.reservedKeys].filter((one) => one !== key && !paidKeys.has(one)).length;
	}

	private get paidKeys(): ReadonlySet<string> {
		const { knownIds } = this.start;
		const paidOrders = this.records
			.lately('accepted')
			.filter(({ is_paid, brief }) => is_paid && brief !== null && !knownIds.has(brief.id));
		return new Set(paidOrders.map(({ key }) => key));
	}
}
