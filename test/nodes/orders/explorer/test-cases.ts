import { exploreFaults } from '../../../support/explore-faults';
import { CASES, playExecutions, type Case } from './play-executions';

/*
 * Runs executions of the Create operation with every fault at every effect, and compares the promises with the briefs that
 * the service has created.
 *
 *     npx jest test/nodes/orders/explorer                                every fifth case
 *     npx jest -c test/slow.config.js test/nodes/orders/explorer         every case
 *     npx jest -c test/slow.config.js … -t ': keys for ever, use$'       one case alone
 */

/** A case takes up to three seconds of a busy core. */
const TIMEOUT_MS = 60_000;

/** Defines a test for every `step`-th case. Step 5 has each behavior of the service with another value. */
export function testCases(step: number): void {
	const cases = [...CASES].filter((_, position) => position % step === 0);
	test.each(cases)(
		'keeps every promise after a fault: %s',
		async (_name, found: Case) => {
			expect(await exploreFaults((path) => playExecutions(found, path), 1)).toEqual([]);
		},
		TIMEOUT_MS,
	);
}
