import { MINUTE } from '../support/time';
import { Reached } from './reached';
import { searchBreaches } from './search';

/*
 * As many random histories as fit into ten minutes, always from the same seed on: each pull request plays the same histories, as
 * many as the machine can. The nightly job plays other histories each night.
 *
 *     SEED=4711 SWARM_MINUTES=60 SWARM_REACHED=1 npx jest -c test/slow.config.js test/swarm
 *
 * SWARM_REACHED=1 prints which states, answers and faults the histories have reached together, and fails if one is missing.
 */

const DURATION_MS = Number(process.env['SWARM_MINUTES'] ?? 10) * MINUTE;
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const isReachedChecked = process.env['SWARM_REACHED'] === '1';
/** Shrinking plays several hundred histories. */
const TIMEOUT_MS = DURATION_MS + 30 * MINUTE;

test(
	`actors of one workspace pay once for each wish, from seed ${FIRST_SEED} on`,
	async () => {
		const end = Date.now() + DURATION_MS;
		const reached = isReachedChecked ? new Reached() : null;
		const { played, breaches } = await searchBreaches(FIRST_SEED, () => Date.now() < end, reached);
		if (reached !== null)
			process.stderr.write(`${played} histories\n\n${reached.formatTables()}\n`);
		expect(breaches.join('\n\n')).toBe('');
		expect(reached?.listMissing() ?? []).toEqual([]);
	},
	TIMEOUT_MS,
);
