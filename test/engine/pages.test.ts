import { FIRST_TRIES, CREATE_TRIES } from '../../service/assumptions';
import { runNode } from '../support/engine/engine';
import {
	continuing,
	create,
	itemsIn,
	products,
	requestsOf,
	sandboxWith,
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
				const sandbox = await sandboxWith(
					{},
					page(status, { operation: 'create_brief', at, times: 2 }),
				);
				const done = await runNode(sandbox, products(2), create());
				const ids = sandbox.briefs().map(({ id }) => id);
				expect(done.all('id', 'Create')).toEqual(ids);
				expect(ids).toHaveLength(2);
			}
		},
	);

	it.each(STATUSES)(
		'of %i on every create leaves the order in doubt, and blames no item',
		async (status) => {
			const times = CREATE_TRIES.failures;
			const fault = page(status, { operation: 'create_brief', at: 'after-work', times });
			const sandbox = await sandboxWith({}, fault);
			const done = await runNode(sandbox, products(1), create(continuing));
			expect(done.json('Create')).toMatchObject([
				{
					code: 'in_doubt',
					error: says(
						`something else answered in the service’s place \\(${status}\\): “Just a moment…”`,
					),
				},
			]);
			const again = await runNode(sandbox, products(1), create());
			expect(again.all('id', 'Create')).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(sandbox.createdCount()).toBe(1);
		},
	);

	it.each(OPERATIONS)(
		'on the first requests of %s, or in the middle, is waited for',
		async (operation) => {
			for (const status of [400, 401, 403, 404, 407, 422, 503])
				for (const skip of [0, 1]) {
					const sandbox = await sandboxWith();
					const items = itemsIn(
						sandbox,
						...Array<number>(operation === 'get_brief' ? 1 : 3).fill(400_000),
					);
					// Something has answered at this address before.
					await runNode(sandbox, itemsIn(sandbox, 'ready'), wait());
					sandbox.faults.add(page(status, { operation, skip, times: 2 }));
					const done = await runNode(sandbox, items, wait());
					expect(sandbox.faults.hitsToCome).toBe(0);
					expect([status, skip, done.all('status', 'Wait')]).toEqual([
						status,
						skip,
						items.map(() => 'ready'),
					]);
				}
		},
	);

	it('at the first request of all ends the node soon, and says where to look', async () => {
		for (const [status, code, tries] of [
			[403, 'service_unavailable', FIRST_TRIES.failures],
			[404, 'not_found', 1],
			[410, 'not_found', 1],
		] as const)
			for (const count of [1, 2]) {
				const sandbox = await sandboxWith({}, page(status, { times: 99 }));
				const items = itemsIn(sandbox, ...Array<'ready'>(count).fill('ready'));
				const done = await runNode(sandbox, items, wait(continuing));
				const failed = {
					code,
					error: says(`omething else answered.* \\(${status}\\): “Just a moment…”`),
					message: says(/Check the Base URL.*are in the credential/),
				};
				expect(done.json('Wait', 1)).toMatchObject(items.map(() => failed));
				expect(sandbox.requests).toHaveLength(tries);
			}
	});

	it('later says nothing of the address or the credential', async () => {
		const sandbox = await sandboxWith();
		await runNode(sandbox, itemsIn(sandbox, 'ready'), wait());
		sandbox.faults.add(page(404, { times: 99 }));
		const { error } = await runNode(sandbox, itemsIn(sandbox, 'ready'), wait());
		expect(error.message).toMatch(
			/^Brief .*: something else answered in the service’s place \(404\)/,
		);
		expect(error.description).toMatch(/^This is no fault of the key or of your data\./);
		expect(error.description).not.toMatch(/Base URL/);
	});

	it('that asks to slow down holds all back for an hour at most, and is not the month', async () => {
		for (const retryAfter of [1, 7200]) {
			const fault = page(429, { operation: 'create_brief', retryAfter });
			const sandbox = await sandboxWith({}, fault);
			const done = await runNode(sandbox, products(2), create());
			expect(done.all('id', 'Create')).toHaveLength(2);
			expect(requestsOf(sandbox, 'create_brief')).toBe(3);
		}
	});
});
