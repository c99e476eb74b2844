/** How long a heart that beats so often is waited for: milliseconds. */
export interface Pace {
	/** Between two beats. */
	beat: number;
}

export const PACE: Pace = { beat: 5000 };

/** Others take a lock over after so many beats have failed to come while they watched. */
const WATCHED_BEATS = 4;

/**
 * A holder trusts its own lock for so long only. What is left of the time that others watch is for whatever lies
 * between its last check and what it then does.
 */
const TRUSTED_BEATS = 2;

/** Looks in the time of one beat. */
const LOOKS_A_BEAT = 5;

/** A lock file gets its text within moments. One that is unreadable for this long will stay so. */
const WRITING_MS = 2000;

/** How others watch a lock: milliseconds between two looks, and how many. `beat` is missing for an unreadable one. */
export function watchOf(beat: number | undefined): { every: number; looks: number } {
	if (beat === undefined) return { every: WRITING_MS, looks: 1 };
	return { every: beat / LOOKS_A_BEAT, looks: WATCHED_BEATS * LOOKS_A_BEAT };
}

export function trustedFor({ beat }: Pace): number {
	return TRUSTED_BEATS * beat;
}
