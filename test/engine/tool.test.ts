import { NodeHelpers, type INodeType } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox';
import { action, create, products, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import {
	itemsNode,
	run,
	runNode,
	workflowOf,
	type Finished,
	type TestNode,
} from '../support/engine/engine';
import { nodeTypes } from '../support/engine/node-types';

/** The node as the type that an agent runs. */
function asTool(node: TestNode): TestNode {
	return { ...node, type: `${node.type}Tool` };
}

/** What n8n tells the model about the tool. */
function descriptionOf(tool: TestNode): string {
	const node = workflowOf([tool]).getNode(tool.name)!;
	return NodeHelpers.getToolDescriptionForNode(node, nodeTypes.getByName(tool.type) as INodeType);
}

const byId = { briefId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };

// n8n runs the type whose name ends in Tool when an AI agent uses a node, and gives the agent the first output alone.
describe('as a tool of an AI agent', () => {
	it('Wait Until Ready gives failed briefs too', async () => {
		const sandbox = await sandboxWith();
		const failed = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const tool = asTool(wait());
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
		const tool = asTool(create(parameters));
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
		const tool = asTool(wait());
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
		const tool = asTool(create());
		const done = await runNode(targetOf(sandbox), products(1), tool);
		const [answer] = done.json('Create');
		expect(answer!['error']).toMatch(/may have been created or not/);
		expect(answer!['message']).toMatch(/same key/);
		expect(answer!['message']).toMatch(/A call with exactly the same values .* the same key/);
		const { key } = /Its key is (?<key>[0-9a-f-]{36}):/.exec(String(answer!['message']))!.groups!;
		expect(sandbox.briefs()[0]!.idempotencyKeys).toEqual([key]);
	});

	describe('tells the model, before it calls,', () => {
		it.each([
			['Brief → Create', create(), /uses one brief .* allowance.*3 to 6 minutes.*get the brief/],
			['Brief → Get', action('brief', 'get'), /nothing.*ask again with the same ID in 3 to 6/],
			['Brief → Get Many', action('brief', 'getAll'), /nothing.*get it with its ID/],
			['Hook → Get Many', action('hook', 'getAll'), /no brief.*as creative direction/],
			['the allowance', action('licence', 'getAllowance'), /nothing.*before you create briefs/],
			['the licences', action('licence', 'getAll'), /nothing.*allowance instead/],
			['Wait Until Ready', wait(), /nothing.*3 to 6 minutes.*call again with the same ID/],
		])('what it costs, takes and what follows: %s', (_name, node, told) => {
			expect(descriptionOf(asTool(node))).toMatch(told);
		});

		it('what the person says who has changed that', () => {
			const tool = asTool(create({ toolDescription: 'Only for Glow Serum' }));
			expect(descriptionOf(tool)).toBe('Only for Glow Serum');
		});

		it('nothing where the node is no tool', () => {
			const { parameters } = workflowOf([create()]).getNode('Create')!;
			expect(parameters).not.toHaveProperty('toolDescription');
			expect(parameters).not.toHaveProperty('descriptionType');
		});
	});

	describe('gives a list that a model can read', () => {
		it.each([
			['Hook → Get Many', action('hook', 'getAll')],
			['Brief → Get Many', action('brief', 'getAll')],
		])('of ten and less than 5,000 characters, unless more are asked for: %s', async (_, node) => {
			const sandbox = await sandboxWith();
			for (const { name } of products(60)) sandbox.addBrief({ product_name: name });
			const listed = async (tool: TestNode) =>
				(await runNode(targetOf(sandbox), products(1), tool)).json('Node');
			const answer = await listed(asTool(node));
			expect(answer).toHaveLength(10);
			expect(JSON.stringify(answer).length).toBeLessThan(5000);
			const { parameters } = node;
			expect(
				await listed(asTool({ ...node, parameters: { ...parameters, limit: 20 } })),
			).toHaveLength(20);
			expect(await listed(node)).toHaveLength(50);
		});
	});

	describe('says of a brief what to do next', () => {
		const running = /Ask again with this ID in 3 to 6 minutes.*Do not create it again/;

		it.each([
			['Create', create()],
			['Create without Simplify', create({ simplify: false })],
			['Get', action('brief', 'get', byId)],
			['Get without Simplify', action('brief', 'get', { ...byId, simplify: false })],
		])('while it is being written: %s', async (_, node) => {
			const sandbox = await sandboxWith({ speed: 1 });
			const { id } = sandbox.addBrief({ status: 'running' });
			const [item] = products(1);
			const done = await runNode(targetOf(sandbox), [{ ...item, id }], asTool(node));
			const [answer] = done.json(node.name);
			expect(answer!['next_step']).toMatch(running);
			expect(Object.keys(answer!).slice(0, 3)).toEqual(['id', 'status', 'next_step']);
		});

		it('where it has failed', async () => {
			const sandbox = await sandboxWith();
			const { id } = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
			const done = await runNode(targetOf(sandbox), [{ id }], asTool(wait()));
			expect(done.json('Wait')[0]!['next_step']).toMatch(/ask before you create another/);
		});

		it('but not where it is ready, nor where no model reads it', async () => {
			const sandbox = await sandboxWith();
			const { id } = sandbox.addBrief({ status: 'ready' });
			const ready = await runNode(targetOf(sandbox), [{ id }], asTool(wait()));
			expect(ready.json('Wait')[0]!['markdown']).toMatch(/^# /);
			const ordered = await runNode(targetOf(sandbox), products(1), create());
			for (const answer of [ready.json('Wait')[0], ordered.json('Create')[0]]) {
				expect(answer).not.toHaveProperty('next_step');
			}
		});
	});

	describe('Create, called several times in one execution', () => {
		/** Each item is a call of its own. */
		async function calls(sandbox: Sandbox, values: object[], fields = {}): Promise<Finished> {
			const node = create({ additionalFields: { audience: '={{ $json.audience }}', ...fields } });
			return await run(
				targetOf(sandbox),
				[itemsNode(values), { name: 'Loop', type: 'loop' }, asTool(node)],
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

		it('names the brief that a key has, where the same product is ordered under it in other words', async () => {
			const sandbox = await sandboxWith();
			const key = '={{ "chat " + $json.name.toLowerCase() }}';
			const first = { name: 'Glow Serum', audience: 'Cooks' };
			const again = [
				{ name: 'glow serum', audience: 'Cooks' },
				{ name: 'glow serum', audience: 'Runners' },
			];
			const done = await calls(sandbox, [first, ...again], { idempotencyKey: key });
			const [brief] = sandbox.briefs();
			expect(done.json('Create', 0, 1)[0]!['id']).toBe(brief!.id);
			const { error } = done.json('Create', 0, 2)[0]!;
			expect(error).toContain(`“chat glow serum” belongs to another brief: Brief ${brief!.id}`);
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
		const tool = asTool(keyed);
		const done = await runNode(targetOf(sandbox), products(1), tool);
		expect(done.json('Create')[0]!['id']).toBe(sandbox.briefs()[0]!.id);
	});
});
