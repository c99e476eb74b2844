import { sleep } from 'n8n-workflow';
import type { Clock } from '../../core/api/ports';
import { raceAbort } from '../../core/api/transport';

/**
 * n8n's `sleep` takes a signal from 2.41 on. Older versions ignore it: there the race ends the wait, and the timer is
 * left to run out. `sleepWithAbort` is not used, because 2.41 no longer has it.
 */
export const clock: Clock = {
	now: () => Date.now(),
	sleep: (ms, signal) => raceAbort(() => sleep(ms, signal), signal),
};
