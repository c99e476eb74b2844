import { randomUUID } from 'node:crypto';
import { UserError } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox';
import { StubCredentials } from '../support/engine/credentials';
import { runNode, type Started, startNode, type TestNode } from '../support/engine/engine';
import {
	action,
	continuing,
	create,
	get,
	addBriefs,
	LONG,
	products,
	runInSandbox,
	countRequests,
	openService,
	says,
	wait,
	withErrorOutput,
} from '../support/engine/fixtures';
import { engineTime, until } from '../support/engine/time';

afterEach(() => jest.restoreAllMocks());

/** What n8n gives of the credential from now on. */
const credential = () => jest.spyOn(StubCredentials.prototype, 'getDecrypted');

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
			/'Base URL' cannot be used\. http:.* would receive the API key without encryption$/,
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
		const { sandbox, done } = await runInSandbox(products(2), node);
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
	const sandbox = await openService();
	const items = addBriefs(sandbox, LONG, LONG).map((item) => ({ ...item, name: 'Glow Serum' }));
	const execution = startNode(sandbox, items, node);
	await until(() => countRequests(sandbox, 'list_briefs') > 2);
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
		const sandbox = await openService();
		const items = addBriefs(sandbox, 1_500_000, 1_500_000);
		const execution = startNode(sandbox, items, wait(settings));
		await until(() => sandbox.requests.length > 0);
		return { sandbox, execution, id: items[0]!.id };
	}

	it.each(['address and key', 'key'])(
		'gets another %s ends, sends the new key nowhere, and names its brief',
		async (what) => {
			const [{ sandbox, execution, id }, other] = [await waitingFor(), await openService()];
			const baseUrl = what === 'key' ? sandbox.url : other.url;
			credential().mockResolvedValue({ baseUrl, apiKey: 'key-of-b' });
			const { error } = await endOf(execution, sandbox);
			expect(other.requests).toEqual([]);
			expect(error.message).toMatch(new RegExp(`${CHANGED.source} .brief ${id}.`, 'i'));
			expect(error.description).toMatch(/Wait for it again/);
			expect(JSON.stringify(error)).not.toContain('key-of-b');
		},
	);

	it('is deleted ends and says so', async () => {
		const { sandbox, execution } = await waitingFor();
		credential().mockRejectedValue(new UserError('Credential with ID "1" does not exist.'));
		const { error } = await endOf(execution, sandbox);
		expect(error.message).toMatch(/the credential no longer exists: Credential with ID "1"/i);
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
	const sandbox = await openService();
	const execution = startNode(sandbox, products(3), create({ waitUntilReady: true }));
	await until(() => sandbox.createdCount() === 2);
	credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
	const { error } = await endOf(execution, sandbox);
	expect(sandbox.createdCount()).toBe(2);
	expect(error.message).toMatch(CHANGED);
	for (const { id } of sandbox.briefs()) expect(error.description).toContain(id);
});
