import { setTimeout as sleep } from 'node:timers/promises';

/** Polls a condition that another process meets. There is no timeout but the time limit of the test. */
export async function waitUntil(isMet: () => boolean): Promise<void> {
	while (!isMet()) await sleep(5);
}
