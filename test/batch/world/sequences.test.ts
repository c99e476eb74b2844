import fc from 'fast-check';
import { play, sequence } from '../../support/world/actions';

const isTorture = process.env.TORTURE === '1';

jest.setTimeout(isTorture ? 7_200_000 : 300_000);

/**
 * SEQUENCES=n plays so many; SEED and SEED_PATH, as a failure prints them, play one again. The printed counterexample
 * belongs into seeds.test.ts; until then CASE='…' plays it there, and tells its story.
 */
test('whatever happens, in whatever order: every promise holds after every step, and all ends well', async () => {
	const { SEED_PATH, SEQUENCES } = process.env;
	// New sequences are for the long run: a change must not fail for what it has not touched.
	const SEED = process.env.SEED ?? (isTorture ? undefined : '20261120');
	await fc.assert(
		fc.asyncProperty(sequence, async (given) => {
			await play(given);
		}),
		{
			numRuns: Number(SEQUENCES ?? (isTorture ? 20_000 : 200)),
			...(SEED === undefined ? {} : { seed: Number(SEED) }),
			...(SEED_PATH === undefined ? {} : { path: SEED_PATH, endOnFailure: true }),
		},
	);
});
