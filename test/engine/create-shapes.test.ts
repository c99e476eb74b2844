import { itemsNode, run, runNode } from '../support/engine/engine';
import { create, sandboxWith, targetOf, wait } from '../support/engine/fixtures';
import { SHAPED_ROWS, SHAPES } from '../support/sandbox/shapes';

const ITEMS = SHAPED_ROWS.map((row, index) => ({ ...row, name: row.product_name, sku: index }));
const FIELDS = {
	productId: '={{ $json.product_id }}',
	audience: '={{ $json.audience }}',
	approvedFacts: '={{ $json.approved_facts }}',
	campaignTerms: '={{ $json.campaign_terms }}',
};

describe('Create, then Wait Until Ready', () => {
	it.each(SHAPES)(
		'has every item ready, and paid once, also in a later execution with the same Order Keys: %s',
		async (_, options) => {
			const sandbox = await sandboxWith({ speed: 2000, ...options });
			const additionalFields = { ...FIELDS, idempotencyKey: '=launch-{{ $json.sku }}' };
			const nodes = [itemsNode(ITEMS), create({ additionalFields }), wait()];
			// Where another text is shown beside fields as they were sent, the values may have been changed under the same key.
			const times = options.inputShape === 'rewritten' ? 1 : 2;
			for (let time = 1; time <= times; time += 1) {
				const done = await run(targetOf(sandbox), nodes, [
					['Start', 0, 'Create'],
					['Create', 0, 'Wait'],
				]);
				expect(done.status).toBe('success');
				expect(done.json('Wait').map(({ status }) => status)).toEqual(ITEMS.map(() => 'ready'));
				const ids = sandbox.briefs().map(({ id }) => id);
				expect(done.json('Wait').map(({ id }) => String(id).toLowerCase())).toEqual(ids);
			}
			expect(sandbox.createdCount()).toBe(ITEMS.length);
		},
		60_000,
	);
});

describe('a service that answers each order with a brief of another product', () => {
	/** It writes the brief that was ordered, and shows another name. */
	const mistaken = async () => {
		const sandbox = await sandboxWith({ speed: 2000, productNames: 'others' });
		return { sandbox, target: targetOf(sandbox) };
	};
	const understands = (json: Array<Record<string, unknown>>) =>
		json.map(({ error }) => !/does not understand/.test(String(error)));

	it('has nothing more ordered after two of them, and the other items say why', async () => {
		const { sandbox, target } = await mistaken();
		const node = create({ onError: 'continueRegularOutput' });
		const done = await runNode(target, ITEMS, node);
		expect(understands(done.json('Create'))).toEqual([true, true, false, false, false]);
		expect(String(done.json('Create')[4]?.['error'])).toContain('Name of another product');
		expect(sandbox.createdCount()).toBe(2);
	});

	it('has nothing more ordered in a loop either, where each pass has one item', async () => {
		const { sandbox, target } = await mistaken();
		const nodes = [
			itemsNode(ITEMS),
			{ name: 'Loop', type: 'loop' },
			create({ onError: 'continueRegularOutput' }),
		];
		await run(target, nodes, [
			['Start', 0, 'Loop'],
			['Loop', 1, 'Create'],
			['Create', 0, 'Loop'],
		]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('may be right where an Order Key was used before: the other items are ordered', async () => {
		const sandbox = await sandboxWith({ speed: 2000 });
		const additionalFields = { idempotencyKey: '={{ $json.sku }}' };
		const node = create({ additionalFields, onError: 'continueRegularOutput' });
		await runNode(targetOf(sandbox), ITEMS.slice(0, 3), node);
		const others = [4, 5, 6].map((at) => ({ name: `Soap of sort ${at}`, sku: at - 4 }));
		const done = await runNode(targetOf(sandbox), [...others, { name: 'New', sku: 9 }], node);
		expect(understands(done.json('Create'))).toEqual([true, true, true, true]);
		expect(done.json('Create')[3]?.['product_name']).toBe('New');
		expect(sandbox.createdCount()).toBe(4);
	});
});
