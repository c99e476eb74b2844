import { monthStart, nextMonthStart } from '../sandbox-clock';
import type { Switches } from '../switches';
import { limitReached } from '../refusal';

/**
 * What each workspace has used of ContentIQ's allowance in the current month. docs/api.md section 8: reaching it
 * yields 429; what uses it is not shown.
 */
export class MonthlyUse {
	private readonly used = new Map<string, number>();

	constructor(private readonly switches: Switches) {}

	inMonthOf(now: number, workspace: string): number {
		return this.used.get(`${workspace} ${monthStart(now)}`) ?? 0;
	}

	/** Throws a Refusal when nothing is left. */
	count(now: number, workspace: string): void {
		const quota = this.switches.contentIqAllowance;
		if (quota <= 0) return;
		const used = this.inMonthOf(now, workspace);
		if (used >= quota) {
			const waitMs = nextMonthStart(now) - now;
			throw limitReached({ policy: 'hooks-per-month', quota, remaining: 0, waitMs }, this.switches);
		}
		this.used.set(`${workspace} ${monthStart(now)}`, used + 1);
	}
}
