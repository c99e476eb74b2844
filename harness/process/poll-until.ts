import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
	timeoutMs: number;
	everyMs?: number;
	/** Returns the message of the error after the timeout. */
	lateText: () => string;
}

/** Calls `ask` until it returns something other than undefined, and returns that. */
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
