/** The reads of which a poll or the search for a brief has no more on their way at a time. */
export const READS_AT_A_TIME = 8;

/** The number of requests that may be on their way at a time, as the answers so far allow. */
interface Pace {
	limit: number;
	/** The last time it was cut, by this machine's clock; -Infinity while no answer has called for fewer requests. */
	cutAt: number;
}

export const FIRST_PACE: Pace = { limit: 20, cutAt: -Infinity };

/**
 * Gives the pace after one more answer: twice as many with each round, until the service calls for fewer requests; then
 * half as many, and one more with each round. A cut answers all calls that came before it, which may be many of one
 * round.
 * @param lastRateLimited when the service last called for fewer requests
 */
export function afterAnswer({ limit, cutAt }: Pace, lastRateLimited: number, now: number): Pace {
	if (lastRateLimited > cutAt) return { limit: Math.max(1, limit / 2), cutAt: now };
	return { limit: limit + (cutAt === -Infinity ? 1 : 1 / limit), cutAt };
}

/** Lets at most `limit` callers work at a time, in the order in which they came. */
export function gate(limit: () => number): <T>(work: () => Promise<T>) => Promise<T> {
	let atWork = 0;
	const queue: Array<() => void> = [];
	const letIn = () => {
		for (; atWork < limit() && queue.length > 0; atWork += 1) queue.shift()?.();
	};
	return async (work) => {
		await new Promise<void>((begin) => {
			queue.push(begin);
			letIn();
		});
		try {
			return await work();
		} finally {
			atWork -= 1;
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
	limit: () => number,
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
