import { countRows } from '../../../batch/plan/plan';
import { exitCodeOf } from '../../../batch/run/report';

test.each([
	[null, {}, undefined, 0],
	[null, { ready: 3, duplicate: 2 }, undefined, 0],
	[null, { failed: 1 }, undefined, 1],
	[null, { invalid: 1 }, undefined, 1],
	[null, { parked: 1 }, undefined, 1],
	['allowance', { deferred: 1, failed: 1 }, undefined, 3],
	['max', { pending: 1, invalid: 1 }, undefined, 3],
	['failure', { pending: 1, failed: 1 }, 5, 5],
	[null, { ready: 1 }, 5, 5],
	['failure', { pending: 1 }, 4, 4],
	['interrupted', { pending: 1 }, 4, 130],
	['interrupted', {}, undefined, 130],
] as const)(
	'a run that %s ends with %j and %s has the exit code %i',
	(end, counts, failure, code) => {
		expect(exitCodeOf(end, { ...countRows([]), ...counts }, failure)).toBe(code);
	},
);
