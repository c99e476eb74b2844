import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, openService, testName } from '../../support/n8n/rig';

export function loops(): void {
	test('Loop Over Items with Create in the loop runs Done once, with every brief and every error item', async () => {
		const { sandbox, nodes } = await openService();
		const products = ['Glow Serum', 'x', 'Lip Oil', 'Old Mask (discontinued)', 'Lamp'];
		const loop = {
			name: 'Loop Over Items',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 2, options: {} },
		};
		const create = nodes.create(
			{ waitUntilReady: true, maxBriefs: 3 },
			{ onError: 'continueRegularOutput' },
		);
		const flow = workflow(
			testName(),
			[start, rows(products.map((name) => ({ name }))), loop, create, nothing('Digest')],
			[
				['Start', 'Rows'],
				['Rows', 'Loop Over Items'],
				['Loop Over Items', 0, 'Digest'],
				['Loop Over Items', 1, 'Create'],
				['Create', 'Loop Over Items'],
			],
		);
		const done = await client().createAndRun(flow);
		expect(done.runs('Create')).toHaveLength(3);
		expect(done.runs('Digest')).toHaveLength(1);
		expect(done.json('Digest').map(({ status, code }) => code ?? status)).toEqual([
			...['ready', 'invalid_input', 'ready', 'brief_failed', 'limit_reached'],
		]);
		expect(sandbox.createdCount()).toBe(3);
	});
}
