import { NO_ANSWER_LIMIT } from '../../core/assumptions';
import { FIRST_READ_LIMITS } from '../../core/api/retry';
import { runNode } from '../support/engine/engine';
import {
	continuing,
	create,
	addBriefs,
	products,
	countRequests,
	openService,
	says,
	wait,
	type Fault,
} from '../support/engine/fixtures';

/** A page that answers in the service's place: “Just a moment…”. */
const page = (status: number, more: Partial<Fault> = {}): Fault => ({
	kind: 'html',
	status,
	...more,
});
const STATUSES = [400, 401, 403, 404, 405, 407, 409, 410, 413, 422, 451, 503];
const OPERATIONS = ['list_briefs', 'get_brief'] as const;

describe('a page in the service’s place', () => {
	it.each(STATUSES)(
		'of %i on creates is asked again, and nothing is paid twice',
		async (status) => {
			for (const at of ['before-work', 'after-work'] as const) {
				const sandbox = await openService(
					{},
					page(status, { operation: 'create_brief', at, times: 2 }),
				);
				const done = await runNode(sandbox, products(2), create());
				const ids = sandbox.briefs().map(({ id }) => id);
				expect(done.values('id', 'Create')).toEqual(ids);
				expect(ids).toHaveLength(2);
			}
		},
	);

	it.each(STATUSES)(
		'of %i on every create returns the brief that the list shows',
		async (status) => {
			const times = NO_ANSWER_LIMIT.requests;
			const fault = page(status, { operation: 'create_brief', at: 'after-work', times });
			const sandbox = await openService({}, fault);
			const done = await runNode(sandbox, products(1), create());
			const [brief] = sandbox.briefs();
			expect(done.json('Create')).toMatchObject([{ id: brief!.id, already_existed: false }]);
			expect(sandbox.createdCount()).toBe(1);
		},
	);

	it.each(OPERATIONS)(
		'on the first requests of %s, or in the middle, is waited for',
		async (operation) => {
			for (const status of [400, 401, 403, 404, 407, 422, 503])
				for (const skip of [0, 1]) {
					const sandbox = await openService();
					const items = addBriefs(
						sandbox,
						...Array<number>(operation === 'get_brief' ? 1 : 3).fill(400_000),
					);
					// Something has answered at this address before.
					await runNode(sandbox, addBriefs(sandbox, 'ready'), wait());
					sandbox.faults.add(page(status, { operation, skip, times: 2 }));
					const done = await runNode(sandbox, items, wait());
					expect(sandbox.faults.hitsToCome).toBe(0);
					expect([status, skip, done.values('status', 'Wait')]).toEqual([
						status,
						skip,
						items.map(() => 'ready'),
					]);
				}
		},
	);

	it('at the first request ends the node soon, and the error says to check the base URL', async () => {
		for (const status of [403, 404, 410])
			for (const count of [1, 2]) {
				const sandbox = await openService({}, page(status, { times: 99 }));
				const items = addBriefs(sandbox, ...Array<'ready'>(count).fill('ready'));
				const done = await runNode(sandbox, items, wait(continuing));
				const failed = {
					code: 'service_unavailable',
					error: says(`omething other than the service answered \\(${status}\\): “Just a moment…”`),
					message: says(/^Check the base URL/),
				};
				expect(done.json('Wait', 1)).toMatchObject(items.map(() => failed));
				expect(sandbox.requests).toHaveLength(FIRST_READ_LIMITS.failures);
			}
	});

	it('that asks to slow down holds all back for an hour at most, and is not the month', async () => {
		for (const retryAfter of [1, 7200]) {
			const fault = page(429, { operation: 'create_brief', retryAfter });
			const sandbox = await openService({}, fault);
			const done = await runNode(sandbox, products(2), create());
			expect(done.values('id', 'Create')).toHaveLength(2);
			expect(countRequests(sandbox, 'create_brief')).toBe(3);
		}
	});
});
