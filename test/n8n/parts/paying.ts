import { setTimeout as sleep } from 'node:timers/promises';
import { products, rows, start } from '../../../harness/workflows/built-in-nodes';
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

/** The service forgets each key at once, so only what it lists keeps a brief from being paid for again. */
const FORGETS_KEYS = { keyMemoryMs: 1 };
const SERUM = { name: 'Glow Serum' };
const waiting = { waitUntilReady: true };
const continuing = { onError: 'continueRegularOutput' } as const;
const DAY_MS = 86_400_000;

const ids = (done: Execution) => done.json('Create').map(({ id }) => id);
const existed = (done: Execution) =>
	done.json('Create').map(({ already_existed }) => already_existed);

/** What each of these executions came to, once all have ended. */
async function ended(executions: string[]): Promise<Execution[]> {
	return await Promise.all(executions.map((id) => client().waitForEnd(id)));
}

/** Runs a node once for each item. */
async function inLoop(items: object[], node: WorkflowNode): Promise<Execution> {
	const loop: WorkflowNode = {
		name: 'Loop',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { options: {} },
	};
	const wires: Wire[] = [
		['Start', 'Rows'],
		['Rows', 'Loop'],
		['Loop', 1, node.name],
		[node.name, 'Loop'],
	];
	return await client().createAndRun(workflow(testName(), [start, rows(items), loop, node], wires));
}

export function paying(): void {
	describe('one brief is paid for', () => {
		it('if a published workflow meets the same rows again, and another one by hand with another credential', async () => {
			const { sandbox, nodes } = await serviceWith(FORGETS_KEYS);
			const production = await Production.publish([nodes.create(waiting)]);
			const [first] = await ended([await production.start(products(2))]);
			expect(existed(first!)).toEqual([false, false]);
			sandbox.advance(5 * DAY_MS);
			const [again] = await ended([await production.start(products(2))]);
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
			const done = await inLoop([SERUM, SERUM, SERUM], nodes.create(waiting));
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
	});

	it('Max Briefs per Run counts over all passes of a loop, and so does what the service has said', async () => {
		const { sandbox, nodes, count } = await serviceWith({ allowance: 3 });
		const done = await inLoop(products(4), nodes.create({ maxBriefs: 2, ...waiting }));
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
		const rest = await inLoop(products(6), nodes.create(waiting, continuing));
		const codes = rest.allItems('Create').map(({ json }) => json['code']);
		const usedUp = 'allowance_used_up';
		expect(codes).toEqual([undefined, undefined, undefined, usedUp, usedUp, usedUp]);
		// Two, then the last of the month, and one that was refused.
		expect(count('create_brief')).toBe(4);
	});
}
