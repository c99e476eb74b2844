import { briefsDownTo } from './brief-list';
import type { Lister } from './pages';
import { monthStart, nextMonthStart } from './month';
import { isRunning, type BriefSummary, type Licence, type Timestamp } from '../api/resources';
import { instantOf } from '../api/timestamps';

/** The month's briefs of a workspace. */
export interface Allowance {
	/** Null if unknown: then the service's 429 decides. */
	allowance: number | null;
	used: number;
	remaining: number | null;
	/** Briefs that run in the workspace now, whoever ordered them. */
	running: number;
	/** Start of the next month in UTC, ISO 8601. */
	resets_at: string;
	/** Facts that are unknown, in sentences. Nothing is refused because of it. */
	notices: string[];
}

/** Counts each brief of a UTC month once, by its ID. */
export class MonthUse {
	/** Briefs without a readable time count for no month. */
	private readonly undated = new Set<string>();
	private readonly months = new Map<number, Set<string>>();

	add(id: string, createdAt: Timestamp): void {
		const instant = instantOf(createdAt);
		if (instant === null) {
			this.undated.add(id);
			return;
		}
		this.undated.delete(id);
		const month = monthStart(instant);
		const ids = this.months.get(month) ?? new Set<string>();
		this.months.set(month, ids.add(id));
	}

	inMonthOf(now: number): number {
		return this.months.get(monthStart(now))?.size ?? 0;
	}

	get uncounted(): number {
		return this.undated.size;
	}
}

/** Reads the briefs of this month that the list shows, perhaps with some older ones. */
export async function briefsOfThisMonth(
	service: Lister,
	signal?: AbortSignal,
): Promise<readonly BriefSummary[]> {
	return (await briefsDownTo(service, monthStart(service.now()), signal)).briefs;
}

/**
 * Counts this month's briefs. `used_this_month` may read 0 for creator-briefs (docs/api.md section 2.1) and the list
 * may hide briefs, so the higher figure counts.
 * @param use what is known of the month without these briefs
 */
export function allowanceOf(
	licence: Licence | null,
	briefs: readonly BriefSummary[],
	now: number,
	use = new MonthUse(),
): Allowance {
	for (const brief of briefs) use.add(brief.id, brief.created_at);
	const used = Math.max(use.inMonthOf(now), licence?.used_this_month ?? 0);
	// Anything but a positive number may mean "no limit", "not set" or "none".
	const stated = licence?.monthly_allowance ?? 0;
	const allowance = stated > 0 ? stated : null;
	return {
		allowance,
		used,
		remaining: allowance === null ? null : Math.max(0, allowance - used),
		running: briefs.filter(isRunning).length,
		resets_at: new Date(nextMonthStart(now)).toISOString(),
		notices: [
			...(allowance === null ? [NOT_KNOWN] : []),
			...(use.uncounted === 0 ? [] : [undatedNotice(use.uncounted)]),
		],
	};
}

const NOT_KNOWN =
	'The month’s allowance is not known, because the licence names no positive number. The service refuses (429) orders beyond it.';

function undatedNotice(n: number): string {
	const which = n === 1 ? '1 brief has a creation time' : `${n} briefs have creation times`;
	return `${which} that cannot be read, so this month’s use may be higher than shown. The service refuses (429) orders beyond the allowance.`;
}
