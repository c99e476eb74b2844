import { monthStart, nextMonthStart } from './month';
import { briefsDownTo } from './brief-list';
import { isRunning, type BriefSummary, type Licence, type Timestamp } from './resources';
import type { BriefingService } from './service';
import { instantOf } from './timestamps';

/** The month's briefs of a workspace: what the allowance allows, what is used of it, and when it starts anew. */
export interface Allowance {
	allowance: number;
	used: number;
	remaining: number;
	/** Briefs running in the workspace now, whoever started them. */
	running: number;
	/** Start of the next month in UTC, ISO 8601. */
	resets_at: string;
}

/** Counts the briefs of each UTC month by their ids, so that seeing one twice changes nothing. */
export class MonthUse {
	private readonly counted = new Set<string>();
	/** How many briefs each month has had, by its start. */
	private readonly months = new Map<number, number>();

	/** Takes in one brief. Where its time cannot be read it counts as created now, which errs on the safe side. */
	add(id: string, createdAt: Timestamp, now: number): void {
		if (this.counted.has(id)) return;
		this.counted.add(id);
		const month = monthStart(instantOf(createdAt) ?? now);
		this.months.set(month, (this.months.get(month) ?? 0) + 1);
	}

	used(now: number): number {
		return this.months.get(monthStart(now)) ?? 0;
	}
}

/** The briefs of this month, as far as the list shows them, perhaps with some older ones. */
export async function briefsOfThisMonth(
	service: Pick<BriefingService, 'briefs' | 'now'>,
	signal?: AbortSignal,
): Promise<readonly BriefSummary[]> {
	return (await briefsDownTo(service, monthStart(service.now()), signal)).briefs;
}

/**
 * The allowance as it stands. `used_this_month` may read 0 for creator-briefs (docs/service.md section 2.1) and the
 * list may hide briefs, so the higher of the two counts.
 * @param use what is known of the month without these briefs
 */
export function allowanceOf(
	licence: Licence,
	briefs: readonly BriefSummary[],
	now: number,
	use = new MonthUse(),
): Allowance {
	for (const brief of briefs) use.add(brief.id, brief.created_at, now);
	const used = Math.max(use.used(now), licence.used_this_month);
	return {
		allowance: licence.monthly_allowance,
		used,
		remaining: Math.max(0, licence.monthly_allowance - used),
		running: briefs.filter(isRunning).length,
		resets_at: new Date(nextMonthStart(now)).toISOString(),
	};
}
