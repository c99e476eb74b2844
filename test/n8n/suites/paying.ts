import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../../../harness/workflows/package-nodes';
import { workflow, type WorkflowNode } from '../../../harness/workflows/workflow';
import type { Execution } from '../../../harness/client/execution';
import { waitForBriefs } from '../../support/n8n/executions';
import { publishNodes } from '../../support/n8n/production';
import {
	client,
	killAndRestart,
	n8n,
	POLL_SECONDS,
	openService,
	SLOW_AND_FORGETFUL,
	testName,
	testWorkflow,
} from '../../support/n8n/rig';
import { HOUR } from '../../support/time';
import { makeProducts } from '../../support/values';

/** The service forgets each key at once, so only the brief list prevents a second payment. */
const FORGETFUL = { keyMemoryMs: 1 };
const SERUM = { name: 'Glow Serum' };
const WAITING = { waitUntilReady: true };

const getIds = (done: Execution) => done.json('Create').map(({ id }) => id);
const getExisted = (done: Execution) =>
	done.json('Create').map(({ already_existed }) => already_existed);

async function retry({ id }: Execution): Promise<Execution> {
	return await client().waitForEnd(await client().retryExecution(id));
}

/** Runs a node once for each item, and the node Done after the last pass. */
async function runInLoop(items: object[], node: WorkflowNode): Promise<Execution> {
	const loop: WorkflowNode = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const nodes = [start, rows(items), loop, node, nothing('Done')];
	const looping = workflow(testName(), nodes, [
		['Start', 'Rows'],
		['Rows', 'Loop'],
		['Loop', 0, 'Done'],
		['Loop', 1, node.name],
		[node.name, 'Loop'],
	]);
	return await client().createAndRun(looping);
}

export function paying(): void {
	describe('one brief is paid for', () => {
		test('if a published workflow gets the same rows again, and another workflow with another credential', async () => {
			const { sandbox, nodes } = await openService(FORGETFUL);
			const production = await publishNodes([nodes.create(WAITING)]);
			const produce = async () => client().waitForEnd(await production.start(makeProducts(2)));
			const first = await produce();
			expect(getExisted(first)).toEqual([false, false]);
			sandbox.advance(5 * 24 * HOUR);
			const again = await produce();
			const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
			const other = await client().createCredential(CREDENTIAL_TYPE, 'The same workspace', data);
			const theirs = new PackageNodes(other, POLL_SECONDS).create();
			const manual = await client().createAndRun(
				testWorkflow([start, rows(makeProducts(2)), theirs]),
			);
			for (const done of [again, manual]) {
				expect(getIds(done)).toEqual(getIds(first));
				expect(getExisted(done)).toEqual([true, true]);
				expect(done.json('Create')).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
			}
			expect(sandbox.createdCount()).toBe(2);
		});

		test('in passes of Loop Over Items with the same values', async () => {
			const { sandbox, nodes } = await openService(FORGETFUL);
			const done = await runInLoop([SERUM, SERUM, SERUM], nodes.create(WAITING));
			expect(done.status).toBe('success');
			const passes = done.allItems('Create').map(({ json }) => json);
			expect(new Set(passes.map(({ id }) => id)).size).toBe(1);
			expect(passes.map(({ already_existed }) => already_existed)).toEqual([false, true, true]);
			expect(sandbox.createdCount()).toBe(1);
		});

		test('if n8n is killed during a create request, and the workflow runs again', async () => {
			const service = await openService(SLOW_AND_FORGETFUL);
			const { sandbox, nodes } = service;
			const slow = { kind: 'slow', at: 'after-work', delayMs: HOUR } as const;
			sandbox.faults.add({ ...slow, operation: 'create_brief', skip: 1 });
			const all = testWorkflow([start, rows(makeProducts(2)), nodes.create()]);
			const saved = await client().createWorkflow(all);
			await client().startManually(saved);
			await waitForBriefs(service, 2);
			await killAndRestart();
			const done = await client().runManually(saved);
			expect(getIds(done)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(getExisted(done)).toEqual([true, true]);
			expect(sandbox.createdCount()).toBe(2);
		}, 240_000);
	});

	describe('Retry in the list of executions', () => {
		test('repeats the brief hours later if the next node failed', async () => {
			const { sandbox, nodes } = await openService(FORGETFUL);
			const failing: WorkflowNode = {
				name: 'Failing',
				type: 'n8n-nodes-base.stopAndError',
				typeVersion: 1,
				parameters: { errorMessage: 'Slack could not be reached' },
			};
			const production = await publishNodes([nodes.create(), failing]);
			const failed = await client().waitForEnd(await production.start([SERUM]));
			expect(failed.error!.message).toMatch(/^Slack could not be reached/);
			sandbox.advance(5 * HOUR);
			expect(getIds(await retry(failed))).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(sandbox.createdCount()).toBe(1);
		});

		test('repeats the brief that Create had ordered before it failed and n8n was restarted, and orders the other', async () => {
			const { sandbox, nodes } = await openService(FORGETFUL);
			const production = await publishNodes([nodes.create()]);
			sandbox.faults.add({ kind: '5xx', status: 401, operation: 'create_brief', skip: 1 });
			const failed = await client().waitForEnd(await production.start(makeProducts(2)));
			expect(failed.error!.message).toMatch(/API key refused/);
			sandbox.advance(5 * HOUR);
			await n8n().server.stop();
			await n8n().server.restart();
			const done = await retry(failed);
			expect(getIds(done)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(getExisted(done)).toEqual([true, false]);
			expect(sandbox.createdCount()).toBe(2);
		}, 120_000);
	});

	test('Max Briefs per Run counts over all passes of a loop, which ends with Done if On Error is Continue', async () => {
		const { sandbox, nodes } = await openService();
		const onError = 'continueRegularOutput';
		const node = nodes.create({ maxBriefs: 2, ...WAITING }, { onError });
		const done = await runInLoop(makeProducts(4), node);
		expect(done.status).toBe('success');
		const codes = done.json('Done').map(({ code }) => code);
		expect(codes).toEqual([undefined, undefined, 'limit_reached', 'limit_reached']);
		expect(sandbox.createdCount()).toBe(2);
	});
}
