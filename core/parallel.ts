/** Briefs that are fetched at the same time. */
export const PARALLEL_READS = 50;

/**
 * Works on each item, in sequence, on at most `limit` items at a time. Rejects with the first failure, and starts no
 * work after it.
 */
export async function runInParallel<T>(
	items: readonly T[],
	limit: number,
	work: (item: T, index: number) => Promise<void>,
): Promise<void> {
	const queue = items.entries();
	let hasFailed = false;
	const workOnNext = async (): Promise<void> => {
		for (const [index, item] of queue) {
			if (hasFailed) return;
			await work(item, index).catch((error: unknown) => {
				hasFailed = true;
				throw error;
			});
		}
	};
	await Promise.all(Array.from({ length: limit }, workOnNext));
}
