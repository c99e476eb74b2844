import { randomUUID } from 'node:crypto';
import { type IHttpRequestOptions, type INodeType, NodeHelpers, UserError } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import type { Sandbox } from '../../sandbox/sandbox';
import { readBaseUrl } from '../../service/api/connection';
import { OneCredential } from '../support/engine/credentials';
import {
	runLoop,
	runNode,
	type Started,
	startNode,
	type TestNode,
	workflowOf,
} from '../support/engine/engine';
import {
	action,
	continuing,
	create,
	get,
	itemsIn,
	LONG,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { nodeTypes } from '../support/engine/node-types';
import { engineTime, until } from '../support/engine/time';

afterEach(() => jest.restoreAllMocks());

/** What n8n gives of the credential from now on. */
const credential = () => jest.spyOn(OneCredential.prototype, 'getDecrypted');

type Settings = Parameters<typeof create>[0];

/** Each operation, and the output of its error items if there is no error output. */
const operations: Array<[string, (settings: Settings) => TestNode, number]> = [
	['Create', create, 0],
	['Get', get, 0],
	['Get Many', (settings) => action('brief', 'getAll', settings), 0],
	['Get Brief Allowance', (settings) => action('licence', 'getAllowance', settings), 0],
	['Get Many Licences', (settings) => action('licence', 'getAll', settings), 0],
	['Get Many Hooks', (settings) => action('hook', 'getAll', settings), 0],
	['Wait Until Ready', wait, 1],
];

describe('an address that would send the key unencrypted to another machine', () => {
	const unencrypted = { url: 'http://10.0.0.1:1/v1', key: 'k' };
	const items = ['Glow Serum', 'Night Cream'].map((name) => ({ name, id: randomUUID() }));
	/** No row is at fault, so its code is none that puts a row aside. */
	const failed = {
		error: says(/'Base URL' cannot be used/),
		message: says(/Open the credential/),
		code: 'credential_invalid',
	};

	it.each(operations)(
		'is an error item for each item in %s, or goes to the error output with the input',
		async (_, nodeWith, output) => {
			const outputsOf = async (node: TestNode) => {
				const done = await runNode(unencrypted, items, node);
				return [0, 1, 2].map((each) =>
					done.items(node.name, each).map(({ json, pairedItem }) => [json, pairedItem]),
				);
			};
			const failures = items.map((row, item) => [{ ...row, ...failed }, { item }]);
			const only = (at: number) => [0, 1, 2].map((each) => (each === at ? failures : []));
			expect(await outputsOf(nodeWith(continuing))).toEqual(only(output));
			expect(await outputsOf(nodeWith(withErrorOutput))).toEqual(only(output + 1));
		},
	);

	it('ends the execution that does not continue', async () => {
		const { error } = await runNode(unencrypted, items, create());
		expect(error.message).toMatch(
			/'Base URL' cannot be used: http:.* would send the API key without encryption$/,
		);
		expect(error.description).toMatch(/Open the credential.*Use https:\/\//);
	});
});

it('a credential that n8n cannot give is an error item for each item', async () => {
	credential().mockRejectedValue(new Error('It was deleted'));
	const nowhere = { url: 'http://127.0.0.1:9/v1', key: 'k' };
	const done = await runNode(nowhere, products(2), create(withErrorOutput));
	const unread = { error: says(/It was deleted/), code: 'credential_invalid' };
	expect(done.json('Create', 1)).toMatchObject([unread, unread]);
});

it.each<[string, (settings: Settings) => TestNode, number]>([
	['Create', create, 0],
	['Wait Until Ready', wait, 1],
])(
	'an option of %s that cannot be read is an error item for each item',
	async (_, nodeWith, output) => {
		const node = nodeWith({
			options: { timeout: '={{ $("Nowhere").item.json.x }}' },
			...continuing,
		});
		const { sandbox, done } = await ran(products(2), node);
		const error = says(/./);
		expect(done.items(node.name, output)).toMatchObject([
			{ json: { error }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
		]);
		expect(sandbox.requests).toEqual([]);
	},
);

it.each([
	['Wait Until Ready', wait()],
	['Create, for a slot', create()],
])('%s waits, and ends on Stop, and asks nothing more', async (_, node) => {
	const sandbox = await sandboxWith();
	const items = itemsIn(sandbox, LONG, LONG).map((item) => ({ ...item, name: 'Glow Serum' }));
	const execution = startNode(sandbox, items, node);
	await until(() => requestsOf(sandbox, 'list_briefs') > 2);
	execution.stop();
	expect((await execution.ended).status).toBe('canceled');
	const requests = sandbox.requests.length;
	await engineTime().pass(600_000);
	expect(sandbox.requests).toHaveLength(requests);
	expect(sandbox.createdCount()).toBe(0);
});

const CHANGED = /the credential was changed while this node was running/i;

describe('an execution that waits while its credential', () => {
	/** Two briefs that take long, and an execution that waits for them. */
	async function waitingFor(settings: Settings = {}) {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, 1_500_000, 1_500_000);
		const execution = startNode(sandbox, items, wait(settings));
		await until(() => sandbox.requests.length > 0);
		return { sandbox, execution, id: items[0]!.id };
	}

	it.each(['address and key', 'key'])(
		'gets another %s ends, sends the new key nowhere, and names its brief',
		async (what) => {
			const [{ sandbox, execution, id }, other] = [await waitingFor(), await sandboxWith()];
			const baseUrl = what === 'key' ? sandbox.url : other.url;
			credential().mockResolvedValue({ baseUrl, apiKey: 'key-of-b' });
			const { error } = await endOf(execution, sandbox);
			expect(other.requests).toEqual([]);
			expect(error.message).toMatch(new RegExp(`^Brief ${id}: ${CHANGED.source}`, 'i'));
			expect(error.description).toMatch(/earlier address and key.*Wait for it again/);
			expect(JSON.stringify(error)).not.toContain('key-of-b');
		},
	);

	it('is deleted ends and says so', async () => {
		const { sandbox, execution } = await waitingFor();
		credential().mockRejectedValue(new UserError('Credential with ID "1" does not exist.'));
		const { error } = await endOf(execution, sandbox);
		expect(error.message).toMatch(/the credential is not there any more: Credential with ID "1"/);
	});

	it('is edited has an error item for each of its items if On Error continues', async () => {
		const { sandbox, execution } = await waitingFor(continuing);
		credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const done = await endOf(execution, sandbox);
		const failed = { error: says(CHANGED), code: 'key_refused' };
		expect(done.json('Wait', 1)).toMatchObject([failed, failed]);
	});

	it('is saved again with blanks and slashes goes on', async () => {
		const { sandbox, execution } = await waitingFor();
		const apiKey = `Bearer ${sandbox.keys.allScopes} `;
		credential().mockResolvedValue({ baseUrl: ` ${sandbox.url}/ `, apiKey });
		expect((await endOf(execution, sandbox)).json('Wait')).toHaveLength(2);
	});

	it('cannot be read for a moment goes on', async () => {
		const { sandbox, execution } = await waitingFor();
		credential().mockRejectedValueOnce(new Error('Connection terminated'));
		expect((await endOf(execution, sandbox)).json('Wait')).toHaveLength(2);
	});
});

/** It has sent no other key than its own. */
async function endOf(execution: Started, sandbox: Sandbox) {
	const done = await execution.ended;
	expect(sandbox.requests.filter(({ key }) => key !== 'allScopes')).toEqual([]);
	return done;
}

it('an execution whose credential is edited sends no further order, and names those paid for', async () => {
	const sandbox = await sandboxWith();
	const execution = startNode(sandbox, products(3), create({ waitUntilReady: true }));
	await until(() => sandbox.createdCount() === 2);
	credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
	const { error } = await endOf(execution, sandbox);
	expect(sandbox.createdCount()).toBe(2);
	expect(error.message).toMatch(CHANGED);
	for (const { id } of sandbox.briefs()) expect(error.description).toContain(id);
});

describe('the key', () => {
	const type = new CreatorBriefingApi();
	const JSON_TYPE = 'application/json';
	const sent = { Accept: JSON_TYPE, Authorization: 'Bearer secret-key' };

	type Request = Partial<IHttpRequestOptions> & { uri?: string };

	/** The request as n8n sends it, or why it does not. */
	async function sentWith(given: { baseUrl: string; apiKey: string }, request: Request) {
		try {
			return await type.authenticate(given, request as IHttpRequestOptions);
		} catch (refused) {
			return (refused as Error).message;
		}
	}

	/** What a test of the credential sends, or why it does not, and what a run makes of the same address. */
	async function tested(baseUrl: string) {
		const { request } = type.test;
		const workflow = workflowOf([{ name: 'Start', type: 'items' }]);
		const baseURL = workflow.expression.getSimpleParameterValue(
			workflow.getNode('Start')!,
			String(request.baseURL),
			'internal',
			{ $credentials: { baseUrl } },
			undefined,
			'',
		) as string;
		const { url, headers } = request;
		const asked = await sentWith({ baseUrl, apiKey: 'secret-key' }, { baseURL, url, headers });
		return { asked, read: readBaseUrl(baseUrl) };
	}

	it.each([
		...['https://api.vendor.example/v1/', ' http://localhost:1/v1// ', 'http://127.0.0.1:1/v1'],
		'http://[::1]:1/v1',
	])('goes in a test of the credential where it goes in a run: %s', async (baseUrl) => {
		const { asked, read } = await tested(baseUrl);
		expect(asked).toMatchObject({ baseURL: (read as { baseUrl: string }).baseUrl, headers: sent });
	});

	it.each(['http://10.0.0.1/v1', 'http://localhost.evil.example/v1', 'x', ''])(
		'goes nowhere in a test of the credential where it goes nowhere in a run: %s',
		async (baseUrl) => {
			const { asked, read } = await tested(baseUrl);
			const { what, cure } = read as { what: string; cure: string };
			expect(asked).toBe(`'Base URL' cannot be used. ${what} ${cure}`);
		},
	);

	const given = { baseUrl: 'https://api.example.com/v1', apiKey: ' Bearer secret-key ' };

	it.each<[string, Request]>([
		['a node asks', { url: 'https://api.example.com/v1/briefs' }],
		['the HTTP Request node asks', { uri: 'https://API.example.com:443/v1/other' }],
		['a test asks', { baseURL: 'https://api.example.com/v1', url: '/licences' }],
	])('goes to the service, along no redirect: %s', async (_who, request) => {
		const stays = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };
		const asked = await sentWith(given, { ...request, headers: { Accept: JSON_TYPE } });
		expect(asked).toMatchObject({ ...request, headers: sent, ...stays });
	});

	it.each<Request>([
		{ url: 'https://other.example.com/v1/briefs' },
		{ uri: 'https://api.example.com.evil.example/v1' },
		{ url: 'https://api.example.com@evil.example/v1' },
		{ url: 'https://eu.api.example.com/v1' },
		{ url: 'https://api.example.com:8443/v1' },
		{ url: 'http://api.example.com/v1' },
		{ baseURL: 'https://api.example.com/v1', url: '//evil.example/v1' },
		{ baseURL: 'https://api.example.com/v1', url: 'https://evil.example/v1' },
		{ baseURL: 'http://evil.example', url: 'https:/api.example.com/v1' },
		{ url: '/v1/briefs' },
		{ url: '' },
		{},
	])('goes nowhere else: %j', async (request) => {
		expect(await sentWith(given, request)).toBe(
			"The API key was not sent, because it is for https://api.example.com only. Correct the URL of the request, or 'Base URL' in the credential",
		);
	});
});

const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief' } as const;

/** The node as the type that an agent runs. */
function asTool(node: TestNode): TestNode {
	return { ...node, type: `${node.type}Tool` };
}

/** What the model reads about the tool. */
function descriptionOf(tool: TestNode): string {
	const node = workflowOf([tool]).getNode(tool.name)!;
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
		const { sandbox, done } = await ran(items, asTool(node), options);
		expect(done.json(node.name)).toEqual([
			{ ...items[0], error: says(error), message: says(message), code: says(/^\w+$/) },
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('answers that the key is refused', async () => {
		const { url } = await sandboxWith();
		const done = await runNode({ url, key: 'no-key' }, products(1), asTool(create()));
		expect(done.json('Create')).toMatchObject([
			{ error: says(/API key was refused/), message: says(/Developers area/), code: 'key_refused' },
		]);
	});

	it('calls an order in doubt so, with how it is never paid twice', async () => {
		const { sandbox, done } = await ran(products(1), asTool(create()), {}, { ...lost, times: 99 });
		const [answer] = done.json('Create');
		expect(answer!['error']).toMatch(/may have been created or not/);
		expect(answer!['message']).toMatch(/^Run it again with the same values: it gets that brief/);
		const again = await runNode(sandbox, products(1), asTool(create()));
		expect(again.all('id', 'Create')).toEqual([sandbox.briefs()[0]!.id]);
	});

	it('takes an Order Key that the agent leaves out', async () => {
		const keyed = create({ whenBriefExists: 'orderAnother', idempotencyKey: '={{ $json.key }}' });
		const { sandbox, done } = await ran(products(1), asTool(keyed));
		expect(done.all('id', 'Create')).toEqual([sandbox.briefs()[0]!.id]);
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
		const { parameters } = workflowOf([create()]).getNode('Create')!;
		expect(parameters).not.toHaveProperty('toolDescription');
		expect(parameters).not.toHaveProperty('descriptionType');
	});

	it.each([
		['Hook → Get Many', action('hook', 'getAll')],
		['Brief → Get Many', action('brief', 'getAll')],
	])('lists ten in less than 5,000 characters, unless more are asked for: %s', async (_, node) => {
		const sandbox = await sandboxWith();
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
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'running' });
		const done = await runNode(sandbox, [{ name: 'Glow Serum', id }], asTool(node));
		const [answer] = done.json(node.name);
		expect(answer!['next_step']).toMatch(
			/again with this ID in 3 to 6 min.*Do not create it with other words/,
		);
		expect(Object.keys(answer!).slice(0, 3)).toEqual(['id', 'status', 'next_step']);
	});

	it('gives a brief that failed too, and says what to do next', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'failed', errorCode: 'research_failed' });
		const done = await runNode(sandbox, [{ id }], asTool(wait()));
		const next_step = says(/ask before you create another/);
		expect(done.json('Wait')).toMatchObject([
			{ status: 'failed', error_code: 'research_failed', next_step },
		]);
	});

	it('says nothing of a brief that is ready, nor if no model reads it', async () => {
		const sandbox = await sandboxWith();
		const items = itemsIn(sandbox, 'ready');
		const [ready] = (await runNode(sandbox, items, asTool(wait()))).json('Wait');
		expect(ready!['markdown']).toMatch(/^# /);
		expect(ready).not.toHaveProperty('next_step');
		const [ordered] = (await runNode(sandbox, products(1), create())).json('Create');
		expect(ordered).not.toHaveProperty('next_step');
	});
});

