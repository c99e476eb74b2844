import { randomUUID } from 'node:crypto';
import { type INodeType, NodeHelpers } from 'n8n-workflow';
import type { AddedBrief } from '../../sandbox/operations/added-briefs';
import { makeWorkflow, runLoop, runNode, type TestNode } from '../support/engine/engine';
import {
	action,
	asTool,
	create,
	get,
	openService,
	runInSandbox,
	wait,
} from '../support/engine/fixtures';
import { nodeTypes } from '../support/engine/node-types';
import { makeProducts, matchText } from '../support/values';

const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief' } as const;

// When an AI agent uses a node, n8n runs the type with the suffix Tool, and returns only the first output to the agent.
describe('a tool of an AI agent', () => {
	test.each([
		['the allowance is used up', create(), { allowance: 0 }, /used up/, /resets on/],
		['the name is too short', create({ productName: 'x' }), {}, /is too short/, /2 to 180/],
		[
			'no operation is selected',
			create({ operation: 'sing' }),
			{},
			/'sing' is not known/,
			/Select/,
		],
		['there is no such brief', wait(), {}, /no such brief/, /Check the ID/],
	])('returns the error and the next step if %s', async (_, node, options, error, message) => {
		const items = [{ name: 'Glow Serum', id: randomUUID() }];
		const { sandbox, done } = await runInSandbox(items, asTool(node), options);
		// The input of a tool has the user's whole message.
		expect(done.json(node.name)).toEqual([
			{
				error: matchText(error),
				message: matchText(message),
				code: matchText(/^\w+$/),
			},
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('orders one brief for a message unless Max Briefs per Run is set, also after a Wait', async () => {
		const sandbox = await openService();
		const calls = ['mothers', 'young mothers', 'mums'].map((audience) => ({
			name: 'Mug',
			audience,
		}));
		const node = asTool(create({ audience: '={{ $json.audience }}' }));
		const done = await runLoop(sandbox, calls, node, { name: 'Wait', type: 'wait' });
		expect(done.passes('Create')).toMatchObject([
			{ status: matchText(/./) },
			{ code: 'limit_reached', message: matchText(/^Nothing was ordered\. Tell the user/) },
			{ code: 'limit_reached' },
		]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test.each<[string, TestNode, AddedBrief, RegExp]>([
		['failed', create(), { status: 'failed' }, /^The brief could not be written.*ask before/],
		[
			'hides its values',
			create({ audience: 'Cooks' }),
			{ status: 'ready' },
			/^Nothing was ordered\. Get/,
		],
		['has no ID', get({ briefId: 'SKU-1' }), {}, /^Pass the ID of a brief/],
		['has no ID', wait({ briefId: 'SKU-1' }), {}, /^Pass the ID of a brief/],
	])('reads what a model can do if a brief %s', async (_, node, brief, message) => {
		const sandbox = await openService();
		sandbox.addBrief({ product_name: 'Mug', ...brief });
		const [answer] = (await runNode(sandbox, [{ name: 'Mug' }], asTool(node))).json(node.name);
		expect(answer!['message']).toMatch(message);
		expect(JSON.stringify(answer)).not.toMatch(/from the list|'When Brief|'Timeout|next_step/);
	});

	test('returns one error for any number of items if the credential cannot be used', async () => {
		const node = asTool(create());
		const done = await runNode({ url: 'http://10.0.0.1/v1', key: 'k' }, makeProducts(2), node);
		expect(done.json('Create')).toMatchObject([{ code: 'credential_invalid' }]);
	});

	test('returns the same brief for the same values, even if the answers of the order are lost', async () => {
		const sandbox = await openService({}, { ...lost, times: 7 });
		const items = Array<object>(3).fill({ name: 'Mask' });
		const done = await runLoop(sandbox, items, asTool(create()));
		const [id] = sandbox.listIds();
		expect(done.passes('Create')).toMatchObject([{ id }, { id }, { id }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	test.each([
		['Brief → Create', create(), /uses one brief .* allowance.*3 to 6 minutes.*get the brief/],
		['Brief → Get', action('brief', 'get'), /nothing.*ask again with the same ID in 3 to 6/],
		['Brief → Get Many', action('brief', 'getAll'), /nothing.*get it with its ID/],
		['Hook → Get Many', action('hook', 'getAll'), /no brief.*as creative direction/],
		['the allowance', action('licence', 'getAllowance'), /nothing.*before you create briefs/],
		['the licences', action('licence', 'getAll'), /nothing.*allowance instead/],
		['Wait Until Ready', wait(), /nothing.*3 to 6 minutes.*call again with the same ID/],
		['its own words', create({ toolDescription: 'Only for Serum' }), /^Only for Serum$/],
	])('tells the model the cost, the time and the next step: %s', (_, node, description) => {
		const tool = makeWorkflow([asTool(node)]).getNode(node.name)!;
		const type = nodeTypes.getByName(tool.type) as INodeType;
		expect(NodeHelpers.getToolDescriptionForNode(tool, type)).toMatch(description);
	});

	test('has a description, which a node does not have', () => {
		const { parameters } = makeWorkflow([create()]).getNode('Create')!;
		expect(parameters).not.toHaveProperty('toolDescription');
		expect(parameters).not.toHaveProperty('descriptionType');
	});

	test.each([
		['Hook → Get Many', action('hook', 'getAll')],
		['Brief → Get Many', action('brief', 'getAll')],
	])('lists ten in less than 5,000 characters, unless it asks for more: %s', async (_, node) => {
		const sandbox = await openService();
		for (const { name } of makeProducts(60)) sandbox.addBrief({ product_name: name });
		const list = async (tool: TestNode) => (await runNode(sandbox, [{}], tool)).json('Node');
		const answer = await list(asTool(node));
		expect(answer).toHaveLength(10);
		expect(JSON.stringify(answer).length).toBeLessThan(5000);
		const more = { ...node, parameters: { ...node.parameters, limit: 20 } };
		expect(await list(asTool(more))).toHaveLength(20);
		expect(await list(node)).toHaveLength(50);
	});
});

describe('the next step of a brief', () => {
	test.each([
		['Create', create()],
		['Create without Simplify', create({ simplify: false })],
		['Get', get()],
		['Get without Simplify', get({ simplify: false })],
	])('that is being written is to ask again later: %s', async (_, node) => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'running' });
		const done = await runNode(sandbox, [{ name: 'Glow Serum', id }], asTool(node));
		const [answer] = done.json(node.name);
		expect(answer!['next_step']).toMatch(
			/again with this ID in 3 to 6 min.*Do not create it with other words/,
		);
		expect(Object.keys(answer!).slice(0, 3)).toEqual(['id', 'status', 'next_step']);
	});

	test('that has failed is to ask the user', async () => {
		const sandbox = await openService();
		const { id } = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const done = await runNode(sandbox, [{ id }], asTool(wait()));
		const message = matchText(/ask before you create another/);
		expect(done.json('Wait')).toMatchObject([
			{ status: 'failed', error_code: 'research_failed', message },
		]);
	});

	test('is missing if the brief is ready, or if no model reads it', async () => {
		const sandbox = await openService();
		const [ready] = (await runNode(sandbox, sandbox.addBriefs('ready'), asTool(wait()))).json(
			'Wait',
		);
		expect(ready!['markdown']).toMatch(/^# /);
		expect(ready).not.toHaveProperty('next_step');
		const [ordered] = (await runNode(sandbox, makeProducts(1), create())).json('Create');
		expect(ordered).not.toHaveProperty('next_step');
	});
});
