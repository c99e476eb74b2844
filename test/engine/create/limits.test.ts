import { runLoop, runNode } from '../../support/engine/engine';
import {
	continuing,
	create,
	LONG,
	openService,
	retrying,
	runInSandbox,
	withErrorOutput,
	type NodeSettings,
} from '../../support/engine/fixtures';
import { makeProducts, matchText } from '../../support/values';

const LOOP =
	"<br>In a loop, set 'On Error' in the node's settings to 'Continue': the loop would end at a pass without items.";

describe('Max Briefs per Run', () => {
	test('is 25 if it is not changed, and the next run orders the others', async () => {
		const { sandbox, done } = await runInSandbox(makeProducts(30), create());
		expect(done.json('Create')).toHaveLength(25);
		expect(sandbox.createdCount()).toBe(25);
		expect(done.hints('Create')[0]).toContain(
			`30 items: 25 briefs ordered, 5 left for the next run.<br>75 of 100 briefs left this month.<br>'Max Briefs per Run' is 25: run the workflow again to order the others.<br>`,
		);
		expect(done.hints('Create')[0]).not.toContain(LOOP);
		expect(done.hintTypes('Create')).toEqual(['warning']);
		const next = await runNode(sandbox, makeProducts(30), create());
		const existed = next.values('already_existed', 'Create');
		expect(existed).toEqual([...Array<boolean>(25).fill(true), ...Array<boolean>(5).fill(false)]);
	});

	test.each([
		['the first output', continuing, 0],
		['the error output', withErrorOutput, 1],
	])('makes error items of the others if On Error continues: %s', async (_, onError, output) => {
		const { done } = await runInSandbox(makeProducts(3), create({ maxBriefs: 2, ...onError }));
		expect(done.json('Create', output).at(-1)).toEqual({
			name: 'Glow Serum No. 3',
			error: "Glow Serum No. 3: not ordered, because 'Max Briefs per Run' is 2",
			code: 'limit_reached',
			message: 'Nothing was paid for this item. The next execution can order its brief.',
		});
		expect(done.hints('Create')).toEqual([
			matchText(
				/^3 items: 2 briefs ordered, 1 left for the next run\.<br>98 of 100 briefs left this month\.<br>'Max Briefs per Run' is 2: run the workflow again to order the others\.<br>A brief takes/,
			),
		]);
	});

	test('warns in a loop that the loop ends at a pass without items', async () => {
		const sandbox = await openService();
		const done = await runLoop(sandbox, makeProducts(3), create({ maxBriefs: 1 }));
		const [, second] = done.runs('Create');
		expect(second!.hints!.map(({ message }) => message)).toEqual([matchText(LOOP)]);
	});

	test('is no limit at 0', async () => {
		const { sandbox } = await runInSandbox(makeProducts(27), create({ maxBriefs: 0 }));
		expect(sandbox.createdCount()).toBe(27);
	});

	test.each([
		['all passes of a loop', 'creatorBriefing'],
		['all calls of a tool', 'creatorBriefingTool'],
	])('counts over %s, anew in each execution', async (_, type) => {
		const sandbox = await openService();
		const node = { ...create({ maxBriefs: 2, ...continuing }), type };
		const done = await runLoop(sandbox, makeProducts(4), node);
		expect(done.passes('Create')).toMatchObject([
			{ already_existed: false },
			{ already_existed: false },
			{ code: 'limit_reached' },
			{ code: 'limit_reached' },
		]);
		await runLoop(sandbox, makeProducts(4), node);
		expect(sandbox.createdCount()).toBe(4);
	});
});

