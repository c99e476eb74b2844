import { UserError } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/sandbox';
import { OneCredential } from '../support/engine/credentials';
import { create, products, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import { startNode, type Started } from '../support/engine/engine';

const CHANGED = /The credential was changed while this node was running/;

/** What n8n gives of the credential from now on. */
function credential() {
	return jest.spyOn(OneCredential.prototype, 'getDecrypted');
}

afterEach(() => jest.restoreAllMocks());

async function untilAsked(sandbox: Sandbox, requests = 1): Promise<void> {
	while (sandbox.requests.length < requests) {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/** Two briefs that take long, and an execution that waits for them. */
async function waitingFor(settings: Parameters<typeof wait>[0] = {}) {
	const sandbox = await sandboxWith();
	const briefs = [1, 2].map(() => sandbox.addBrief({ durationMs: 600_000 }));
	const items = briefs.map(({ id }) => ({ id }));
	const execution = startNode(targetOf(sandbox), items, wait(settings));
	await untilAsked(sandbox);
	return { sandbox, execution, id: briefs[0]!.id };
}

/** It ends before its briefs do. */
async function endOf(execution: Started, sandbox: Sandbox) {
	const done = await execution.ended;
	expect(sandbox.requests.filter(({ key }) => key !== 'allScopes')).toEqual([]);
	return done;
}

describe('an execution that waits while its credential', () => {
	it.each(['address and key', 'key'])(
		'gets another %s ends, sends the new key nowhere, and names its brief',
		async (what) => {
			const { sandbox, execution, id } = await waitingFor();
			const other = await sandboxWith();
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

	it('is edited has an error item for each of its items, where On Error continues', async () => {
		const { sandbox, execution } = await waitingFor({ onError: 'continueRegularOutput' });
		credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const done = await endOf(execution, sandbox);
		const failed = { error: expect.stringMatching(CHANGED) as string, code: 'key_refused' };
		expect(done.json('Wait', 1)).toMatchObject([failed, failed]);
	});

	it('cannot be read for a moment goes on', async () => {
		const { sandbox, execution } = await waitingFor();
		credential().mockRejectedValueOnce(new Error('Connection terminated'));
		expect((await endOf(execution, sandbox)).json('Wait')).toHaveLength(2);
	});
});

describe('an execution that orders while its credential is edited', () => {
	it('sends no further order, and names those that are paid for', async () => {
		const sandbox = await sandboxWith();
		const node = create({ waitUntilReady: true });
		const execution = startNode(targetOf(sandbox), products(3), node);
		while (sandbox.createdCount() < 2) await untilAsked(sandbox, sandbox.requests.length + 1);
		credential().mockResolvedValue({ baseUrl: sandbox.url, apiKey: 'key-of-b' });
		const { error } = await endOf(execution, sandbox);
		expect(sandbox.createdCount()).toBe(2);
		expect(error.message).toMatch(CHANGED);
		for (const { id } of sandbox.briefs()) expect(error.description).toContain(id);
	});
});
