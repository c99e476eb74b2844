/** The reads of a node that are on their way at a time. A rate limit of the service holds all of them back. */
export const READS_AT_A_TIME = 8;

/** Lets at most `limit` callers work at a time, in the order in which they came. */
export function gate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
	let running = 0;
	const waiting: Array<() => void> = [];
	const letIn = () => {
		for (; running < limit && waiting.length > 0; running += 1) waiting.shift()?.();
	};
	return async (work) => {
		await new Promise<void>((begin) => {
			waiting.push(begin);
			letIn();
		});
		try {
			return await work();
		} finally {
			running -= 1;
			letIn();
		}
	};
}

/**
 * Does the work of each of these, in order, at most `limit` at a time. Rejects with the first failure, and begins
 * nothing more after it.
 */
export async function inParallel<T>(
	all: readonly T[],
	work: (each: T, index: number) => Promise<void>,
	limit: number,
): Promise<void> {
	const inTurn = gate(limit);
	let isOver = false;
	const workOn = async (each: T, index: number) => {
		if (isOver) return;
		await work(each, index).catch((failure: unknown) => {
			isOver = true;
			throw failure;
		});
	};
	await Promise.all(all.map((each, index) => inTurn(() => workOn(each, index))));
}
