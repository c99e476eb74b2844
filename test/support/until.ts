import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for what other programs do, however long the machine takes over it; jest's own limit ends it. */
export async function until(isMet: () => boolean): Promise<void> {
	while (!isMet()) await sleep(5);
}
