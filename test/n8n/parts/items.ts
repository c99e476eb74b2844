import { nothing, rows, start } from '../../../harness/workflows/built-in-nodes';
import { workflow } from '../../../harness/workflows/workflow';
import { client, serviceWith, testName } from '../../support/n8n/rig';

/** What versions of n8n do in their own ways with an item. */
export function items(): void {
	it('an item that fails goes to the error output, or on in its place, with its own fields', async () => {
		const { nodes } = await serviceWith();
		const given = [{ name: 'Glow Serum' }, { name: 'x', SKU: 'A-2' }];
		const error = expect.stringMatching(/'Product Name' /) as string;
		const ran = async (onError: 'continueErrorOutput' | 'continueRegularOutput') =>
			await client().createAndRun(
				workflow(
					testName(),
					[start, rows(given), nodes.create({}, { onError }), nothing('Good'), nothing('Bad')],
					[
						['Start', 'Rows'],
						['Rows', 'Create'],
						['Create', 0, 'Good'],
						['Create', 1, 'Bad'],
					],
				),
			);
		const routed = await ran('continueErrorOutput');
		expect(routed.json('Good')).toMatchObject([{ product_name: 'Glow Serum' }]);
		expect(routed.json('Bad')).toMatchObject([{ ...given[1], error }]);
		const going = await ran('continueRegularOutput');
		expect(going.json('Good')).toMatchObject([
			{ product_name: 'Glow Serum' },
			{ ...given[1], error },
		]);
	});

	it.each(['list', 'id', 'url'])('a brief is found by what is chosen from %s', async (mode) => {
		const { sandbox, nodes, run } = await serviceWith();
		const { id } = sandbox.addBrief({ status: 'ready' });
		const value = mode === 'url' ? `https://app.example.com/briefs/${id}?tab=brief` : id;
		const done = await run([{}], nodes.get({ briefId: { __rl: true, mode, value } }));
		expect(done.json('Get')).toMatchObject([{ id, status: 'ready' }]);
	});
}
