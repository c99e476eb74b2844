import { searchBreaches } from './search';

/*
 * Random histories of two folders, n8n and a colleague on one workspace. The oracle counts at the service how often each
 * content was paid for.
 *
 *     npx jest test/swarm                                        the histories of npm test
 *     SWARM_HISTORIES=20000 npx jest test/swarm                  more histories
 *     SEED=4711 npx jest test/swarm                              other histories, from this seed on
 *     SEED=4711 SWARM_HISTORIES=1 npx jest test/swarm            one history
 *     SWARM_BREACHES=5 SWARM_HISTORIES=20000 …                   up to five kinds of breaches, not only the first
 */

const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const HISTORIES = Number(process.env['SWARM_HISTORIES'] ?? 100);
/** Several kinds of breaches show whether they have the same cause. */
const MAX_BREACHES = Number(process.env['SWARM_BREACHES'] ?? 1);
/** A history takes about 30 ms, and shrinking plays several hundred histories. */
const TIMEOUT_MS = 300_000 + HISTORIES * 500;

test(
	'actors of one workspace pay once for each wish',
	async () => {
		const { breaches } = await searchBreaches(
			FIRST_SEED,
			(played, kinds) => played < HISTORIES && kinds < MAX_BREACHES,
		);
		expect(breaches.join('\n\n')).toBe('');
	},
	TIMEOUT_MS,
);
