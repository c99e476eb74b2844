import { randomUUID } from 'node:crypto';
import { UserError, type IHttpRequestOptions } from 'n8n-workflow';
import { CreatorBriefingApi } from '../../credentials/CreatorBriefingApi.credentials';
import type { Sandbox } from '../../sandbox/sandbox';
import { readBaseUrl } from '../../service/base-url';
import { OneCredential } from '../support/engine/credentials';
import {
	runNode,
	startNode,
	workflowOf,
	type Started,
	type TestNode,
} from '../support/engine/engine';
import {
	action,
	create,
	products,
	sandboxWith,
	says,
	until,
	wait,
} from '../support/engine/fixtures';

afterEach(() => jest.restoreAllMocks());

/** What n8n gives of the credential from now on. */
const credential = () => jest.spyOn(OneCredential.prototype, 'getDecrypted');
const continuing = { onError: 'continueRegularOutput' } as const;

type Settings = Parameters<typeof create>[0];

/** Each operation, and the output of its error items if there is no error output. */
const operations: Array<[string, (settings: Settings) => TestNode, number]> = [
	['Create', create, 0],
	['Get', (settings) => action('brief', 'get', { briefId: '={{ $json.id }}', ...settings }), 0],
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

	it.each(operations)('is an error item for each item in %s', async (_, nodeWith, output) => {
		const node = nodeWith(continuing);
		const done = await runNode(unencrypted, items, node);
		expect(done.items(node.name, output)).toEqual([
			{ json: failed, pairedItem: { item: 0 } },
			{ json: failed, pairedItem: { item: 1 } },
		]);
		expect(done.items(node.name, 1 - output)).toEqual([]);
	});

	it.each(operations)(
		'goes to the error output with the input in %s',
		async (_, nodeWith, output) => {
			const node = nodeWith({ onError: 'continueErrorOutput' });
			const done = await runNode(unencrypted, items, node);
			const routed = [0, 1, 2].map((each) => done.json(node.name, each));
			const expected: unknown[] = [[], [], []];
			expected[output + 1] = items.map((item) => ({ ...item, ...failed }));
			expect(routed).toEqual(expected);
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
	const done = await runNode(nowhere, products(2), create({ onError: 'continueErrorOutput' }));
	const unread = { error: says(/It was deleted/), code: 'credential_invalid' };
	expect(done.json('Create', 1)).toMatchObject([unread, unread]);
});

it.each(operations.filter(([name]) => /Create|Wait/.test(name)))(
	'an option of %s that cannot be read is an error item for each item',
	async (_, nodeWith, output) => {
		const sandbox = await sandboxWith();
		const options = { timeout: '={{ $("Nowhere").item.json.x }}' };
		const node = nodeWith({ options, ...continuing });
		const done = await runNode(sandbox, products(2), node);
		const error = says(/./);
		expect(done.items(node.name, output)).toMatchObject([
			{ json: { error }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
		]);
		expect(sandbox.requests).toEqual([]);
	},
);

const CHANGED = /The credential was changed while this node was running/;

describe('an execution that waits while its credential', () => {
	/** Two briefs that take long, and an execution that waits for them. */
	async function waitingFor(settings: Settings = {}) {
		const sandbox = await sandboxWith();
		const items = [1, 2].map(() => ({ id: sandbox.addBrief({ durationMs: 1_500_000 }).id }));
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
			expect(error.message).toMatch(new RegExp(`^Brief ${id}.*: ${CHANGED.source}`));
			expect(error.description).toMatch(/earlier address and key.*Wait for it again/);
			expect(JSON.stringify(error)).not.toContain('key-of-b');
		},
	);

	it('is deleted ends and says so', async () => {
		const { sandbox, execution } = await waitingFor();
		credential().mockRejectedValue(new UserError('Credential with ID "1" does not exist.'));
		const { error } = await endOf(execution, sandbox);
		expect(error.message).toMatch(/The credential is not there any more: Credential with ID "1"/);
	});

	it('is edited has an error item for each of its items if On Error continues', async () => {
		const { sandbox, execution } = await waitingFor(continuing);
		credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const done = await endOf(execution, sandbox);
		const failed = { error: says(CHANGED), code: 'key_refused' };
		expect(done.json('Wait', 1)).toMatchObject([failed, failed]);
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

	it.each([
		...['https://api.vendor.example/v1/', ' http://localhost:1/v1// ', 'http://127.0.0.1:1/v1'],
		...['http://[::1]:1/v1', 'http://10.0.0.1/v1', 'http://localhost.evil.example/v1', 'x', ''],
	])('goes in a test of the credential where it goes in a run: %s', async (baseUrl) => {
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
		const read = readBaseUrl(baseUrl);
		if ('what' in read) expect(asked).toBe(`'Base URL' cannot be used. ${read.what} ${read.cure}`);
		else expect(asked).toMatchObject({ baseURL: read.baseUrl, headers: sent });
	});

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
