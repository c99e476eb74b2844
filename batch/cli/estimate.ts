import { SLOTS, TYPICAL_DURATION_MS } from '../../service/limits';

/** What one brief costs a slot beyond its own time: until it is noticed, and the next is ordered (milliseconds). */
const BETWEEN_BRIEFS_MS = 8_500;
const ENOUGH_DURATIONS = 3;

export interface Estimate {
	likely: number;
	shortest: number;
	longest: number;
}

/**
 * How many milliseconds this many briefs take with this many slots, from the typical 3 to 6 minutes (docs/api.md section
 * 3).
 */
export function planned(briefs: number, slots = SLOTS): Estimate {
	const time = (each: number) => Math.ceil(briefs / slots) * (each + BETWEEN_BRIEFS_MS);
	const { min, max } = TYPICAL_DURATION_MS;
	return { shortest: time(min), likely: time((min + max) / 2), longest: time(max) };
}

/**
 * How long the rest takes, from the briefs that were watched; null while they are too few to say. The band is meant to
 * hold four times in five.
 */
export function observed(
	left: number,
	durations: readonly number[],
	slots: number,
): Estimate | null {
	const n = durations.length;
	if (n < ENOUGH_DURATIONS || left <= 0) return null;
	const mean = durations.reduce((sum, duration) => sum + duration, 0) / n;
	const variance = durations.reduce((sum, duration) => sum + (duration - mean) ** 2, 0) / (n - 1);
	const spread = Math.max(0.15, Math.sqrt(variance) / mean);
	const half = 1.28 * spread * Math.sqrt(1 / n + 1 / left);
	const likely = (left * mean) / Math.min(slots, left);
	return { likely, shortest: likely * Math.max(0, 1 - half), longest: likely * (1 + half) };
}
