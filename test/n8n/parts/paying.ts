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
const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief' } as const;

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

		it('if three executions begin together, and a fourth comes when the keys are forgotten', async () => {
			const { sandbox, nodes } = await serviceWith();
			const production = await Production.publish([nodes.create(waiting)]);
			const started = await Promise.all([1, 2, 3].map(() => production.start([SERUM])));
			const all = await ended(started);
			expect(new Set(all.flatMap(ids)).size).toBe(1);
			expect(all.flatMap(existed).sort()).toEqual([false, true, true]);
			sandbox.advance(2 * DAY_MS);
			const [later] = await ended([await production.start([SERUM])]);
			expect(ids(later!)).toEqual(ids(all[0]!));
			expect(sandbox.createdCount()).toBe(1);
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

		it('if Retry On Fail runs all items again, and an answer was lost', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			// The first answer is lost. Then a refusal ends the first try, after two briefs were paid.
			sandbox.faults.add(lost);
			sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 3 });
			const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
			const done = await run(products(3), nodes.create(waiting, retrying));
			expect(done.status).toBe('success');
			expect(new Set(ids(done)).size).toBe(3);
			expect(sandbox.faults.hitsToCome).toBe(0);
			expect(sandbox.createdCount()).toBe(3);
		});
	});

	describe('what is there already', () => {
		it('is the error of its item if it has failed, and is ordered again by who asks for that', async () => {
			const { sandbox, nodes, run } = await serviceWith(FORGETS_KEYS);
			const failed = sandbox.addBrief({
				product_name: SERUM.name,
				status: 'failed',
				errorCode: 'research_failed',
			});
			const done = await run([SERUM], nodes.create({}, continuing));
			expect(done.json('Create')).toMatchObject([
				{ ...SERUM, code: 'brief_failed', error_code: 'research_failed' },
			]);
			expect(done.json('Create')[0]!['error']).toContain(failed.id);
			expect(sandbox.createdCount()).toBe(0);
			const again = nodes.create({ whenBriefExists: 'useUnlessFailed', ...waiting });
			const ordered = await run([SERUM], again);
			expect(existed(ordered)).toEqual([false]);
			const used = await run([SERUM], nodes.create());
			expect(ids(used)).toEqual(ids(ordered));
			expect(sandbox.createdCount()).toBe(1);
		});

		it('is not used if it was made from other values, or 45 days ago', async () => {
			const { sandbox, nodes, run } = await serviceWith(FORGETS_KEYS);
			const theirs = sandbox.addBrief({
				product_name: SERUM.name,
				audience: 'Cooks',
				status: 'ready',
			});
			const old = sandbox.addBrief({
				product_name: SERUM.name,
				audience: 'Runners',
				status: 'ready',
				createdAt: sandbox.now() - 45 * DAY_MS,
			});
			const ours = { audience: 'Runners' };
			const done = await run([SERUM], nodes.create({ ...ours, ...waiting }));
			expect(existed(done)).toEqual([false]);
			expect([theirs.id, old.id]).not.toContain(ids(done)[0]);
			expect(ids(await run([SERUM], nodes.create(ours)))).toEqual(ids(done));
			expect(sandbox.createdCount()).toBe(1);
		});

		it('is the error of its item if it does not show what it was made from', async () => {
			const hidden = { ...FORGETS_KEYS, inputShape: 'empty' } as const;
			const { sandbox, nodes, run } = await serviceWith(hidden);
			const theirs = sandbox.addBrief({ product_name: SERUM.name, status: 'ready' });
			const done = await run([SERUM], nodes.create({}, continuing));
			expect(done.json('Create')).toMatchObject([{ ...SERUM, code: 'may_exist' }]);
			expect(done.json('Create')[0]!['error']).toContain(theirs.id);
			expect(sandbox.createdCount()).toBe(0);
			const another = nodes.create({ whenBriefExists: 'orderAnother' });
			expect(existed(await run([SERUM], another))).toEqual([false]);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('is paid for once more if it failed and two executions order it again at once, with answers lost', async () => {
			const { sandbox, nodes } = await serviceWith();
			sandbox.addBrief({ product_name: SERUM.name, status: 'failed' });
			sandbox.faults.add({ ...lost, times: 2 });
			const production = await Production.publish([
				nodes.create({ whenBriefExists: 'useUnlessFailed', ...waiting }),
			]);
			const all = await ended([await production.start([SERUM]), await production.start([SERUM])]);
			expect(all.map(({ status }) => status)).toEqual(['success', 'success']);
			expect(new Set(all.flatMap(ids)).size).toBe(1);
			expect(sandbox.createdCount()).toBe(1);
			await client().unpublish(production.workflow.id);
		});

		it('has one more beside it with Order Another, whatever answers are lost; an Order Key names it', async () => {
			const { sandbox, nodes, run } = await serviceWith();
			const first = sandbox.addBrief({ product_name: SERUM.name, status: 'ready' });
			const another = (more: object = {}) =>
				nodes.create({ whenBriefExists: 'orderAnother', ...waiting, ...more });
			sandbox.faults.add({ ...lost, times: 2 });
			const [one] = ids(await run([SERUM], another()));
			expect(one).not.toBe(first.id);
			expect(sandbox.createdCount()).toBe(1);
			const keyed = another({ idempotencyKey: 'variant b' });
			sandbox.faults.add({ ...lost, times: 2 });
			const [two] = ids(await run([SERUM], keyed));
			expect(ids(await run([SERUM], keyed))).toEqual([two]);
			expect(sandbox.createdCount()).toBe(2);
		});
	});

	it('Max Briefs per Run counts what is paid, and the next run goes on', async () => {
		const { sandbox, nodes, run } = await serviceWith(FORGETS_KEYS);
		const limited = nodes.create({ maxBriefs: 2, ...waiting });
		const seen: unknown[][] = [];
		while (seen.length < 3) seen.push(existed(await run(products(5), limited)));
		expect(seen).toEqual([
			[false, false],
			[true, true, false, false],
			[true, true, true, true, false],
		]);
		expect(sandbox.createdCount()).toBe(5);
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

	it('Check Only says what each item would cost, and orders nothing', async () => {
		const { sandbox, nodes, run } = await serviceWith();
		const { id } = sandbox.addBrief({ product_name: SERUM.name, status: 'ready' });
		const items = [SERUM, { name: 'x' }, { name: 'Mask' }, { name: 'Soap' }];
		const done = await run(items, nodes.create({ checkOnly: true, maxBriefs: 1 }));
		const refusal = "x: 'Product Name' is too short";
		const message = 'It takes 2 to 180 characters.';
		expect(done.json('Create')).toEqual([
			expect.objectContaining({ would: 'use', id, status: 'ready', product_name: SERUM.name }),
			{ name: 'x', would: refusal, error: refusal, code: 'invalid_input', message },
			{ would: 'order', product_name: 'Mask' },
			{ would: 'wait_for_next_run', product_name: 'Soap' },
		]);
		expect(sandbox.createdCount()).toBe(0);
	});
}
