import { drawHistory, printHistory } from './history';
import { playHistory } from './play';
import { shrinkHistory } from './shrink';

/*
 * Random histories of two folders, n8n and a colleague on one workspace. The oracle counts at the service what each content
 * was paid for.
 *
 *     npx jest test/swarm                                        the histories of npm test
 *     SWARM_HISTORIES=20000 npx jest test/swarm                  more histories
 *     SEED=4711 npx jest test/swarm                              other histories, from this seed on
 *     SEED=4711 SWARM_HISTORIES=1 npx jest test/swarm            one history
 */

const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const HISTORIES = Number(process.env['SWARM_HISTORIES'] ?? 100);
/** A history takes about a tenth of a second, and shrinking takes a hundred histories. */
const TIMEOUT_MS = 60_000 + HISTORIES * 1000;
/** Enough to see whether breaches have one cause. */
const MAX_BREACHES = Number(process.env['SWARM_BREACHES'] ?? 1);

test(
	'actors of one workspace pay once for each wish',
	async () => {
		const found: string[] = [];
		for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed += 1) {
			const breach = await describeBreach(seed);
			if (breach !== null) found.push(breach);
			if (found.length >= MAX_BREACHES) break;
		}
		expect(found.join('\n\n')).toBe('');
	},
	TIMEOUT_MS,
);

/** Returns the shrunk history of a seed that breaks a promise; null if it breaks none. */
async function describeBreach(seed: number): Promise<string | null> {
	const history = drawHistory(seed);
	const first = await playHistory(history);
	if (first === null) return null;
	const isSame = (breach: string | null) => breach !== null && getKind(breach) === getKind(first);
	const shrunk = await shrinkHistory(history, async (each) => isSame(await playHistory(each)));
	const breach = await playHistory(shrunk);
	const replay = `SEED=${seed} SWARM_HISTORIES=1 npx jest test/swarm`;
	return `${breach ?? 'The breach is not repeatable'}\n${printHistory(shrunk)}\n${replay}`;
}

/** Returns a breach without its numbers and contents: shrinking must not find another breach instead. */
function getKind(breach: string): string {
	return (breach.split('\n')[0] ?? '').replaceAll(/\{.*?\}|\d+/g, '');
}
