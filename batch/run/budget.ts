import { monthStart } from '../../service/month';
import type { Workspace } from '../../service/workspace';

/** Why no further brief is ordered: what is left of the month is wanted for others, or the run's own limit is met. */
export type BudgetEnd = 'allowance' | 'max';

/** How many briefs this run may still order (P5). Times are milliseconds of the service's clock. */
export class Budget {
	/** Orders sent whose answer is not known. */
	private reserved = 0;
	private created = 0;
	private usedUpIn: number | null = null;

	constructor(
		private readonly workspace: Workspace,
		/** `known` are the ids of the briefs that `used` counts: one that answers an old order is not a new one. */
		private readonly start: {
			allowance: number;
			used: number;
			at: number;
			known?: ReadonlySet<string>;
		},
		private readonly bounds: { keep: number; max: number },
	) {}

	/** Briefs used of this month's allowance, by everybody. */
	used(now: number): number {
		const sameMonth = monthStart(now) === monthStart(this.start.at);
		return Math.max(this.workspace.used(now), sameMonth ? this.start.used + this.created : 0);
	}

	/** What the allowance still gives this run, its limit apart. */
	remaining(now: number): number {
		if (this.usedUpIn === monthStart(now)) return 0;
		const left = this.start.allowance - this.used(now) - this.bounds.keep - this.reserved;
		return Math.max(0, left);
	}

	/** Why nothing more may be ordered, or null. */
	end(now: number): BudgetEnd | null {
		if (this.remaining(now) <= 0) return 'allowance';
		return this.created + this.reserved >= this.bounds.max ? 'max' : null;
	}

	reserve(): { spent(briefId: string): void; free(): void } {
		this.reserved += 1;
		let open = true;
		const close = () => {
			if (open) this.reserved -= 1;
			open = false;
		};
		return {
			spent: (briefId) => {
				close();
				if (this.start.known?.has(briefId) !== true) this.created += 1;
			},
			free: close,
		};
	}

	/** The service says that nothing is left, whatever we counted. */
	usedUp(now: number): void {
		this.usedUpIn = monthStart(now);
	}
}
