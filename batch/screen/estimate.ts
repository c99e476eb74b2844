import { SLOTS, TYPICAL_DURATION_MS } from '../../service/api/limits';

/** The milliseconds that a brief costs a slot beyond its own: until it is noticed, and the next is ordered. */
const BETWEEN_BRIEFS_MS = 8_500;
const ENOUGH_DURATIONS = 3;

/**
 * Estimates the milliseconds that so many briefs take with this many slots, from the typical 3 to 6 minutes
 * (docs/api.md section 3).
 */
export function estimateOf(briefs: number, slots = SLOTS) {
	const time = (each: number) => Math.ceil(briefs / slots) * (each + BETWEEN_BRIEFS_MS);
	const { min, max } = TYPICAL_DURATION_MS;
	return { shortest: time(min), likely: time((min + max) / 2), longest: time(max) };
}

/** Estimates the milliseconds that the rest takes, from the briefs that were watched; null while they are too few. */
export function restOf(briefs: number, durations: readonly number[], slots: number): number | null {
	if (durations.length < ENOUGH_DURATIONS) return null;
	return (briefs * mean(durations)) / Math.min(slots, briefs);
}

export function mean(durations: readonly number[]): number {
	return durations.reduce((sum, duration) => sum + duration, 0) / durations.length;
}
