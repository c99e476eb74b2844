import type { BriefSummary } from '../api/types';
import { parseTimestamp } from '../api/timestamps';

/**
 * The creation times of briefs, by the service's clock. They sort briefs, and they tell ages in hours and days. They
 * decide nothing that a few minutes change: the clocks of the service can differ, and its times can be rounded.
 */

/** Returns when the brief was created. A brief whose time cannot be read counts as new. */
export function getCreationTime({ created_at }: Pick<BriefSummary, 'created_at'>): number {
	return parseTimestamp(created_at) ?? Infinity;
}

/** True if the brief is older than this. A brief whose time cannot be read is young, because an error must not pay. */
export function isOlderThan(
	brief: Pick<BriefSummary, 'created_at'>,
	age: number,
	now: number,
): boolean {
	return now - getCreationTime(brief) > age;
}

/** Sorts the newest brief first. Keys depend on this sequence, so every process must arrive at the same. */
export function compareNewest(a: BriefSummary, b: BriefSummary): number {
	const [timeA, timeB] = [getCreationTime(a), getCreationTime(b)];
	if (timeA !== timeB) return timeA > timeB ? -1 : 1;
	return a.id < b.id ? 1 : -1;
}
