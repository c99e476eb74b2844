import { setTimeout as sleep } from 'node:timers/promises';

interface Polling {
	timeoutMs: number;
	everyMs?: number;
	/** Returns the message of the error after the timeout. */
	getTimeoutMessage: () => string;
}

/** Calls `check` until it returns a value other than undefined, and returns the value. Throws after the timeout. */
export async function pollUntil<T>(
	check: () => T | undefined | Promise<T | undefined>,
	{ timeoutMs, everyMs = 100, getTimeoutMessage }: Polling,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await check();
		if (value !== undefined) return value;
		if (Date.now() > deadline) throw new Error(getTimeoutMessage());
		await sleep(everyMs);
	}
}
