import { countRows, NOTHING_LISTED, shareOut } from '../../../batch/run/plan/plan-counts';
import type { Change } from '../../../batch/run/rows/changed-rows';
import type { Summary } from '../../../batch/run/rows/summarise';

/** Ten rows of which two are changed, one is parked, one has failed and two are done. */
const summary: Summary = {
	rows: 12,
	fresh: 4,
	invalid: 1,
	duplicates: 1,
	done: 2,
	failed: 1,
	begun: [],
	changes: new Map([
		['a', {} as Change],
		['b', {} as Change],
	]),
	parked: [{} as Summary['parked'][number]],
};

describe('the rows of a plan', () => {
	test('are ready to go where they are new, and where changed ones are asked for', () => {
		expect(countRows(summary, { orderChanged: false })).toMatchObject({
			fresh: 4,
			changed: 2,
			ready_to_go: 4,
			done: 2,
			failed: 1,
			parked: 1,
		});
		expect(countRows(summary, { orderChanged: true }).ready_to_go).toBe(6);
	});

	test('that have a listed brief are counted once, changed or new, and cost nothing', () => {
		const listed = { ...NOTHING_LISTED, adopted: 2, unclear: 1, changed: 1 };
		expect(countRows(summary, { orderChanged: true }, listed)).toMatchObject({
			fresh: 2,
			changed: 1,
			adopted: 2,
			unclear: 1,
			ready_to_go: 3,
		});
	});

	test('that --order-again orders are done or parked no more', () => {
		const listed = { ...NOTHING_LISTED, again: { done: 1, parked: 1 } };
		expect(countRows(summary, { orderChanged: false }, listed)).toMatchObject({
			again: 2,
			done: 1,
			parked: 0,
			ready_to_go: 6,
		});
	});

	test.each([
		[10, 4, Infinity, { takes: 4, beyond_max: 0, deferred: 6 }],
		[10, 4, 2, { takes: 2, beyond_max: 2, deferred: 6 }],
		[10, 40, 2, { takes: 2, beyond_max: 8, deferred: 0 }],
		[3, 40, 5, { takes: 3, beyond_max: 0, deferred: 0 }],
		[3, 0, 5, { takes: 0, beyond_max: 0, deferred: 3 }],
		[10, Infinity, 2, { takes: 2, beyond_max: 8, deferred: 0 }],
	])('%d ready to go, %d left and --max %d', (ready, left, max, shares) => {
		expect(shareOut(ready, left, max)).toEqual(shares);
	});
});
