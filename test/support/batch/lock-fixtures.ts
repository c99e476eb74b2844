import type { Machine } from '../../../batch/folder/lock/holder';
import type { Holder } from '../../../batch/folder/lock/lock-file';

/** What the lock of a run of this version says, as text. */
export function lockText(facts: Partial<Holder> = {}): string {
	return JSON.stringify({
		pid: 99,
		host: 'here',
		since: '2026-11-20T09:00:00.000Z',
		nonce: 'n-99',
		beat: 5000,
		...facts,
	});
}

/** A computer on which this process has a number, and which judges others as a test says. */
export function machine(pid: number, fateOf: Machine['fateOf']): Machine {
	return { self: { pid, host: 'here' }, fateOf };
}
