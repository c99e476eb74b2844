import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, serviceWith, testName } from '../../support/n8n/rig';

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
