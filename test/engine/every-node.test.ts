import { randomUUID } from 'node:crypto';
import { UserError } from 'n8n-workflow';
import { StubCredentials } from '../support/engine/credentials';
import { runNode, startNode, type StartedExecution, type TestNode } from '../support/engine/engine';
import {
	action,
	continuing,
	create,
	get,
	LONG,
	openService,
	runInSandbox,
	wait,
	withErrorOutput,
	type NodeSettings,
} from '../support/engine/fixtures';
import { waitUntil } from '../support/engine/time';
import { makeProducts, matchText } from '../support/values';

/** Mocks the credential that n8n returns. */
const mockCredential = () => jest.spyOn(StubCredentials.prototype, 'getDecrypted');

type MakeNode = (settings: NodeSettings) => TestNode;

/** Each operation, the output of its error items, and its error output. */
const operations: Array<[string, MakeNode, number, number]> = [
	['Create', create, 0, 1],
	['Get', get, 0, 1],
	['Get Many', (settings) => action('brief', 'getAll', settings), 0, 1],
	['Get Brief Allowance', (settings) => action('licence', 'getAllowance', settings), 0, 1],
	['Get Many Licences', (settings) => action('licence', 'getAll', settings), 0, 1],
	['Get Many Hooks', (settings) => action('hook', 'getAll', settings), 0, 1],
	['Wait Until Ready', wait, 1, 3],
];

describe('an address that would send the key unencrypted to another machine', () => {
	const unencrypted = { url: 'http://10.0.0.1:1/v1', key: 'k' };
	const items = ['Glow Serum', 'Night Cream'].map((name) => ({ name, id: randomUUID() }));
	const failed = {
		error: matchText(/'Base URL' cannot be used/),
		message: matchText(/Open the credential/),
		code: 'credential_invalid',
	};

	test.each(operations)(
		'is an error item for each item in %s, or goes to the error output with the input',
		async (_, makeNode, output, errorOutput) => {
			const getOutputs = async (node: TestNode) => {
				const done = await runNode(unencrypted, items, node);
				return [0, 1, 2, 3].map((each) =>
					done.items(node.name, each).map(({ json, pairedItem }) => [json, pairedItem]),
				);
			};
			const failures = items.map((row, item) => [{ ...row, ...failed }, { item }]);
			const only = (at: number) => [0, 1, 2, 3].map((each) => (each === at ? failures : []));
			expect(await getOutputs(makeNode(continuing))).toEqual(only(output));
			expect(await getOutputs(makeNode(withErrorOutput))).toEqual(only(errorOutput));
		},
	);

	test('ends the execution that does not continue', async () => {
		const { error } = await runNode(unencrypted, items, create());
		expect(error.message).toMatch(
			/'Base URL' cannot be used\. http:.* would receive the API key without encryption$/,
		);
		expect(error.description).toMatch(/Open the credential.*Use https:\/\//);
	});
});

test('a credential that n8n cannot read is an error item for each item', async () => {
	mockCredential().mockRejectedValue(new Error('It was deleted'));
	const { done } = await runInSandbox(makeProducts(2), create(continuing));
	expect(done.json('Create')).toMatchObject(
		Array(2).fill({ error: matchText(/It was deleted/), code: 'credential_invalid' }),
	);
});

test.each<[string, MakeNode, number]>([
	['Create', create, 0],
	['Wait Until Ready', wait, 1],
])(
	'an option of %s that n8n cannot evaluate is an error item for each item',
	async (_, makeNode, output) => {
		const options = { timeout: '={{ $("Nowhere").item.json.x }}' };
		const node = makeNode({ options, ...continuing });
		const { sandbox, done } = await runInSandbox(makeProducts(2), node);
		const json = { error: matchText(/./) };
		expect(done.items(node.name, output)).toMatchObject(
			[0, 1].map((item) => ({ json, pairedItem: { item } })),
		);
		expect(sandbox.requests).toEqual([]);
	},
);

test.each([
	['a brief', wait()],
	['a slot', create()],
])('an execution that waits for %s ends on Stop, and sends no more requests', async (_, node) => {
	const sandbox = await openService();
	const items = sandbox.addBriefs(LONG, LONG).map((item) => ({ ...item, name: 'Glow Serum' }));
	const execution = startNode(sandbox, items, node);
	await waitUntil(() => sandbox.countRequests('list_briefs') > 2);
	execution.stop();
	expect((await execution.ended).status).toBe('canceled');
	expect(await sandbox.countLaterRequests()).toBe(0);
	expect(sandbox.createdCount()).toBe(0);
});

describe('a credential that is changed while an execution waits', () => {
	const changed = /the credential was changed while this node was running/i;

	/** Starts an execution that waits for two briefs. */
	async function startWaiting(settings: NodeSettings = {}) {
		const sandbox = await openService();
		const items = sandbox.addBriefs(1_500_000, 1_500_000);
		const execution = startNode(sandbox, items, wait(settings));
		await waitUntil(() => sandbox.requests.length > 0);
		const end = async ({ ended }: StartedExecution = execution) => {
			const done = await ended;
			expect(sandbox.requests.filter(({ key }) => key !== 'allScopes')).toEqual([]);
			return done;
		};
		return { sandbox, end, id: items[0]!.id };
	}

	test.each(['address and key', 'key'])(
		'to another %s ends it, and the error names the brief, but not the key',
		async (what) => {
			const { sandbox, end, id } = await startWaiting();
			const other = await openService();
			const baseUrl = what === 'key' ? sandbox.url : other.url;
			mockCredential().mockResolvedValue({ baseUrl, apiKey: 'key-of-b' });
			const { error } = await end();
			expect(other.requests).toEqual([]);
			expect(error.message).toMatch(changed);
			expect(error.description).toContain(id);
			expect(error.description).toMatch(/Wait for it again/);
			expect(JSON.stringify(error)).not.toContain('key-of-b');
		},
	);

	test('ends it if the credential is deleted', async () => {
		const { end } = await startWaiting();
		mockCredential().mockRejectedValue(new UserError('Credential with ID "1" does not exist.'));
		const { error } = await end();
		expect(error.message).toMatch(/the credential no longer exists: Credential with ID "1"/i);
	});

	test('makes an error item of each item if On Error continues', async () => {
		const { sandbox, end } = await startWaiting(continuing);
		mockCredential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const failed = { error: matchText(changed), code: 'credential_changed' };
		expect((await end()).json('Wait', 1)).toMatchObject([failed, failed]);
	});

	test('does not matter if only white space and slashes change', async () => {
		const { sandbox, end } = await startWaiting();
		const apiKey = `Bearer ${sandbox.keys.allScopes} `;
		mockCredential().mockResolvedValue({ baseUrl: ` ${sandbox.url}/ `, apiKey });
		expect((await end()).json('Wait')).toHaveLength(2);
	});

	test('does not matter if the credential cannot be read for a moment', async () => {
		const { end } = await startWaiting();
		mockCredential().mockRejectedValueOnce(new Error('Connection terminated'));
		expect((await end()).json('Wait')).toHaveLength(2);
	});

	test('ends orders, too, and the error names the paid briefs', async () => {
		const sandbox = await openService();
		const { ended } = startNode(sandbox, makeProducts(3), create({ waitUntilReady: true }));
		await waitUntil(() => sandbox.createdCount() === 2);
		mockCredential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const { error } = await ended;
		expect(sandbox.createdCount()).toBe(2);
		expect(error.message).toMatch(changed);
		for (const id of sandbox.listIds()) expect(error.description).toContain(id);
	});
});
