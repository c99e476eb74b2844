/** How many requests may be on their way at a time, as the answers so far allow. */
export interface Pace {
	limit: number;
	/** When it was last cut, by this machine's clock; -Infinity while no answer has called for fewer requests. */
	cutAt: number;
}

export const FIRST_PACE: Pace = { limit: 20, cutAt: -Infinity };

/**
 * The pace after one more answer: twice as many with each round, until the service calls for fewer requests; then half
 * as many, and one more with each round. A cut answers all calls that came before it, which may be many of one round.
 * @param lastRateLimited when the service last called for fewer requests
 */
export function afterAnswer({ limit, cutAt }: Pace, lastRateLimited: number, now: number): Pace {
	if (lastRateLimited > cutAt) return { limit: Math.max(1, limit / 2), cutAt: now };
	return { limit: limit + (cutAt === -Infinity ? 1 : 1 / limit), cutAt };
}

/**
 * Does the work of each number below `count`, in their order, so many at a time as `atATime` says at each moment.
 * Rejects with the first failure, after which no more is begun.
 */
export async function inParallel(
	count: number,
	work: (index: number) => Promise<void>,
	atATime: () => number,
): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		let [next, running] = [0, 0];
		const fail = (reason: Error) => {
			next = count;
			reject(reason);
		};
		const goOn = () => {
			if (next === count && running === 0) resolve();
			while (next < count && running < atATime()) {
				running += 1;
				work(next).then(() => {
					running -= 1;
					goOn();
				}, fail);
				next += 1;
			}
		};
		goOn();
	});
}

/** A gate that lets so many at a time do their work, the others after them in the order in which they came. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
	let free = count;
	const waiting: Array<() => void> = [];
	return async (work) => {
		if (free > 0) free -= 1;
		else await new Promise<void>((begin) => waiting.push(begin));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next === undefined) free += 1;
			else next();
		}
	};
}
