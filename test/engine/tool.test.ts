import type { Sandbox } from '../../sandbox/sandbox';
import { create, products, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import { itemsNode, run, runNode, type Finished } from '../support/engine/engine';

// n8n runs the type whose name ends in Tool when an AI agent uses a node, and gives the agent the first output alone.
describe('as a tool of an AI agent', () => {
	it('Wait Until Ready gives failed briefs too', async () => {
		const sandbox = await sandboxWith();
		const failed = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const tool = { ...wait(), type: 'creatorBriefingWaitTool' };
		const done = await runNode(targetOf(sandbox), [{ id: failed.id }], tool);
		expect(done.json('Wait')).toMatchObject([{ status: 'failed', error_code: 'research_failed' }]);
	});

	it.each([
		['the allowance is used up', { allowance: 0 }, {}, /used up/, /resets on/],
		['the name is too short', {}, { productName: 'x' }, /'Product Name' is too short/, /2 to 180/],
		['the key is refused', {}, {}, /API key was refused/, /Developers area/],
		['the operation is none', {}, { operation: 'sing' }, /'sing' is not known/, /Select/],
	])('answers what went wrong and what to do, for what it throws is lost: %s', async (...given) => {
		const [trouble, options, parameters, error, message] = given;
		const sandbox = await sandboxWith(options);
		const key = trouble === 'the key is refused' ? { key: 'no-key' } : {};
		const target = { ...targetOf(sandbox), ...key };
		const tool = { ...create(parameters), type: 'creatorBriefingTool' };
		const done = await runNode(target, products(1), tool);
		expect(done.json('Create')).toEqual([
			{
				error: expect.stringMatching(error) as string,
				message: expect.stringMatching(message) as string,
				code: expect.any(String) as string,
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('Wait Until Ready answers that there is no such brief', async () => {
		const sandbox = await sandboxWith();
		const id = '0190a6c0-0000-7000-8000-000000000000';
		const tool = { ...wait(), type: 'creatorBriefingWaitTool' };
		const done = await runNode(targetOf(sandbox), [{ id }], tool);
		expect(done.json('Wait')).toEqual([
			{
				error: expect.stringMatching(/no such brief/) as string,
				message: expect.stringMatching(/Check the ID/) as string,
				code: 'not_found',
			},
		]);
	});

	it('an order in doubt is called so, with how it is never paid twice', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 99 });
		const tool = { ...create(), type: 'creatorBriefingTool' };
		const done = await runNode(targetOf(sandbox), products(1), tool);
		const [answer] = done.json('Create');
		expect(answer!['error']).toMatch(/may have been created or not/);
		expect(answer!['message']).toMatch(/same key/);
		expect(answer!['message']).toMatch(/A call with exactly the same values .* the same key/);
		const { key } = /Its key is (?<key>[0-9a-f-]{36}):/.exec(String(answer!['message']))!.groups!;
		expect(sandbox.briefs()[0]!.idempotencyKeys).toEqual([key]);
	});

	describe('Create, called several times in one execution', () => {
		/** Each item is a call of its own. */
		async function calls(sandbox: Sandbox, values: object[], fields = {}): Promise<Finished> {
			const node = create({ additionalFields: { audience: '={{ $json.audience }}', ...fields } });
			return await run(
				targetOf(sandbox),
				[
					itemsNode(values),
					{ name: 'Loop', type: 'loop' },
					{ ...node, type: 'creatorBriefingTool' },
				],
				[
					['Start', 0, 'Loop'],
					['Loop', 1, 'Create'],
					['Create', 0, 'Loop'],
				],
			);
		}

		it('gives the same brief for the same values, also after an answer that was lost', async () => {
			const sandbox = await sandboxWith();
			sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief', times: 7 });
			const done = await calls(sandbox, [{ name: 'Mask' }, { name: 'Mask' }, { name: 'Mask' }]);
			const [brief] = sandbox.briefs();
			expect(done.json('Create', 0, 0)[0]!['error']).toMatch(/may have been created or not/);
			expect(done.json('Create', 0, 1)[0]!['id']).toBe(brief!.id);
			expect(done.json('Create', 0, 2)[0]!['id']).toBe(brief!.id);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('gives the same brief for the same values with an Order Key too, in other executions as well', async () => {
			const sandbox = await sandboxWith();
			const mask = { name: 'Mask', audience: 'Cooks' };
			const fields = { idempotencyKey: '={{ "spring-" + $json.name }}' };
			await calls(sandbox, [mask, mask], fields);
			await calls(sandbox, [mask], fields);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('orders another brief for other values', async () => {
			const sandbox = await sandboxWith();
			await calls(sandbox, [{ name: 'Mask' }, { name: 'Mask', audience: 'Runners' }]);
			expect(sandbox.createdCount()).toBe(2);
		});
	});

	it('Create takes an Order Key that the agent leaves out', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({ additionalFields: { idempotencyKey: '={{ $json.key }}' } });
		const tool = { ...keyed, type: 'creatorBriefingTool' };
		const done = await runNode(targetOf(sandbox), products(1), tool);
		expect(done.json('Create')[0]!['id']).toBe(sandbox.briefs()[0]!.id);
	});

	it('Create gives the ID to go on with', async () => {
		const sandbox = await sandboxWith();
		const tool = { ...create(), type: 'creatorBriefingTool' };
		const done = await runNode(targetOf(sandbox), products(1), tool);
		expect(done.json('Create')[0]!['id']).toBe(sandbox.briefs()[0]!.id);
	});
});
