import { setTimeout as sleep } from 'node:timers/promises';
import { nothing, products, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, n8n, named, serviceWith, SPEED, testName } from '../../support/n8n/rig';

const names = (count: number) => products(count).map(({ name }) => name);

export function creating(): void {
	it('Create orders with two slots, and Wait Until Ready passes briefs to Ready and Failed', async () => {
		const { sandbox, nodes, count } = await serviceWith();
		const items = ['Glow Serum', 'Old Mask (discontinued)', 'Lip Oil', 'Lamp'];
		const done = await client().createAndRun(
			workflow(
				testName(),
				[
					...[start, rows(items.map((name) => ({ name }))), nodes.create(), nodes.wait()],
					...[nothing('Ready'), nothing('Failed')],
				],
				[
					['Start', 'Rows'],
					['Rows', 'Create'],
					['Create', 'Wait'],
					['Wait', 0, 'Ready'],
					['Wait', 1, 'Failed'],
				],
			),
		);
		expect(done.json('Create')).toMatchObject(
			items.map((product_name) => ({ product_name, status: 'queued' })),
		);
		const ready = (product_name: string) => ({ product_name, status: 'ready' });
		expect(done.json('Ready')).toMatchObject(['Glow Serum', 'Lip Oil', 'Lamp'].map(ready));
		expect(done.json('Failed')).toMatchObject([{ error_code: 'product_unavailable' }]);
		const links = done.items('Wait', 0).map(({ pairedItem }) => pairedItem);
		expect(links).toEqual([{ item: 0 }, { item: 2 }, { item: 3 }]);
		expect(sandbox.maxRunning()).toBe(2);
		// None was refused: nothing was sent without a slot.
		expect(count('create_brief')).toBe(4);
	});
}

export function paying(): void {
	describe('never pays twice', () => {
		it('if Retry On Fail runs all items again', async () => {
			const { sandbox, nodes, run, count } = await serviceWith();
			// The first answer is lost. Then a refusal ends the first try, after two briefs were paid.
			sandbox.faults.add({ kind: 'reset', at: 'after-work', operation: 'create_brief' });
			sandbox.faults.add({ kind: '5xx', status: 418, operation: 'create_brief', skip: 3 });
			const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
			const done = await run(products(3), nodes.create({ waitUntilReady: true }, retrying));
			expect(done.status).toBe('success');
			expect(done.json('Create').map(({ product_name }) => product_name)).toEqual(names(3));
			expect(sandbox.faults.pending).toBe(0);
			expect(sandbox.createdCount()).toBe(3);
			// Sent in the first try: one, its repetition, two, three. In the second: three alone, for one and two have theirs.
			expect(count('create_brief')).toBe(5);
		});

		it('by hand, for passes of Loop Over Items with the same values', async () => {
			const { sandbox, nodes } = await serviceWith();
			const same = Array.from({ length: 3 }, () => ({ name: 'Glow Serum' }));
			const loop = {
				name: 'Loop',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { options: {} },
			};
			const done = await client().createAndRun(
				workflow(
					testName(),
					[start, rows(same), loop, nodes.create({ waitUntilReady: true })],
					[
						['Start', 'Rows'],
						['Rows', 'Loop'],
						['Loop', 1, 'Create'],
						['Create', 'Loop'],
					],
				),
			);
			expect(done.status).toBe('success');
			expect(done.runs('Create')).toHaveLength(3);
			expect(new Set(done.allItems('Create').map(({ json }) => json['id'])).size).toBe(1);
			expect(sandbox.createdCount()).toBe(1);
		});

		it('if n8n is killed during a wait and the workflow runs again with the rows’ own keys', async () => {
			// Slow enough that the briefs are still being written when n8n is gone.
			const { sandbox, nodes, count } = await serviceWith({ speed: SPEED / 8 });
			const fields = { additionalFields: { idempotencyKey: '={{ $json.name }}' } };
			const keyed = nodes.create({ ...fields, waitUntilReady: true });
			const saved = await client().createWorkflow(named([start, rows(products(2)), keyed]));
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
}
