import { TYPICAL_DURATION_MS } from '../limits';
import type { PollInterval } from '../poll-interval';
import type { BriefStatus } from '../resources';

/** While fewer briefs than this have ended, the vendor's typical duration says more than they do. */
const ENOUGH_DURATIONS = 8;
const REMEMBERED_DURATIONS = 200;

/**
 * The time to leave between two looks at a brief of this age. While hardly any brief can be done, looking seldom
 * costs nothing: the longest interval. From the age at which the first ones are done: the shortest.
 */
export function pollGap(
	ageMs: number,
	doneFromMs: number,
	{ shortest, longest }: PollInterval,
): number {
	return Math.max(shortest, Math.min(longest, doneFromMs - ageMs));
}

/**
 * The age at which the first briefs are done: the 5 % quantile of the durations seen (milliseconds, oldest first).
 * Quick ones do not count: they are early failures, and would make all others be looked at for nothing.
 */
export function doneFrom(durations: readonly number[], { shortest }: PollInterval): number {
	// Twelve of the shortest intervals are three minutes by default, and keep their meaning in faster time.
	const typical = Math.min(TYPICAL_DURATION_MS.min, 12 * shortest);
	const seen = durations.slice(-REMEMBERED_DURATIONS).filter((duration) => duration >= typical / 3);
	if (seen.length < ENOUGH_DURATIONS) return typical;
	seen.sort((a, b) => a - b);
	return seen[Math.floor(seen.length * 0.05)] ?? typical;
}

/** Only from `checking` does a brief become ready; these come before. */
const EARLIER_STATUSES: readonly BriefStatus[] = ['queued', 'researching', 'writing'];
const FEW_ENDED = 4;
const RECENT_ENDED = 20;

/**
 * Whether a brief in this status can be left alone for the longest interval whatever its age, because another stage
 * stands between it and its end. That only holds where the stage is long enough to be seen, so it is given up when
 * most briefs went from an earlier status to their end between two looks.
 * @param lastSeen the status in which each brief that became ready was last seen running, oldest first
 */
export function isStageAway(status: BriefStatus, lastSeen: readonly BriefStatus[]): boolean {
	if (!EARLIER_STATUSES.includes(status)) return false;
	const recent = lastSeen.slice(-RECENT_ENDED);
	const unseen = recent.filter((before) => EARLIER_STATUSES.includes(before)).length;
	return recent.length < FEW_ENDED || unseen * 2 <= recent.length;
}
