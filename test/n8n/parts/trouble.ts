import { setTimeout as sleep } from 'node:timers/promises';
import { nothing, products, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import { client, named, serviceWith, testName, type Service } from '../../support/n8n/rig';

export function ending(): void {
	describe('ends at once and asks nothing more', () => {
		it.each(WAITS)('with Stop, while it waits for %s', async (what) => {
			const service = await waitingFor(what);
			const saved = await client().createWorkflow(named(service.workflowNodes));
			const id = await client().startManually(saved);
			await looks(service, 5);
			const stopped = Date.now();
			await client().stopExecution(id);
			const done = await client().waitForEnd(id, 5_000);
			expect(Date.now() - stopped).toBeLessThan(2_500);
			expect(done.status).toBe('canceled');
			await asksNothingMore(service);
		});

		it.each(WAITS)('at the timeout of the workflow, while it waits for %s', async (what) => {
			const service = await waitingFor(what);
			const saved = await client().createWorkflow({
				...named(service.workflowNodes),
				settings: { executionOrder: 'v1', executionTimeout: 3 },
			});
			const done = await client().runManually(saved);
			expect(done.status).toBe('canceled');
			expect(done.duration).toBeGreaterThan(2_500);
			expect(done.duration).toBeLessThan(8_000);
			expect(service.count()).toBeGreaterThan(3);
			await asksNothingMore(service);
		});
	});
}

export function failing(): void {
	describe('an item that fails', () => {
		const items = [{ name: 'Glow Serum' }, { name: 'x' }, { name: 'Lip Oil' }];

		it('ends the run before anything is paid for, and names the field, the item and the cure', async () => {
			const { nodes, run, count } = await serviceWith();
			const done = await run(items, nodes.create());
			expect(done.status).toBe('error');
			expect(done.error!.message).toMatch(/^'Product Name' .*\[item 1\]$/);
			expect(done.error!.description).toMatch(/Nothing was sent, and no brief was used\.$/);
			expect(count()).toBe(0);
		});

		it('goes to the error output with its own input, and the others to the first', async () => {
			const { nodes } = await serviceWith();
			const creating = nodes.create({}, { onError: 'continueErrorOutput' });
			const done = await client().createAndRun(
				workflow(
					testName(),
					[start, rows(items), creating, nothing('Good'), nothing('Bad')],
					[
						['Start', 'Rows'],
						['Rows', 'Create'],
						['Create', 0, 'Good'],
						['Create', 1, 'Bad'],
					],
				),
			);
			expect(done.status).toBe('success');
			expect(done.json('Good').map(({ product_name }) => product_name)).toEqual([
				'Glow Serum',
				'Lip Oil',
			]);
			expect(done.json('Bad')).toMatchObject([
				{ name: 'x', error: expect.stringMatching(/^'Product Name'/) as string },
			]);
		});

		it('stays in its place with Continue', async () => {
			const { nodes, run } = await serviceWith();
			const done = await run(items, nodes.create({}, { onError: 'continueRegularOutput' }));
			expect(done.status).toBe('success');
			expect(done.json('Create')).toMatchObject([
				{ product_name: 'Glow Serum' },
				{ error: expect.stringMatching(/^'Product Name'/) as string },
				{ product_name: 'Lip Oil' },
			]);
		});

		it('of a brief that nobody has goes to the error output of Get', async () => {
			const { sandbox, nodes } = await serviceWith();
			const ids = [
				{ id: sandbox.addBrief({ status: 'ready' }).id },
				{ id: '00000000-0000-4000-8000-000000000000' },
			];
			const done = await client().createAndRun(
				workflow(
					testName(),
					[
						start,
						rows(ids),
						nodes.get({}, { onError: 'continueErrorOutput' }),
						nothing('Good'),
						nothing('Bad'),
					],
					[
						['Start', 'Rows'],
						['Rows', 'Get'],
						['Get', 0, 'Good'],
						['Get', 1, 'Bad'],
					],
				),
			);
			expect(done.json('Good')).toMatchObject([ids[0]]);
			expect(done.json('Bad')[0]!['error']).toMatch(/^There is no brief /);
		});

		it('with the allowance used up names what was created, and when the count starts again', async () => {
			const { sandbox, nodes, run } = await serviceWith({ allowance: 2 });
			const done = await run(products(4), nodes.create());
			const ids = sandbox.briefs().map(({ id }) => id);
			expect(done.status).toBe('error');
			expect(done.error!.message).toMatch(/^The month’s allowance of briefs is used up/);
			for (const id of ids) expect(done.error!.description).toContain(id);
			expect(done.error!.description).toContain('1 December 2026');
			expect(sandbox.createdCount()).toBe(2);
		});
	});
}

/** Create waits for a slot, Create waits for what it has created, and Wait Until Ready waits for others' briefs. */
const WAITS = ['a slot', 'its own briefs', 'briefs of others'] as const;

/** Real time in the sandbox, so that the briefs are not done before the test is. */
async function waitingFor(
	what: (typeof WAITS)[number],
): Promise<Service & { workflowNodes: WorkflowNode[] }> {
	const service = await serviceWith({ speed: 1 });
	const { nodes, sandbox } = service;
	const others = what === 'its own briefs' ? [] : [sandbox.addBrief(), sandbox.addBrief()];
	const workflowNodes =
		what === 'briefs of others'
			? [start, rows(others.map(({ id }) => ({ id }))), nodes.wait()]
			: [start, rows(products(2)), nodes.create({ waitUntilReady: true })];
	return { ...service, workflowNodes };
}

async function looks({ count }: Service, number: number): Promise<void> {
	const deadline = Date.now() + 20_000;
	while (count() < number) {
		if (Date.now() > deadline) throw new Error('The service was not looked at.');
		await sleep(50);
	}
}

async function asksNothingMore({ count, sandbox }: Service): Promise<void> {
	const before = count();
	await sleep(1_500);
	expect(count()).toBe(before);
	expect(sandbox.maxRunning()).toBe(2);
}