describe('an allowance that is used up', () => {
	const options = { allowance: 2, startAt: Date.UTC(2026, 10, 12) };

	test('ends the node, and the message has the date, the paid briefs, and how to process the other items', async () => {
		const { sandbox, done } = await runInSandbox(makeProducts(4), create(retrying), options);
		expect(done.error.message).toBe(
			'Glow Serum No. 3: this month’s allowance of briefs is used up [item 2]',
		);
		const [first, second] = sandbox.listIds();
		expect(done.error.description).toBe(
			`This execution has ordered nothing for this item. It resets on 1 December (UTC). A larger licence raises it at once. These briefs are paid for, and are not lost: Brief ${first} (“Glow Serum No. 1”); Brief ${second} (“Glow Serum No. 2”). To let the other items through, set 'On Error' in the node's settings to 'Continue'.`,
		);
		expect(sandbox.countRequests('create_brief')).toBe(2);
	});

	test('is an error item for each further item if On Error continues', async () => {
		const { done } = await runInSandbox(makeProducts(4), create(withErrorOutput), options);
		expect(done.json('Create', 0)).toHaveLength(2);
		expect(done.values('code', 'Create', 1)).toEqual(['allowance_used_up', 'allowance_used_up']);
		expect(done.hints('Create')[0]).toContain(
			'4 items: 2 briefs ordered, 2 failed (see the code of each item).<br>0 of 2 briefs left',
		);
	});

	test('applies to later passes of a loop, without another request', async () => {
		const sandbox = await openService(options);
		const done = await runLoop(sandbox, makeProducts(4), create(continuing));
		expect(done.passes('Create').slice(2)).toMatchObject(
			Array(2).fill({ code: 'allowance_used_up' }),
		);
		expect(sandbox.countRequests('create_brief')).toBe(2);
	});

	test('is read once in an execution, and missing in the notice if it cannot be read', async () => {
		const sandbox = await openService();
		sandbox.faults.add({ kind: '5xx', status: 403, operation: 'list_licences' });
		const done = await runNode(sandbox, makeProducts(3), create());
		expect(done.hints('Create')).toEqual([expect.not.stringContaining('this month')]);
		expect(sandbox.countRequests('list_licences')).toBe(1);
		const next = await runLoop(sandbox, [{ name: 'Mask' }, { name: 'Soap' }], create());
		expect(next.hints('Create')[0]).toContain('96 of 100 briefs left this month');
		expect(sandbox.countRequests('list_licences')).toBe(2);
	});
});

describe('the timeout', () => {
	/** Runs a node whose first brief has a slot after a minute and runs beyond the timeout. */
	async function runOut(settings: NodeSettings) {
		const sandbox = await openService();
		sandbox.addBriefs(LONG, 60_000);
		const done = await runNode(
			sandbox,
			makeProducts(3),
			create({ options: { timeout: 4 }, ...settings }),
		);
		return { done, ids: sandbox.listIds().slice(2) };
	}

	test('returns the items that were paid for, and leaves the others for the next run', async () => {
		const { done, ids } = await runOut({});
		expect(done.values('id', 'Create')).toEqual(ids);
		expect(ids).toHaveLength(1);
		expect(done.hints('Create')[0]).toContain(
			`3 items: 1 brief ordered, 2 left for the next run.<br>97 of 100 briefs left this month.<br>'Timeout (Minutes)' ended first: run the workflow again to order the others.<br>`,
		);
	});

	test('makes error items of items that were not ordered if On Error continues', async () => {
		const { done } = await runOut(withErrorOutput);
		expect(done.json('Create', 0)).toHaveLength(1);
		expect(done.json('Create', 1)).toMatchObject([
			{
				error: "Glow Serum No. 2: not ordered before 'Timeout (Minutes)' ended",
				code: 'timeout',
				message: matchText(
					/^This execution has ordered nothing for this item\. .*ten briefs take about 25 minutes\.$/,
				),
			},
			{ code: 'timeout' },
		]);
	});

	test('returns finished briefs, and the notice names a brief that is still being written', async () => {
		const sandbox = await openService();
		sandbox.addBrief({ product_name: 'Lamp', status: 'ready' });
		sandbox.addBriefs(LONG);
		const node = create({ waitUntilReady: true, options: { timeout: 1 } });
		const done = await runNode(sandbox, [{ name: 'Lamp' }, { name: 'Mug' }], node);
		expect(done.values('product_name', 'Create')).toEqual(['Lamp']);
		expect(done.hints('Create')[0]).toContain(
			`Still being written when 'Timeout (Minutes)' ended: Brief ${sandbox.listIds()[2]} (“Mug”). To fetch a brief, use the Get operation, which costs nothing.`,
		);
	});

	test('ends the node if no brief was ready, and the message explains how to fetch it at no cost', async () => {
		const node = create({ waitUntilReady: true, options: { timeout: 1 } });
		const { sandbox, done } = await runInSandbox(makeProducts(1), node);
		expect(done.error.message).toMatch(
			/^Glow Serum No. 1: the brief was still \w+ at the end of the timeout \(brief \S+\) \[item 0\]$/,
		);
		expect(done.error.description).toContain(`the ID ${sandbox.listIds()[0]}: that costs nothing`);
	});
});

describe('two other briefs that are being written', () => {
	test('end the node if no item got a slot', async () => {
		const sandbox = await openService();
		const running = sandbox.addBriefs(LONG, LONG);
		const node = create({ options: { timeout: 5 } });
		const { error } = await runNode(sandbox, makeProducts(2), node);
		expect(error.message).toBe(
			"Glow Serum No. 1: not ordered before 'Timeout (Minutes)' ended [item 0]",
		);
		expect(error.description).toMatch(/Run the workflow again/);
		for (const { id } of running) expect(error.description).toContain(id);
		expect(sandbox.countRequests('create_brief')).toBe(0);
	});
});
