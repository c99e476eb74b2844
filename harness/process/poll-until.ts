import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
	timeoutMs: number;
	everyMs?: number;
	/** The error's message when time is up. */
	lateText: () => string;
}

/** Asks again and again until the answer is not undefined, and gives that answer. */
export async function pollUntil<T>(
	ask: () => T | undefined | Promise<T | undefined>,
	{ timeoutMs, everyMs = 100, lateText }: Polling,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(lateText());
		await sleep(everyMs);
	}
}
