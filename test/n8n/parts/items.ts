import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, serviceWith, testName } from '../../support/n8n/rig';

// Versions of n8n treat the items of a failure differently.
export function items(): void {
	it('sends a failed item to the error output or on in its place, with its own fields', async () => {
		const { nodes } = await serviceWith();
		const items = [{ name: 'Glow Serum' }, { name: 'x', SKU: 'A-2', code: 'EAN', error: 'none' }];
		const failed = {
			name: 'x',
			SKU: 'A-2',
			input_code: 'EAN',
			input_error: 'none',
			code: 'invalid_input',
			error: expect.stringMatching(/'Product Name' /) as string,
		};
		const runWith = async (onError: 'continueErrorOutput' | 'continueRegularOutput') =>
			await client().createAndRun(
				workflow(
					testName(),
					[start, rows(items), nodes.create({}, { onError }), nothing('Good'), nothing('Bad')],
					[
						['Start', 'Rows'],
						['Rows', 'Create'],
						['Create', 0, 'Good'],
						['Create', 1, 'Bad'],
					],
				),
			);
		const routed = await runWith('continueErrorOutput');
		expect(routed.json('Good')).toMatchObject([{ product_name: 'Glow Serum' }]);
		expect(routed.json('Bad')).toMatchObject([failed]);
		const continued = await runWith('continueRegularOutput');
		expect(continued.json('Good')).toMatchObject([{ product_name: 'Glow Serum' }, failed]);
	});

	it.each(['list', 'id', 'url'])('a brief is found by what is chosen from %s', async (mode) => {
		const { sandbox, nodes, run } = await serviceWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		const value = mode === 'url' ? `https://app.example.com/briefs/${id}?tab=brief` : id;
		const done = await run([{}], nodes.get({ briefId: { __rl: true, mode, value } }));
		expect(done.json('Get')).toMatchObject([{ id, status: 'ready' }]);
	});
}
