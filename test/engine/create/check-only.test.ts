import { makeWorkflow, runLoop, runNode } from '../../support/engine/engine';
import {
	continuing,
	create,
	LONG,
	openService,
	withErrorOutput,
	type NodeSettings,
} from '../../support/engine/fixtures';
import { makeProducts, matchText } from '../../support/values';

const check = (settings: NodeSettings = {}) => create({ checkOnly: true, ...settings });

/** Opens a workspace that has a brief for Lamp, and three briefs of the allowance left. */
async function openWorkspace() {
	const sandbox = await openService({ allowance: 4 });
	const lamp = { product_name: 'Lamp', status: 'ready', createdAt: sandbox.now() } as const;
	return { sandbox, id: sandbox.addBrief(lamp).id };
}

describe('Check Only', () => {
	test('returns and counts the action of the next run for each item, and orders nothing', async () => {
		const { sandbox, id } = await openWorkspace();
		const names = ['Lamp', 'Mask', 'x', ' MASK', 'Soap', 'Balm'];
		const items = names.map((name, row) => ({ name, row }));
		const planned = await runNode(sandbox, items, check({ maxBriefs: 2 }));
		const tooShort = { name: 'x', row: 2, error: "x: 'Product Name' is too short" };
		const expected = [
			{ planned_action: 'reuse', id, product_name: 'Lamp', already_existed: true },
			{ planned_action: 'order', product_name: 'Mask', already_existed: false },
			{ planned_action: 'error', ...tooShort, code: 'invalid_input' },
			{ planned_action: 'same_as_item', same_as_item_index: 1, already_existed: true },
			{ planned_action: 'order', product_name: 'Soap' },
			{ planned_action: 'limit_reached', product_name: 'Balm' },
		];
		expect(planned.items('Create')).toMatchObject(
			expected.map((json, item) => ({ json, pairedItem: { item } })),
		);
		expect(planned.hints('Create')).toEqual([
			"Check Only: nothing was ordered.<br>6 items: a run would order 2 briefs, 1 would use a brief that exists (nothing to pay), 1 would share the brief of an earlier item, 1 would be left by 'Max Briefs per Run', 1 cannot be ordered (see the code of each item).<br>3 of 4 briefs left this month.<br>Writing them would take about 5 minutes.",
		]);
		expect(sandbox.createdCount()).toBe(0);
		const done = await runNode(sandbox, items, create({ maxBriefs: 2, ...continuing }));
		expect(done.json('Create')).toMatchObject([
			{ already_existed: true },
			{ already_existed: false },
			{ code: 'invalid_input' },
			{ already_existed: true },
			{ already_existed: false },
			{ code: 'limit_reached' },
		]);
	});

	test('counts products that have briefs with other values, and leaves items beyond the allowance', async () => {
		const { sandbox } = await openWorkspace();
		sandbox.addBrief({ product_name: 'Mug', audience: 'Runners', status: 'ready' });
		const items = [{ name: 'Mug' }, ...makeProducts(4)];
		const done = await runNode(sandbox, items, check({ audience: 'Cooks', maxBriefs: 0 }));
		expect(done.hints('Create')).toEqual([
			matchText(
				/a run would order 2 briefs, 3 would be left because the month's allowance is used up\.<br>2 of 4 briefs left this month\.<br>.*1 of these products already has a brief with other values: “Mug”\.$/,
			),
		]);
		expect(done.hintTypes('Create')).toEqual(['warning']);
		const left = Array<string>(3).fill('allowance_used_up');
		expect(done.values('planned_action', 'Create')).toEqual(['order', 'order', ...left]);
		const passes = (await runLoop(sandbox, items, check({ audience: 'Cooks' }))).passes('Create');
		expect(passes.map((item) => item!['planned_action'])).toEqual(['order', 'order', ...left]);
	});

	test('returns the brief that would be reused without its text', async () => {
		const { sandbox } = await openWorkspace();
		const node = check({ waitUntilReady: true, options: { markdownFile: true } });
		const [item] = (await runNode(sandbox, [{ name: 'Lamp' }], node)).items('Create');
		expect(Object.keys(item!.json)).toEqual([
			...['planned_action', 'id', 'title', 'url', 'status', 'product_name', 'already_existed'],
			...['error_code', 'warnings', 'created_at', 'markdown'],
		]);
		expect(item!.json['markdown']).toBeNull();
		expect(item).not.toHaveProperty('binary');
	});

	test('keeps the fields of the item if Include Input Fields is on', async () => {
		const { sandbox, id } = await openWorkspace();
		const items = [
			{ name: 'Lamp', id: 'rec1', planned_action: 'own' },
			{ name: 'Mug', id: 'rec2' },
		];
		const done = await runNode(sandbox, items, check({ includeInputFields: true }));
		expect(done.json('Create')).toMatchObject([
			{ planned_action: 'reuse', input_planned_action: 'own', id: 'rec1', brief_id: id },
			{ planned_action: 'order', id: 'rec2', name: 'Mug', brief_product_name: 'Mug' },
		]);
		for (const item of done.json('Create')) expect(Object.keys(item)[0]).toBe('planned_action');
	});

	test('counts orders over all passes of a loop, and waits for no slot', async () => {
		const sandbox = await openService();
		sandbox.addBriefs(LONG, LONG);
		const done = await runLoop(sandbox, makeProducts(3), check({ maxBriefs: 2 }));
		const actions = done.passes('Create').map((item) => item!['planned_action']);
		expect(actions).toEqual(['order', 'order', 'limit_reached']);
		expect(sandbox.countRequests('create_brief')).toBe(0);
	});

	test('sends items with errors to the error output, such as a brief that has failed', async () => {
		const { sandbox } = await openWorkspace();
		sandbox.addBrief({ product_name: 'Mug', status: 'failed' });
		const items = [{ name: 'Lamp' }, { name: 'Mug' }];
		const done = await runNode(sandbox, items, check(withErrorOutput));
		expect(done.values('planned_action', 'Create', 0)).toEqual(['reuse']);
		const error = matchText(/^Mug: the service could not/);
		expect(done.json('Create', 1)).toMatchObject([
			{ planned_action: 'error', code: 'brief_failed', error },
		]);
	});

	test('ends the node if the API key is refused, and makes error items if On Error continues', async () => {
		const target = (await openService()).getTarget('revoked');
		const { error } = await runNode(target, makeProducts(2), check());
		expect(error.message).toMatch(/^API key refused/);
		const done = await runNode(target, makeProducts(2), check(continuing));
		expect(done.json('Create')).toMatchObject(
			Array(2).fill({ planned_action: 'error', code: 'key_refused' }),
		);
	});

	test('is shown below the node on the canvas', () => {
		const { nodeTypes, expression, ...workflow } = makeWorkflow([check()]);
		const { subtitle } = nodeTypes.getByNameAndVersion('creatorBriefing').description;
		expect(
			expression.getSimpleParameterValue(workflow.nodes['Create']!, subtitle, 'internal', {}),
		).toBe('Create brief (Check Only)');
	});
});
