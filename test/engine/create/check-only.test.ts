import { runLoop, runNode, makeWorkflow } from '../../support/engine/engine';
import {
	continuing,
	create,
	addBriefs,
	LONG,
	products,
	countRequests,
	openService,
	says,
	getTarget,
	wait,
	withErrorOutput,
} from '../../support/engine/fixtures';

const check = (settings = {}) => create({ checkOnly: true, ...settings });
const names = ['Lamp', 'Mask', 'x', ' MASK', 'Soap', 'Balm'];
const items = names.map((name, row) => ({ name, row }));

/** A workspace that has a brief for Lamp, and three briefs of the allowance left. */
async function openWorkspace() {
	const sandbox = await openService({ allowance: 4 });
	const { id } = sandbox.addBrief({
		product_name: 'Lamp',
		status: 'ready',
		createdAt: sandbox.now(),
	});
	return { sandbox, id };
}

describe('Check Only', () => {
	it('returns what a run would do with each item, and orders nothing', async () => {
		const { sandbox, id } = await openWorkspace();
		const done = await runNode(sandbox, items, check({ maxBriefs: 2 }));
		expect(done.items('Create')).toMatchObject([
			{
				json: { planned_action: 'reuse', id, product_name: 'Lamp', already_existed: true },
				pairedItem: { item: 0 },
			},
			{
				json: { planned_action: 'order', product_name: 'Mask', already_existed: false },
				pairedItem: { item: 1 },
			},
			{
				json: {
					name: 'x',
					row: 2,
					planned_action: 'error',
					error: "x: 'Product Name' is too short",
					code: 'invalid_input',
				},
				pairedItem: { item: 2 },
			},
			{
				json: {
					planned_action: 'same_as_item',
					same_as_item_index: 1,
					product_name: 'MASK',
					already_existed: true,
				},
				pairedItem: { item: 3 },
			},
			{ json: { planned_action: 'order', product_name: 'Soap' }, pairedItem: { item: 4 } },
			{ json: { planned_action: 'limit_reached', product_name: 'Balm' }, pairedItem: { item: 5 } },
		]);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('counts the items in the notice, with the allowance and the minutes', async () => {
		const { sandbox } = await openWorkspace();
		const done = await runNode(sandbox, items, check({ maxBriefs: 2 }));
		expect(done.hints('Create')).toEqual([
			"Check Only: nothing was ordered. 6 items: a run would order 2 briefs, 1 would use a brief that exists (nothing to pay), 1 would share the brief of an earlier item, 1 would be left by 'Max Briefs per Run', 1 cannot be ordered (see the code of each item). 3 of 4 briefs left this month. Writing them would take about 5 minutes.",
		]);
	});

	it('says how many products have briefs with other values, and how much of the allowance is missing', async () => {
		const { sandbox } = await openWorkspace();
		sandbox.addBrief({ product_name: 'Mug', audience: 'Runners', status: 'ready' });
		const rows = [{ name: 'Mug' }, ...products(4)];
		const done = await runNode(sandbox, rows, check({ audience: 'Cooks', maxBriefs: 0 }));
		expect(done.hints('Create')).toEqual([
			says(
				/a run would order 5 briefs\. 2 of 4 briefs left this month\. That is 3 fewer than this run would order\. .*1 of these products already has a brief with other values: “Mug”\.$/,
			),
		]);
	});

	it('agrees with the run that follows', async () => {
		const { sandbox } = await openWorkspace();
		const planned = await runNode(sandbox, items, check({ maxBriefs: 2, ...continuing }));
		const done = await runNode(sandbox, items, create({ maxBriefs: 2, ...continuing }));
		const results = done
			.json('Create')
			.map(({ already_existed, code }) => code ?? (already_existed === true ? 'exists' : 'order'));
		expect(planned.values('planned_action', 'Create')).toEqual([
			...['reuse', 'order', 'error', 'same_as_item', 'order', 'limit_reached'],
		]);
		expect(results).toEqual([
			...['exists', 'order', 'invalid_input', 'exists', 'order', 'limit_reached'],
		]);
	});

	it('returns the brief that would be reused in at most ten fields, without its text', async () => {
		const { sandbox } = await openWorkspace();
		const node = check({ waitUntilReady: true, options: { markdownFile: true } });
		const done = await runNode(sandbox, [{ name: 'Lamp' }], node);
		const [item] = done.items('Create');
		expect(Object.keys(item!.json)).toEqual([
			...['planned_action', 'id', 'title', 'url', 'status', 'product_name', 'already_existed'],
			...['error_code', 'warnings', 'created_at'],
		]);
		expect(item).not.toHaveProperty('binary');
	});

	it('keeps the fields of the item if Include Input Fields is on', async () => {
		const { sandbox, id } = await openWorkspace();
		const rows = [
			{ name: 'Lamp', id: 'rec1', planned_action: 'own' },
			{ name: 'Mug', id: 'rec2' },
		];
		const done = await runNode(sandbox, rows, check({ includeInputFields: true }));
		expect(done.json('Create')).toMatchObject([
			{ planned_action: 'reuse', input_planned_action: 'own', id: 'rec1', brief_id: id },
			{ planned_action: 'order', id: 'rec2', name: 'Mug', brief_product_name: 'Mug' },
		]);
	});

	it('counts orders over all passes of a loop, and waits for no slot', async () => {
		const sandbox = await openService();
		addBriefs(sandbox, LONG, LONG);
		const done = await runLoop(sandbox, products(3), check({ maxBriefs: 2 }));
		const actions = [0, 1, 2].map((pass) => done.values('planned_action', 'Create', 0, pass)[0]);
		expect(actions).toEqual(['order', 'order', 'limit_reached']);
		expect(countRequests(sandbox, 'create_brief')).toBe(0);
	});

	it('makes an error of a brief that failed, as the run would', async () => {
		const sandbox = await openService();
		sandbox.addBrief({ product_name: 'Lamp', status: 'failed' });
		const done = await runNode(sandbox, [{ name: 'Lamp' }], check());
		expect(done.json('Create')).toMatchObject([
			{
				planned_action: 'error',
				code: 'brief_failed',
				error: says(/^Lamp: the service could not/),
			},
		]);
	});

	it('sends items with errors to the error output', async () => {
		const { sandbox } = await openWorkspace();
		const done = await runNode(sandbox, items, check(withErrorOutput));
		expect(done.json('Create', 0)).toHaveLength(5);
		expect(done.values('planned_action', 'Create', 1)).toEqual(['error']);
	});

	it('ends the node if the API key is refused, and makes error items if On Error continues', async () => {
		const target = getTarget(await openService(), 'revoked');
		const { error } = await runNode(target, products(2), check());
		expect(error.message).toMatch(/^Glow Serum No. 1: API key refused/);
		const done = await runNode(target, products(2), check(continuing));
		expect(done.json('Create')).toMatchObject(
			Array(2).fill({ planned_action: 'error', code: 'key_refused' }),
		);
	});

	it('is followed by Wait Until Ready with items on Failed that have the code check_only', async () => {
		const { sandbox } = await openWorkspace();
		const done = await runNode(sandbox, [{ name: 'Lamp' }, { name: 'Mug' }], [check(), wait()]);
		expect(done.json('Wait', 0)).toEqual([]);
		expect(done.values('code', 'Wait', 1)).toEqual(['check_only', 'check_only']);
	});

	it.each([
		[true, 'Create brief (Check Only)'],
		[false, 'Create brief'],
	])('shows in the subtitle of the node: %s', (checkOnly, subtitle) => {
		const workflow = makeWorkflow([create({ checkOnly })]);
		const node = workflow.getNode('Create')!;
		const { description } = workflow.nodeTypes.getByNameAndVersion(node.type);
		expect(
			workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {}),
		).toBe(subtitle);
	});
});
