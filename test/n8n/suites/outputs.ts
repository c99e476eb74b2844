import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, openService, testName } from '../../support/n8n/rig';

// Versions of n8n treat the items of a failure differently.
export function outputs(): void {
	test('sends a failed item to the error output or, in its position, to the next node, with the fields of the item', async () => {
		const { nodes } = await openService();
		const items = [{ name: 'Glow Serum' }, { name: 'x', SKU: 'A-2', code: 'EAN', error: 'none' }];
		const failed = {
			name: 'x',
			SKU: 'A-2',
			input_code: 'EAN',
			input_error: 'none',
			code: 'invalid_input',
			error: expect.stringMatching(/'Product Name' /) as string,
		};
		const runNodes = async (onError: 'continueErrorOutput' | 'continueRegularOutput') => {
			const all = [start, rows(items), nodes.create({}, { onError }), nothing('Good')];
			const wires: Parameters<typeof workflow>[2] = [
				['Start', 'Rows'],
				['Rows', 'Create'],
				['Create', 0, 'Good'],
				['Create', 1, 'Bad'],
			];
			return await client().createAndRun(workflow(testName(), [...all, nothing('Bad')], wires));
		};
		const routed = await runNodes('continueErrorOutput');
		expect(routed.json('Good')).toMatchObject([{ product_name: 'Glow Serum' }]);
		expect(routed.json('Bad')).toMatchObject([failed]);
		const continued = await runNodes('continueRegularOutput');
		expect(continued.json('Good')).toMatchObject([{ product_name: 'Glow Serum' }, failed]);
	});
}
