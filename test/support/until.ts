import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for another program, however long the machine takes. The time limit of the test ends the wait. */
export async function until(isMet: () => boolean): Promise<void> {
	while (!isMet()) await sleep(5);
}
