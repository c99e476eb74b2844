import { drawHistory } from './history';
import { playHistory } from './play';
import { formatHistory } from './format-history';
import type { Reached } from './reached';
import { shrinkHistory } from './shrink';

/** Plays a history per seed while `shouldContinue`. Returns each kind of broken promise once, with its shrunk history. */
export async function searchBreaches(
	firstSeed: number,
	shouldContinue: (played: number, kinds: number) => boolean,
	reached: Reached | null = null,
): Promise<{ readonly played: number; readonly breaches: readonly string[] }> {
	const seeds = new Map<string, number[]>();
	let played = 0;
	for (; shouldContinue(played, seeds.size); played += 1) {
		const seed = firstSeed + played;
		const breach = await playHistory(drawHistory(seed), reached);
		if (breach === null) continue;
		const kind = getKind(breach);
		seeds.set(kind, [...(seeds.get(kind) ?? []), seed]);
	}
	const breaches: string[] = [];
	for (const [kind, [seed = 0, ...others]] of seeds)
		breaches.push(await describeBreach(seed, kind, others));
	return { played, breaches };
}

async function describeBreach(seed: number, kind: string, others: number[]): Promise<string> {
	const isSame = (breach: string | null) => breach !== null && getKind(breach) === kind;
	const shrunk = await shrinkHistory(drawHistory(seed), async (each) =>
		isSame(await playHistory(each)),
	);
	const breach = await playHistory(shrunk);
	const replay = `SEED=${seed} SWARM_HISTORIES=1 npx jest test/swarm`;
	const more = others.length === 0 ? [] : [`Other seeds: ${others.slice(0, 20).join(' ')}`];
	return [breach ?? 'Not repeatable', formatHistory(shrunk), replay, ...more].join('\n');
}

/** Returns a breach without its numbers and contents: shrinking must not find another breach instead. */
function getKind(breach: string): string {
	return (breach.split('\n')[0] ?? '').replaceAll(/\b(A|B|Mug|MUG|Pan|PAN)\b|mug[^:]*?,|\d+/g, '');
}
