import type { Fault } from '../../sandbox/faults';
import { FIRST_READ_LIMITS } from '../../core/api/retry';
import { runNode } from '../support/engine/engine';
import {
	continuing,
	create,
	openService,
	repeatReady,
	runInSandbox,
	wait,
} from '../support/engine/fixtures';
import { makeProducts, matchText } from '../support/values';

/** Returns a page in place of an answer of the service: “Just a moment…”. */
const makePage = (status: number, more: Partial<Fault> = {}): Fault => ({
	kind: 'html',
	status,
	...more,
});
const OPERATIONS = ['list_briefs', 'get_brief'] as const;

describe('a page in place of an answer of the service', () => {
	test('with 400 to a create request is no refusal', async () => {
		const operation = 'create_brief';
		const pages = [
			makePage(400, { operation, at: 'before-work' }),
			makePage(400, { operation, at: 'after-work' }),
		];
		const { sandbox, done } = await runInSandbox(makeProducts(2), create(), {}, ...pages);
		expect(done.values('id', 'Create')).toEqual(sandbox.listIds());
		expect(sandbox.createdCount()).toBe(2);
	});

	test.each(OPERATIONS)(
		'to %s causes a wait if the service has answered before',
		async (operation) => {
			const sandbox = await openService();
			const count = operation === 'get_brief' ? 1 : 3;
			const items = sandbox.addBriefs(...Array<number>(count).fill(400_000));
			await runNode(sandbox, sandbox.addBriefs('ready'), wait());
			sandbox.faults.add(makePage(403, { operation, times: 2 }));
			const done = await runNode(sandbox, items, wait());
			expect(sandbox.faults.remainingHits).toBe(0);
			expect(done.values('status', 'Wait')).toEqual(repeatReady(count));
		},
	);

	test.each([1, 2])(
		'to the first requests for %i briefs ends the node soon, and the error says to check the base URL',
		async (count) => {
			const sandbox = await openService({}, makePage(404, { times: 99 }));
			const items = sandbox.addBriefs(...repeatReady(count));
			const done = await runNode(sandbox, items, wait(continuing));
			const failed = {
				code: 'service_unavailable',
				error: matchText(/omething other than the service answered \(404\): “Just a moment…”/),
				message: matchText(/^Check the base URL/),
			};
			expect(done.json('Wait', 1)).toMatchObject(items.map(() => failed));
			expect(sandbox.requests).toHaveLength(FIRST_READ_LIMITS.failures);
		},
	);

	test.each([1, 7200])(
		'with 429 and a Retry-After of %i seconds is not the allowance',
		async (retryAfter) => {
			const page = makePage(429, { operation: 'create_brief', retryAfter });
			const { sandbox, done } = await runInSandbox(makeProducts(2), create(), {}, page);
			expect(done.values('id', 'Create')).toHaveLength(2);
			expect(sandbox.countRequests('create_brief')).toBe(3);
		},
	);
});
