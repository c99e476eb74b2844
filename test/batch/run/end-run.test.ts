import { countRows } from '../../../batch/plan/plan';
import { exitCodeOfRun } from '../../../batch/run/end-run';

const BROKEN = { exitCode: 5 } as const;
const NO_LIST = { exitCode: 2 } as const;

test.each([
	[null, {}, null, 0],
	[null, { ready: 3, duplicate: 2 }, null, 0],
	[null, { failed: 1 }, null, 1],
	[null, { invalid: 1 }, null, 1],
	[null, { parked: 1 }, null, 1],
	['allowance', { deferred: 1, failed: 1 }, null, 3],
	['max', { pending: 1, invalid: 1 }, null, 3],
	['failure', { pending: 1, failed: 1 }, BROKEN, 5],
	[null, { ready: 1 }, BROKEN, 5],
	['failure', { pending: 1 }, NO_LIST, 2],
	['interrupted', { pending: 1 }, BROKEN, 130],
	['interrupted', {}, null, 130],
] as const)('a run that %s ends with %j and %j has the exit code %i', (end, counts, stop, code) => {
	expect(exitCodeOfRun(end, { ...countRows([]), ...counts }, stop)).toBe(code);
});
