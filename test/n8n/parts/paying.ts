import { setTimeout as sleep } from 'node:timers/promises';
import { nothing, products, rows, start } from '../../../harness/workflows/built-in-nodes';
import { CREDENTIAL_TYPE, PackageNodes } from '../../../harness/workflows/package-nodes';
import { workflow, type Wire, type WorkflowNode } from '../../../harness/workflows/workflow';
import type { Execution } from '../../../harness/client/execution';
import { Production } from '../../support/n8n/production';
import {
	client,
	n8n,
	testWorkflow,
	POLL_SECONDS,
	serviceWith,
	SPEED,
	testName,
} from '../../support/n8n/rig';

/** The service forgets each key at once, so only the brief list prevents a second payment. */
const FORGETS_KEYS = { keyMemoryMs: 1 };
const SERUM = { name: 'Glow Serum' };
const waiting = { waitUntilReady: true };
const another = { whenBriefExists: 'orderAnother' };
const continuing = { onError: 'continueRegularOutput' } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ids = (done: Execution) => done.json('Create').map(({ id }) => id);
const existed = (done: Execution) =>
	done.json('Create').map(({ already_existed }) => already_existed);

/** Waits until these executions have ended, and returns them. */
async function waitForEnds(executions: string[]): Promise<Execution[]> {
	return await Promise.all(executions.map((id) => client().waitForEnd(id)));
}

/** A node that ends its execution with an error. */
const failing: WorkflowNode = {
	name: 'Failing',
	type: 'n8n-nodes-base.stopAndError',
	typeVersion: 1,
	parameters: { errorMessage: 'Slack could not be reached' },
};

/** Runs a node once for each item, and the node Done after the last pass. */
async function runInLoop(items: object[], node: WorkflowNode): Promise<Execution> {
	const loop: WorkflowNode = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const wires: Wire[] = [
		['Start', 'Rows'],
		['Rows', 'Loop'],
		['Loop', 0, 'Done'],
		['Loop', 1, node.name],
		[node.name, 'Loop'],
	];
	const nodes = [start, rows(items), loop, node, nothing('Done')];
	return await client().createAndRun(workflow(testName(), nodes, wires));
}

