import { randomUUID } from 'node:crypto';
import { BinaryDataService } from 'n8n-core';
import { action, create, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import { OneCredential } from '../support/engine/credentials';
import { itemsNode, run, runNode, type TestNode } from '../support/engine/engine';

const unencrypted = { url: 'http://10.0.0.1:1/v1', key: 'k' };
const items = ['Glow Serum', 'Night Cream'].map((name) => ({ name, id: randomUUID() }));
const says = (text: string) => expect.stringContaining(text) as string;
const linkedToBoth = [{ pairedItem: { item: 0 } }, { pairedItem: { item: 1 } }];

/** No row is at fault, so its code is none that puts a row aside. */
const failed = {
	error: says("'Base URL' cannot be used"),
	message: says('Open the credential'),
	code: 'credential_invalid',
};

type Settings = Parameters<typeof create>[0];

/** Each operation, and the output of its error items where there is no error output. */
const operations: Array<[string, (settings: Settings) => TestNode, number]> = [
	['Create', create, 0],
	['Get', (settings) => action('brief', 'get', { briefId: '={{ $json.id }}', ...settings }), 0],
	['Get Many', (settings) => action('brief', 'getAll', settings), 0],
	['Get Brief Allowance', (settings) => action('licence', 'getAllowance', settings), 0],
	['Get Many Licences', (settings) => action('licence', 'getAll', settings), 0],
	['Get Many Hooks', (settings) => action('hook', 'getAll', settings), 0],
	['Wait Until Ready', wait, 1],
];

describe('what ends all items at once, with On Error set to continue,', () => {
	describe.each(operations)('in %s', (_name, nodeWith, output) => {
		it('is an error item for each, and no item leaves as a success', async () => {
			const node = nodeWith({ onError: 'continueRegularOutput' });
			const done = await runNode(unencrypted, items, node);
			expect(done.status).toBe('success');
			expect(done.json(node.name, output)).toEqual([failed, failed]);
			expect(done.items(node.name, output)).toMatchObject(linkedToBoth);
			expect(done.items(node.name, 1 - output)).toEqual([]);
		});

		it('goes to the error output with the items’ own input', async () => {
			const node = nodeWith({ onError: 'continueErrorOutput' });
			const done = await runNode(unencrypted, items, node);
			expect(done.items(node.name, 0)).toEqual([]);
			const [errors, none] = [output + 1, 2 - output];
			expect(done.json(node.name, errors)).toEqual(items.map((item) => ({ ...item, ...failed })));
			expect(done.items(node.name, none)).toEqual([]);
		});
	});

	it('may be a credential that n8n cannot give', async () => {
		const gone = jest
			.spyOn(OneCredential.prototype, 'getDecrypted')
			.mockRejectedValue(new Error('It was deleted'));
		const done = await runNode(unencrypted, items, create({ onError: 'continueErrorOutput' }));
		gone.mockRestore();
		const unread = { error: says('It was deleted'), code: 'credential_invalid' };
		expect(done.items('Create', 0)).toEqual([]);
		expect(done.json('Create', 1)).toMatchObject([unread, unread]);
	});

	it('may be an option that cannot be read', async () => {
		const options = { timeout: '={{ $("Nowhere").item.json.x }}' };
		const sandbox = await sandboxWith();
		for (const [nodeWith, output] of [[create, 0] as const, [wait, 1] as const]) {
			const node = nodeWith({ options, onError: 'continueRegularOutput' });
			const done = await runNode(targetOf(sandbox), items, node);
			expect(done.items(node.name, output)).toMatchObject(linkedToBoth);
			for (const json of done.json(node.name, output)) expect(json['error']).toBeTruthy();
		}
		expect(sandbox.requests).toEqual([]);
	});

	it('ends the execution without that', async () => {
		const done = await runNode(unencrypted, items, create());
		expect(done.status).toBe('error');
		expect(done.error.message).toMatch(/'Base URL' cannot be used/);
	});
});

describe('an item that Create could not order, with On Error set to continue,', () => {
	const both = [{ name: 'Glow Serum' }, { name: 'x' }];
	async function behindCreate(settings: Settings) {
		const sandbox = await sandboxWith();
		return await run(
			targetOf(sandbox),
			[itemsNode(both), create({ onError: 'continueRegularOutput' }), wait(settings)],
			[
				['Start', 0, 'Create'],
				['Create', 0, 'Wait'],
			],
		);
	}

	it.each([
		['stops', {}, 1],
		['continues', { onError: 'continueRegularOutput' }, 1],
		['continues with an error output', { onError: 'continueErrorOutput' }, 2],
	] as const)(
		'leaves Wait Until Ready with its own reason, where that %s',
		async (_what, settings, output) => {
			const done = await behindCreate(settings);
			const [, reason] = done.json('Create');
			expect(reason).toMatchObject({ error: says("'Product Name'"), code: 'invalid_input' });
			expect(done.json('Wait', output)).toEqual([reason]);
			expect(done.json('Wait', 0)).toMatchObject([{ status: 'ready' }]);
		},
	);
});

describe('a file that Wait Until Ready cannot store', () => {
	const options = { markdownFile: true };
	/** Two briefs that are ready; the file of the first cannot be stored. */
	async function waitedFor(settings: Settings) {
		const sandbox = await sandboxWith();
		const ids = [1, 2].map(() => sandbox.addBrief({ status: 'ready' }).id);
		const store = jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const briefs = ids.map((id) => ({ id }));
		const done = await runNode(targetOf(sandbox), briefs, wait({ options, ...settings }));
		store.mockRestore();
		return { done, ids };
	}

	it.each([
		['continueRegularOutput', 1],
		['continueErrorOutput', 2],
	] as const)(
		'is the error of its item alone, and the others are ready, with %s',
		async (onError, output) => {
			const { done, ids } = await waitedFor({ onError });
			expect(done.json('Wait', 0)).toMatchObject([{ id: ids[1], status: 'ready' }]);
			expect(done.json('Wait', output)).toMatchObject([
				{ error: says('The disk is full'), message: says(`using the ID ${ids[0]}`) },
			]);
			expect(done.items('Wait', output)).toMatchObject([{ pairedItem: { item: 0 } }]);
		},
	);

	it('ends the execution without, and names its brief', async () => {
		const { done, ids } = await waitedFor({});
		expect(done.error.message).toMatch(/could not be stored: The disk is full \[item 0\]$/);
		expect(done.error.description).toContain(ids[0]);
	});
});
