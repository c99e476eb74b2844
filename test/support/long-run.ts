import type fc from 'fast-check';

/** True in the nightly run, which tries more of everything. */
export const isTorture = process.env.TORTURE === '1';

/**
 * Returns the settings of a property. SEED and SEED_PATH, as a failure prints them, play a draw again. Only the nightly run
 * makes new draws: a change must not fail for a reason that it has not touched.
 */
export function draws(numRuns: number, usualSeed: number): fc.Parameters<unknown> {
	const { SEED, SEED_PATH } = process.env;
	return {
		numRuns,
		...(isTorture && SEED === undefined ? {} : { seed: Number(SEED ?? usualSeed) }),
		...(SEED_PATH === undefined ? {} : { path: SEED_PATH, endOnFailure: true }),
	};
}
