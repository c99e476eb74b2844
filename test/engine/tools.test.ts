import { randomUUID } from 'node:crypto';
import { type INodeType, NodeHelpers } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox';
import { runLoop, runNode, type TestNode, makeWorkflow } from '../support/engine/engine';
import {
	action,
	create,
	get,
	addBriefs,
	products,
	runInSandbox,
	openService,
	says,
	wait,
} from '../support/engine/fixtures';
import { nodeTypes } from '../support/engine/node-types';

const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief' } as const;

/** Returns the node with the type that an agent runs. */
function asTool(node: TestNode): TestNode {
	return { ...node, type: `${node.type}Tool` };
}

/** Returns the text that the model reads about the tool. */
function descriptionOf(tool: TestNode): string {
	const node = makeWorkflow([tool]).getNode(tool.name)!;
	return NodeHelpers.getToolDescriptionForNode(node, nodeTypes.getByName(tool.type) as INodeType);
}

// n8n runs the type whose name ends in Tool when an AI agent uses a node, and gives the agent the first output alone.
describe('a tool of an AI agent', () => {
	it.each([
		['the allowance is used up', create(), { allowance: 0 }, /used up/, /resets on/],
		['the name is too short', create({ productName: 'x' }), {}, /is too short/, /2 to 180/],
		['the operation is none', create({ operation: 'sing' }), {}, /'sing' is not known/, /Select/],
		['there is no such brief', wait(), {}, /no such brief/, /Check the ID/],
	])('answers what went wrong and what to do: %s', async (_, node, options, error, message) => {
		const items = [{ name: 'Glow Serum', id: randomUUID() }];
		const { sandbox, done } = await runInSandbox(items, asTool(node), options);
		expect(done.json(node.name)).toEqual([
			{ ...items[0], error: says(error), message: says(message), code: says(/^\w+$/) },
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('answers that the key is refused', async () => {
		const { url } = await openService();
		const done = await runNode({ url, key: 'no-key' }, products(1), asTool(create()));
		expect(done.json('Create')).toMatchObject([
			{ error: says(/API key refused/), message: says(/Developers area/), code: 'key_refused' },
		]);
	});

	it('returns the brief that the list shows if every answer of the order is lost', async () => {
		const { sandbox, done } = await runInSandbox(
			products(1),
			asTool(create()),
			{},
			{ ...lost, times: 99 },
		);
		const { id } = sandbox.briefs()[0]!;
		expect(done.json('Create')).toMatchObject([{ id, already_existed: false }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('takes an Order Key that the agent leaves out', async () => {
		const keyed = create({ whenBriefExists: 'orderAnother', idempotencyKey: '={{ $json.key }}' });
		const { sandbox, done } = await runInSandbox(products(1), asTool(keyed));
		expect(done.values('id', 'Create')).toEqual([sandbox.briefs()[0]!.id]);
	});

	it.each([
		['Brief → Create', create(), /uses one brief .* allowance.*3 to 6 minutes.*get the brief/],
		['Brief → Get', action('brief', 'get'), /nothing.*ask again with the same ID in 3 to 6/],
		['Brief → Get Many', action('brief', 'getAll'), /nothing.*get it with its ID/],
		['Hook → Get Many', action('hook', 'getAll'), /no brief.*as creative direction/],
		['the allowance', action('licence', 'getAllowance'), /nothing.*before you create briefs/],
		['the licences', action('licence', 'getAll'), /nothing.*allowance instead/],
		['Wait Until Ready', wait(), /nothing.*3 to 6 minutes.*call again with the same ID/],
		['its own words', create({ toolDescription: 'Only for Serum' }), /^Only for Serum$/],
	])('says to the model what it costs, takes and what follows: %s', (_name, node, said) => {
		expect(descriptionOf(asTool(node))).toMatch(said);
	});

	it('has parameters that a node has not', () => {
		const { parameters } = makeWorkflow([create()]).getNode('Create')!;
		expect(parameters).not.toHaveProperty('toolDescription');
		expect(parameters).not.toHaveProperty('descriptionType');
	});

	it.each([
		['Hook → Get Many', action('hook', 'getAll')],
		['Brief → Get Many', action('brief', 'getAll')],
	])('lists ten in less than 5,000 characters, unless more are asked for: %s', async (_, node) => {
		const sandbox = await openService();
		for (const { name } of products(60)) sandbox.addBrief({ product_name: name });
		const listed = async (tool: TestNode) =>
			(await runNode(sandbox, products(1), tool)).json('Node');
		const answer = await listed(asTool(node));
		expect(answer).toHaveLength(10);
		expect(JSON.stringify(answer).length).toBeLessThan(5000);
		const more = { ...node, parameters: { ...node.parameters, limit: 20 } };
		expect(await listed(asTool(more))).toHaveLength(20);
		expect(await listed(node)).toHaveLength(50);
	});

	it.each([
		['Create', create()],
		['Create without Simplify', create({ simplify: false })],
		['Get', get()],
		['Get without Simplify', get({ simplify: false })],
	])('says of a brief that is being written what to do next: %s', async (_, node) => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'running' });
		const done = await runNode(sandbox, [{ name: 'Glow Serum', id }], asTool(node));
		const [answer] = done.json(node.name);
		expect(answer!['next_step']).toMatch(
			/again with this ID in 3 to 6 min.*Do not create it with other words/,
		);
		expect(Object.keys(answer!).slice(0, 3)).toEqual(['id', 'status', 'next_step']);
	});

	it('gives a brief that failed too, and says what to do next', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const done = await runNode(sandbox, [{ id }], asTool(wait()));
		const next_step = says(/ask before you create another/);
		expect(done.json('Wait')).toMatchObject([
			{ status: 'failed', error_code: 'research_failed', next_step },
		]);
	});

	it('says nothing of a brief that is ready, nor if no model reads it', async () => {
		const sandbox = await openService();
		const items = addBriefs(sandbox, 'ready');
		const [ready] = (await runNode(sandbox, items, asTool(wait()))).json('Wait');
		expect(ready!['markdown']).toMatch(/^# /);
		expect(ready).not.toHaveProperty('next_step');
		const [ordered] = (await runNode(sandbox, products(1), create())).json('Create');
		expect(ordered).not.toHaveProperty('next_step');
	});
});

describe('Create, called several times in one execution', () => {
	/** Calls the tool once for each item, and returns the answers. */
	async function calls(sandbox: Sandbox, values: object[], fields = {}) {
		const node = create({ audience: '={{ $json.audience }}', ...fields });
		const done = await runLoop(sandbox, values, asTool(node));
		return values.map((_, run) => done.json('Create', 0, run)[0]!);
	}

	it('returns the same brief for the same values, also if the answers of the order are lost', async () => {
		const sandbox = await openService({}, { ...lost, times: 7 });
		const answers = await calls(sandbox, [{ name: 'Mask' }, { name: 'Mask' }, { name: 'Mask' }]);
		const { id } = sandbox.briefs()[0]!;
		expect(answers).toMatchObject([{ id }, { id }, { id }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('orders one brief for each content of an Order Key', async () => {
		const sandbox = await openService();
		const idempotencyKey = '={{ "chat " + $json.name.toLowerCase() }}';
		const fields = { whenBriefExists: 'orderAnother', idempotencyKey };
		const asked = [
			{ name: 'Glow Serum', audience: 'Cooks' },
			{ name: 'glow serum', audience: 'Cooks' },
			{ name: 'glow serum', audience: 'Runners' },
		];
		const answers = await calls(sandbox, asked, fields);
		const { id } = sandbox.briefs()[0]!;
		expect(answers).toMatchObject([{ id }, { id }, { already_existed: false }]);
		expect(sandbox.createdCount()).toBe(2);
	});
});
