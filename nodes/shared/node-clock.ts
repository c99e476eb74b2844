import { sleep } from 'n8n-workflow';
import type { Clock } from '../../core/api/ports';

export const clock: Clock = { now: () => Date.now(), sleep: abortableSleep };

/**
 * n8n's `sleep` takes a signal from 2.41 on. Older versions ignore it: there the race ends the wait, and the timer is
 * left to run out. `sleepWithAbort` is not used, because 2.41 no longer has it.
 */
async function abortableSleep(ms: number, signal?: AbortSignal): Promise<void> {
	if (signal === undefined) return await sleep(ms);
	signal.throwIfAborted();
	const over = new AbortController();
	const whenAborted = new Promise<never>((_resolve, reject) => {
		const onAbort = () => reject(signal.reason as Error);
		signal.addEventListener('abort', onAbort, { signal: over.signal });
	});
	try {
		await Promise.race([whenAborted, sleep(ms, signal)]);
	} finally {
		over.abort();
	}
}
