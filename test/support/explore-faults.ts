/** Plays one execution. The path has the number of the fault at each effect, 0 for none. */
export type Play = (path: readonly number[]) => Promise<{ oracle: Played; breach: string | null }>;

/** What an oracle was asked during an execution. */
interface Played {
	/** The number of the fault that it chose at each effect. */
	readonly taken: readonly number[];
	/** How many faults it could choose from at each effect, with none as one of them. */
	readonly choices: readonly number[];
	/** The faults that it chose. */
	readonly story: readonly string[];
}

interface Breach {
	readonly breach: string;
	readonly story: readonly string[];
	readonly path: readonly number[];
}

/**
 * Plays the real program through every sequence of faults with at most so many of them, and returns each broken promise
 * once. There is no model of the program: each path is an execution of it.
 */
export async function exploreFaults(
	play: Play,
	faults: number,
	start: readonly number[] = [],
): Promise<Breach[]> {
	const breaches = new Map<string, Breach>();
	const visit = async (path: readonly number[], left: number): Promise<void> => {
		const { oracle, breach } = await playOrExplain(play, path);
		if (breach !== null && !breaches.has(breach))
			breaches.set(breach, { breach, story: oracle?.story ?? [], path });
		if (left === 0 || oracle === null) return;
		for (let at = path.length; at < oracle.choices.length; at += 1)
			for (let choice = 1; choice < (oracle.choices[at] ?? 1); choice += 1)
				await visit([...oracle.taken.slice(0, at), choice], left - 1);
	};
	await visit(start, faults);
	return [...breaches.values()];
}

/** An error of the program is a breach too. */
async function playOrExplain(play: Play, path: readonly number[]) {
	try {
		return await play(path);
	} catch (error) {
		return { oracle: null, breach: error instanceof Error ? (error.stack ?? '') : String(error) };
	}
}