export function paying(): void {
	describe('one brief is paid for', () => {
		it('if a published workflow gets the same rows again, and another workflow with another credential', async () => {
			const { sandbox, nodes } = await serviceWith(FORGETS_KEYS);
			const production = await Production.publish([nodes.create(waiting)]);
			const [first] = await waitForEnds([await production.start(products(2))]);
			expect(existed(first!)).toEqual([false, false]);
			sandbox.advance(5 * DAY_MS);
			const [again] = await waitForEnds([await production.start(products(2))]);
			const data = { baseUrl: sandbox.url, apiKey: sandbox.keys.allScopes };
			const other = await client().createCredential(CREDENTIAL_TYPE, 'The same workspace', data);
			const theirs = new PackageNodes(other, POLL_SECONDS);
			const byHand = await client().createAndRun(
				testWorkflow([start, rows(products(2)), theirs.create()]),
			);
			for (const done of [again!, byHand]) {
				expect(ids(done)).toEqual(ids(first!));
				expect(existed(done)).toEqual([true, true]);
				expect(done.json('Create')).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
			}
			expect(sandbox.createdCount()).toBe(2);
			await client().unpublish(production.workflow.id);
		});

		it('in passes of Loop Over Items with the same values', async () => {
			const { sandbox, nodes } = await serviceWith(FORGETS_KEYS);
			const done = await runInLoop([SERUM, SERUM, SERUM], nodes.create(waiting));
			expect(done.status).toBe('success');
			const passes = done.allItems('Create').map(({ json }) => json);
			expect(new Set(passes.map(({ id }) => id)).size).toBe(1);
			expect(passes.map(({ already_existed }) => already_existed)).toEqual([false, true, true]);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('if n8n is killed during a wait, and the workflow runs again', async () => {
			// Slow enough that the briefs are still being written when n8n is gone.
			const { sandbox, nodes, count } = await serviceWith({ ...FORGETS_KEYS, speed: SPEED / 8 });
			const all = testWorkflow([start, rows(products(2)), nodes.create(waiting)]);
			const saved = await client().createWorkflow(all);
			await client().startManually(saved);
			while (count('create_brief') < 2) await sleep(100);
			await n8n().server.kill();
			await n8n().server.restart();
			const done = await client().runManually(saved);
			expect(done.status).toBe('success');
			expect(done.json('Create').map(({ status }) => status)).toEqual(['ready', 'ready']);
			expect(sandbox.createdCount()).toBe(2);
		}, 240_000);

		it('if n8n is killed during a create request, and the workflow runs again', async () => {
			const { sandbox, nodes } = await serviceWith({ ...FORGETS_KEYS, speed: SPEED / 8 });
			sandbox.faults.add({
				kind: 'slow',
				at: 'after-work',
				delayMs: 3_600_000,
				operation: 'create_brief',
				skip: 1,
			});
			const all = testWorkflow([start, rows(products(2)), nodes.create()]);
			const saved = await client().createWorkflow(all);
			await client().startManually(saved);
			while (sandbox.createdCount() < 2) await sleep(100);
			await n8n().server.kill();
			await n8n().server.restart();
			const done = await client().runManually(saved);
			expect(ids(done)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(existed(done)).toEqual([true, true]);
			expect(sandbox.createdCount()).toBe(2);
		}, 240_000);
	});

	describe('Retry in the list of executions, with Order Another and without a key', () => {
		const retried = async (failed: Execution) =>
			await client().waitForEnd(await client().retryExecution(failed.id));

		it('repeats the brief hours later if the next node failed', async () => {
			const { sandbox, nodes } = await serviceWith(FORGETS_KEYS);
			const production = await Production.publish([nodes.create(another), failing]);
			const [failed] = await waitForEnds([await production.start([SERUM])]);
			expect(failed!.error!.message).toMatch(/^Slack could not be reached/);
			sandbox.advance(5 * HOUR_MS);
			expect(ids(await retried(failed!))).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(sandbox.createdCount()).toBe(1);
			await client().unpublish(production.workflow.id);
		});

		it('repeats the brief that Create had ordered before it failed and n8n was restarted, and orders the other', async () => {
			const { sandbox, nodes } = await serviceWith(FORGETS_KEYS);
			const production = await Production.publish([nodes.create(another)]);
			sandbox.faults.add({ kind: '5xx', status: 401, operation: 'create_brief', skip: 1 });
			const [failed] = await waitForEnds([await production.start(products(2))]);
			expect(failed!.error!.message).toMatch(/API key refused/);
			sandbox.advance(5 * HOUR_MS);
			await n8n().server.stop();
			await n8n().server.restart();
			const done = await retried(failed!);
			expect(ids(done)).toEqual(sandbox.briefs().map(({ id }) => id));
			expect(existed(done)).toEqual([true, false]);
			expect(sandbox.createdCount()).toBe(2);
			await client().unpublish(production.workflow.id);
		}, 120_000);
	});

	describe('Max Briefs per Run', () => {
		const getCodes = (done: Execution, node: string, output = 0) =>
			done.json(node, output).map(({ code = 'ordered' }) => code);

		it('counts over all passes of a loop, which ends with Done if On Error is Continue', async () => {
			const { sandbox, nodes } = await serviceWith();
			const done = await runInLoop(
				products(4),
				nodes.create({ maxBriefs: 2, ...waiting }, continuing),
			);
			expect(done.status).toBe('success');
			const expected = ['ordered', 'ordered', 'limit_reached', 'limit_reached'];
			expect(getCodes(done, 'Done')).toEqual(expected);
			expect(sandbox.createdCount()).toBe(2);
		});

		it('sends the items beyond it to the error output', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const settings = { onError: 'continueErrorOutput' } as const;
			const done = await run(products(3), nodes.create({ maxBriefs: 2 }, settings));
			expect(getCodes(done, 'Create')).toEqual(['ordered', 'ordered']);
			expect(getCodes(done, 'Create', 1)).toEqual(['limit_reached']);
			expect(sandbox.createdCount()).toBe(2);
		});
	});

	it('orders nothing more in any pass of a loop once the allowance is used up', async () => {
		const { nodes, count } = await serviceWith({ allowance: 1 });
		const done = await runInLoop(products(4), nodes.create(waiting, continuing));
		const codes = done.json('Done').map(({ code }) => code);
		const usedUp = 'allowance_used_up';
		expect(codes).toEqual([undefined, usedUp, usedUp, usedUp]);
		expect(count('create_brief')).toBe(1);
	});
}
