import { randomUUID } from 'node:crypto';
import { NodeHelpers, type INode } from 'n8n-workflow';
import { CreatorBriefingWait } from '../../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import {
	action,
	create,
	products,
	requestsOf,
	sandboxWith,
	targetOf,
	wait,
} from '../support/engine/fixtures';
import { itemsNode, run, runNode, startNode } from '../support/engine/engine';
import { inCapitalsAndSmallLetters, startFront } from '../support/front';

/** As the field is in a node that was just added. */
const NO_BRIEF = { __rl: true, mode: 'list', value: '' };
const MISSING = "'Brief' is empty, and the item has no brief ID in its field id [item 0]";

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('Wait Until Ready', () => {
	it('gives ready briefs to the first output and failed ones to the second, linked to their items', async () => {
		const sandbox = await sandboxWith();
		const ready = sandbox.addBrief({ durationMs: 200_000 });
		const failed = sandbox.addBrief({ durationMs: 100_000, product_name: 'Mask (discontinued)' });
		const items = [{ id: failed.id }, { id: ready.id }];
		const done = await runNode(targetOf(sandbox), items, wait());
		expect(done.json('Wait', 0)).toMatchObject([
			{ id: ready.id, status: 'ready', markdown: expect.any(String) as string },
		]);
		expect(done.items('Wait', 0)[0]!.pairedItem).toEqual({ item: 1 });
		expect(done.json('Wait', 1)).toMatchObject([
			{ id: failed.id, status: 'failed', error_code: 'product_unavailable' },
		]);
		expect(done.items('Wait', 1)[0]!.pairedItem).toEqual({ item: 0 });
	});

	it('takes what Create gives, a pasted link, and a selection from the list', async () => {
		const sandbox = await sandboxWith();
		const url = { __rl: true, mode: 'url', value: '={{ $json.url }}' };
		const done = await run(
			targetOf(sandbox),
			[itemsNode(products(2)), create(), wait(), wait({ name: 'Again', briefId: url })],
			[
				['Start', 0, 'Create'],
				['Create', 0, 'Wait'],
				['Wait', 0, 'Again'],
			],
		);
		expect(done.json('Wait').map(({ status }) => status)).toEqual(['ready', 'ready']);
		expect(done.json('Again')).toEqual(done.json('Wait'));
		const [brief] = sandbox.briefs();
		const list = { __rl: true, mode: 'list', value: brief!.id, cachedResultName: 'Glow' };
		const chosen = await runNode(targetOf(sandbox), [{}], wait({ briefId: list }));
		expect(chosen.json('Wait')[0]!['id']).toBe(brief!.id);
	});

	it('takes the brief of each item of Create while it is empty, as it is when it is added', async () => {
		const sandbox = await sandboxWith();
		const done = await run(
			targetOf(sandbox),
			[itemsNode(products(2)), create(), wait({ briefId: NO_BRIEF })],
			[
				['Start', 0, 'Create'],
				['Create', 0, 'Wait'],
			],
		);
		const ids = done.json('Create').map(({ id }) => id);
		expect(done.json('Wait').map(({ id }) => id)).toEqual(ids);
	});

	it.each(['list', 'id', 'url'])('has no red triangle while it is empty: %s', (mode) => {
		const { description } = new CreatorBriefingWait();
		const issuesOf = (value: string) => {
			const parameters = { briefId: { __rl: true, mode, value } };
			const node = { parameters, type: 'creatorBriefingWait', typeVersion: 1 } as unknown as INode;
			return NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		};
		expect(issuesOf('')).toBeNull();
		if (mode !== 'list') expect(issuesOf('nothing')).not.toBeNull();
	});

	it('takes the last ID of a link, which is the brief’s', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		const link = `https://app.example.com/workspaces/${randomUUID()}/briefs/${id}?from=mail`;
		const briefId = { __rl: true, mode: 'url', value: link };
		const done = await runNode(targetOf(sandbox), [{}], wait({ briefId }));
		expect(done.json('Wait')[0]!['id']).toBe(id);
		const { modes } = new CreatorBriefingWait().description.properties.find(
			({ name }) => name === 'briefId',
		)!;
		const { extractValue } = modes!.find(({ name }) => name === 'url')!;
		expect(new RegExp(extractValue!.regex as string).exec(link)?.[1]).toBe(id);
	});

	it('knows a brief whose ID is in capitals but for the list, and keeps the ID as it came', async () => {
		const sandbox = await sandboxWith();
		const url = await startFront(sandbox, inCapitalsAndSmallLetters);
		const byId = { briefId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } };
		const done = await run(
			{ ...targetOf(sandbox), url },
			[itemsNode(products(3)), create(), wait(), action('brief', 'get', byId)],
			[
				['Start', 0, 'Create'],
				['Create', 0, 'Wait'],
				['Wait', 0, 'Node'],
			],
		);
		const ids = sandbox.briefs().map(({ id }) => id.toUpperCase());
		for (const name of ['Create', 'Wait', 'Node'])
			expect(done.json(name).map(({ id }) => id)).toEqual(ids);
		expect(done.json('Node').map(({ status }) => status)).toEqual(['ready', 'ready', 'ready']);
	});

	it('reads few of the finished briefs at a time', async () => {
		const sandbox = await sandboxWith();
		const briefs = Array.from({ length: 12 }, () => sandbox.addBrief({ status: 'ready' }));
		sandbox.faults.add({ kind: 'slow', delayMs: 1_000, operation: 'get_brief', times: 12 });
		const items = briefs.map(({ id }) => ({ id }));
		const execution = startNode(targetOf(sandbox), items, wait());
		while (requestsOf(sandbox, 'get_brief') === 0) await later(10);
		await later(200);
		expect(requestsOf(sandbox, 'get_brief')).toBe(6);
		const done = await execution.ended;
		expect(done.json('Wait').map(({ id }) => ({ id }))).toEqual(items);
		expect(requestsOf(sandbox, 'get_brief')).toBe(12);
	}, 15_000);

	it('reads all finished briefs under a rate limit, and reports none of them as failed', async () => {
		const sandbox = await sandboxWith({ requestsPerMinute: 10, speed: 60 });
		const briefs = Array.from({ length: 98 }, () => sandbox.addBrief({ status: 'ready' }));
		const items = briefs.map(({ id }) => ({ id }));
		const node = wait({ onError: 'continueRegularOutput' });
		const done = await runNode(targetOf(sandbox), items, node);
		expect(done.json('Wait', 0)).toHaveLength(98);
		expect(done.json('Wait', 1)).toEqual([]);
	}, 40_000);

	it('watches a brief once where several items name it', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ durationMs: 100_000 });
		const done = await runNode(
			targetOf(sandbox),
			[{ id }, { id: id.toUpperCase() }, { id }],
			wait(),
		);
		expect(done.json('Wait').map((brief) => brief['id'])).toEqual([id, id, id]);
		const oneItem = await sandboxWith();
		const other = oneItem.addBrief({ durationMs: 100_000 });
		await runNode(targetOf(oneItem), [{ id: other.id }], wait());
		expect(sandbox.requests.length).toBeLessThan(2 * oneItem.requests.length);
	});

	it('survives failures of the service while it waits', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2, 3].map(() => sandbox.addBrief({ durationMs: 300_000 }));
		for (const kind of ['5xx', 'reset', 'html', 'broken-json', '429'] as const) {
			sandbox.faults.add({ kind, skip: 1 });
		}
		const done = await runNode(
			targetOf(sandbox),
			briefs.map(({ id }) => ({ id })),
			wait(),
		);
		expect(sandbox.faults.pending).toBe(0);
		expect(done.json('Wait')).toHaveLength(3);
	}, 15_000);

	it('asks again for a brief that is ready when its answer is lost', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2].map(() => sandbox.addBrief({ durationMs: 60_000 }));
		sandbox.faults.add({ kind: 'reset', operation: 'get_brief' });
		sandbox.faults.add({ kind: 'broken-json', operation: 'get_brief' });
		const items = briefs.map(({ id }) => ({ id }));
		const done = await runNode(targetOf(sandbox), items, wait());
		expect(done.json('Wait').map(({ status }) => status)).toEqual(['ready', 'ready']);
		expect(sandbox.faults.pending).toBe(0);
	});

	it('says at its timeout how to go on without paying again', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ durationMs: 9_000_000 });
		const done = await runNode(targetOf(sandbox), [{ id }], wait({ options: { timeout: 0.005 } }));
		expect(done.error.message).toMatch(
			new RegExp(`^Brief ${id}.* is still \\w+ after 0.005 minutes \\[item 0\\]$`),
		);
		expect(done.error.description).toMatch(/Wait for it again .* costs nothing/);
		expect(done.error.description).toContain(id);
	});

	it('does not say that a brief is still running where the service could not be asked', async () => {
		const sandbox = await sandboxWith();
		const { id } = sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.faults.add({ kind: '5xx', operation: 'get_brief', skip: 1, times: 10_000 });
		const impatient = wait({ options: { timeout: 0.03 } });
		const done = await runNode(targetOf(sandbox), [{ id }], impatient);
		expect(done.error.message).toMatch(
			new RegExp(
				`^Brief ${id}.* could not be looked at for .*, and was \\w+ before that \\[item 0\\]$`,
			),
		);
		expect(done.error.description).toMatch(/Wait for it again .* costs nothing/);
	});

	it('gives what is ready and what timed out to their own outputs with Continue On Fail', async () => {
		const sandbox = await sandboxWith();
		const slow = sandbox.addBrief({ durationMs: 9_000_000 });
		const quick = sandbox.addBrief({ durationMs: 60_000 });
		const items = [{ id: slow.id }, { id: quick.id }, { id: 'no brief' }];
		const options = { timeout: 0.02 };
		const going = await runNode(
			targetOf(sandbox),
			items,
			wait({ options, onError: 'continueRegularOutput' }),
		);
		expect(going.json('Wait', 0).map(({ id }) => id)).toEqual([quick.id]);
		expect(going.json('Wait', 1)).toEqual([
			{
				error: expect.stringMatching(/still .* after 0.02 minutes \[item 0\]/) as string,
				message: expect.stringContaining(slow.id) as string,
				code: 'still_running',
			},
			{
				error: "'Brief' contains no brief ID [item 2]",
				message: expect.stringMatching(/Select one/) as string,
				code: 'invalid_input',
			},
		]);
		const routed = await runNode(
			targetOf(sandbox),
			items,
			wait({ options, onError: 'continueErrorOutput' }),
		);
		expect(routed.json('Wait', 0).map(({ id }) => id)).toEqual([quick.id]);
		expect(routed.json('Wait', 1)).toEqual([]);
		expect(routed.json('Wait', 2).map(({ id }) => id)).toEqual([slow.id, 'no brief']);
	});

	it('reports an ID that the service refuses as its alone: the others are waited for', async () => {
		const sandbox = await sandboxWith({ speed: 100 });
		const { id } = sandbox.addBrief({ durationMs: 200_000 });
		sandbox.faults.add({ kind: '5xx', status: 400, operation: 'get_brief' });
		const noUuid = '00000000-0000-0000-0000-000000000000';
		const items = [{ id }, { id: noUuid }];
		const done = await runNode(targetOf(sandbox), items, wait({ onError: 'continueErrorOutput' }));
		expect(done.json('Wait', 0)).toMatchObject([{ id, status: 'ready' }]);
		expect(done.json('Wait', 2)).toMatchObject([{ id: noUuid, code: 'invalid_input' }]);
	});

	it.each([{}, { id: null }, { id: 'row 7' }])(
		'says what is missing, for an item without a brief: %j',
		async (item) => {
			const sandbox = await sandboxWith();
			for (const briefId of [NO_BRIEF, '={{ $json.nothing }}']) {
				const done = await runNode(targetOf(sandbox), [item], wait({ briefId }));
				expect(done.error.message).toBe(MISSING);
				expect(done.error.description).toMatch(/Create/);
			}
		},
	);

	it('reports a brief that is not there, and a key that is refused, at once', async () => {
		const sandbox = await sandboxWith();
		const id = '7d0b4a52-8c1e-4f7a-9b1e-2f6c0d9a3e11';
		const absent = await runNode(targetOf(sandbox), [{ id }], wait());
		expect(absent.error.message).toMatch(/no such brief.*\[item 0\]/);
		expect(absent.error.httpCode).toBe('404');
		const refused = await runNode(targetOf(sandbox, 'revoked'), [{ id }, { id }], wait());
		expect(refused.error.httpCode).toBe('401');
		const empty = await runNode(targetOf(sandbox), [{ id: '' }], wait());
		expect(empty.error.message).toBe(MISSING);
	});

	it('ends at once on Stop, and asks nothing more', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2].map(() => sandbox.addBrief({ durationMs: 9_000_000 }));
		const execution = startNode(
			targetOf(sandbox),
			briefs.map(({ id }) => ({ id })),
			wait(),
		);
		await later(300);
		execution.stop();
		const stoppedAt = Date.now();
		const done = await execution.ended;
		expect(Date.now() - stoppedAt).toBeLessThan(500);
		expect(done.status).toBe('canceled');
		const requests = sandbox.requests.length;
		await later(300);
		expect(sandbox.requests.length - requests).toBeLessThanOrEqual(1);
	});
});
