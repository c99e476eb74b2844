import type fc from 'fast-check';

/** True in the nightly run, which tests more cases. */
export const isTorture = process.env.TORTURE === '1';

/**
 * Returns the settings of a property test. SEED and SEED_PATH, as a failure prints them, repeat its values. Only the
 * nightly run draws new values: the check of a change must not fail for an unrelated reason.
 */
export function getPropertySettings(numRuns: number, usualSeed: number): fc.Parameters<unknown> {
	const { SEED, SEED_PATH } = process.env;
	return {
		numRuns,
		...(isTorture && SEED === undefined ? {} : { seed: Number(SEED ?? usualSeed) }),
		...(SEED_PATH === undefined ? {} : { path: SEED_PATH, endOnFailure: true }),
	};
}
