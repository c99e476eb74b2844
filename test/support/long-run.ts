import type fc from 'fast-check';

/** TORTURE=1 is the long run, which tries more of everything. */
export const isTorture = process.env.TORTURE === '1';

/**
 * So many draws. SEED and SEED_PATH, as a failure prints them, play one again. New draws are for the long run: a change
 * must not fail for what it has not touched.
 */
export function draws(numRuns: number, usualSeed: number): fc.Parameters<unknown> {
	const { SEED, SEED_PATH } = process.env;
	return {
		numRuns,
		...(isTorture && SEED === undefined ? {} : { seed: Number(SEED ?? usualSeed) }),
		...(SEED_PATH === undefined ? {} : { path: SEED_PATH, endOnFailure: true }),
	};
}