describe('Create, called several times in one execution', () => {
	/** Each item is a call of its own: gives the answers. */
	async function calls(sandbox: Sandbox, values: object[], fields = {}) {
		const node = create({ audience: '={{ $json.audience }}', ...fields });
		const done = await runLoop(sandbox, values, asTool(node));
		return values.map((_, run) => done.json('Create', 0, run)[0]!);
	}

	it('gives the same brief for the same values, also after an answer that was lost', async () => {
		const sandbox = await sandboxWith({}, { ...lost, times: 7 });
		const answers = await calls(sandbox, [{ name: 'Mask' }, { name: 'Mask' }, { name: 'Mask' }]);
		const { id } = sandbox.briefs()[0]!;
		const error = says(/may have been created or not/);
		expect(answers).toMatchObject([{ error }, { id }, { id }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('names the brief that a key has if the product is ordered under it in other words', async () => {
		const sandbox = await sandboxWith();
		const idempotencyKey = '={{ "chat " + $json.name.toLowerCase() }}';
		const fields = { whenBriefExists: 'orderAnother', idempotencyKey };
		const asked = [
			{ name: 'Glow Serum', audience: 'Cooks' },
			{ name: 'glow serum', audience: 'Cooks' },
			{ name: 'glow serum', audience: 'Runners' },
		];
		const answers = await calls(sandbox, asked, fields);
		const { id } = sandbox.briefs()[0]!;
		const error = says(`“chat glow serum” belongs to another brief: Brief ${id}`);
		expect(answers).toMatchObject([{ id }, { id }, { error }]);
		expect(sandbox.createdCount()).toBe(1);
	});
});
