import type { Oracle } from './oracle';

/** Runs one execution. The path has the number of the fault at each effect, 0 for none. `breach` is a broken promise. */
type Play = (path: readonly number[]) => Promise<{ oracle: Oracle; breach: string | null }>;

interface Breach {
	readonly breach: string;
	readonly story: readonly string[];
	readonly path: readonly number[];
}

/**
 * Runs the real program with every sequence of at most `maxFaults` faults, and returns each broken promise once. The first
 * execution has no fault and shows how many effects there are; then each effect gets each of its faults, and so on.
 *
 *     await exploreFaults(async (path) => {
 *         const oracle = new Oracle(path);
 *         return { oracle, breach: await runProgram(oracle) };
 *     }, 2);
 */
export async function exploreFaults(
	play: Play,
	maxFaults: number,
	start: readonly number[] = [],
): Promise<Breach[]> {
	const breaches = new Map<string, Breach>();
	const visit = async (path: readonly number[], remaining: number): Promise<void> => {
		const { oracle, breach } = await playOrCatch(play, path);
		if (breach !== null && !breaches.has(breach))
			breaches.set(breach, { breach, story: oracle?.story ?? [], path });
		if (remaining === 0 || oracle === null) return;
		for (let at = path.length; at < oracle.choices.length; at += 1)
			for (let choice = 1; choice < (oracle.choices[at] ?? 1); choice += 1)
				await visit([...oracle.taken.slice(0, at), choice], remaining - 1);
	};
	await visit(start, maxFaults);
	return [...breaches.values()];
}

/** An error that the program throws is a breach, too. */
async function playOrCatch(play: Play, path: readonly number[]) {
	try {
		return await play(path);
	} catch (error) {
		return { oracle: null, breach: error instanceof Error ? (error.stack ?? '') : String(error) };
	}
}
