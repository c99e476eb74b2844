import { runLoop, runNode, type Execution } from '../../support/engine/engine';
import {
	continuing,
	create,
	addBriefs,
	LONG,
	products,
	runInSandbox,
	countRequests,
	openService,
	says,
	withErrorOutput,
	type Fault,
} from '../../support/engine/fixtures';

const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
const LOOP =
	"In a loop, set 'On Error' in the node's settings to 'Continue': the loop would end at a pass without items.";

describe('Max Briefs per Run', () => {
	it('is 25 if it is not changed, and the notice says what is left', async () => {
		const { sandbox, done } = await runInSandbox(products(30), create());
		expect(done.json('Create')).toHaveLength(25);
		expect(sandbox.createdCount()).toBe(25);
		expect(done.hints('Create')).toEqual([
			expect.stringContaining(
				`30 items: 25 briefs ordered, 5 left for the next run. 75 of 100 briefs left this month. 'Max Briefs per Run' is 25: run the workflow again to order the others. ${LOOP}`,
			),
		]);
	});

	it('leaves items for the next run if On Error is Stop', async () => {
		const node = create({ maxBriefs: 2 });
		const { sandbox } = await runInSandbox(products(3), node);
		const next = await runNode(sandbox, products(3), node);
		expect(next.values('already_existed', 'Create')).toEqual([true, true, false]);
	});

	it.each([
		['the first output', continuing, 0],
		['the error output', withErrorOutput, 1],
	])('makes error items of the others if On Error continues: %s', async (_, onError, output) => {
		const { done } = await runInSandbox(products(3), create({ maxBriefs: 2, ...onError }));
		expect(done.json('Create', output).at(-1)).toEqual({
			name: 'Glow Serum No. 3',
			error: "Glow Serum No. 3: not ordered, because 'Max Briefs per Run' is 2",
			code: 'limit_reached',
			message: 'Nothing was paid for this item. The next execution can order its brief.',
		});
		expect(done.hints('Create')).toEqual([
			says(
				/^3 items: 2 briefs ordered, 1 left for the next run\. 98 of 100 briefs left this month\. 'Max Briefs per Run' is 2: run the workflow again to order the others\. A brief takes/,
			),
		]);
	});

	it('is no limit at 0', async () => {
		const { sandbox } = await runInSandbox(products(27), create({ maxBriefs: 0 }));
		expect(sandbox.createdCount()).toBe(27);
	});

	it.each(['creatorBriefing', 'creatorBriefingTool'])(
		'counts over all passes of a loop and all calls of a tool, anew in each execution: %s',
		async (type) => {
			const sandbox = await openService();
			const node = { ...create({ maxBriefs: 2, ...continuing }), type };
			const done = await runLoop(sandbox, products(4), node);
			const codes = [0, 1, 2, 3].map((pass) => done.values('code', 'Create', 0, pass)[0]);
			expect(codes).toEqual([undefined, undefined, 'limit_reached', 'limit_reached']);
			await runLoop(sandbox, products(4), node);
			expect(sandbox.createdCount()).toBe(4);
		},
	);

	it('counts an order once over the tries of Retry On Fail', async () => {
		const lost: Fault = { kind: 'reset', operation: 'create_brief', skip: 1, times: 6 };
		const node = create({ maxBriefs: 2, ...retrying });
		const { sandbox, done } = await runInSandbox(products(2), node, {}, lost);
		expect(done.values('product_name', 'Create')).toEqual(['Glow Serum No. 1', 'Glow Serum No. 2']);
		expect(sandbox.createdCount()).toBe(2);
	});
});

describe('an allowance that is used up', () => {
	const options = { allowance: 2, startAt: Date.UTC(2026, 10, 12) };

	it('ends the node, and the message has the date, what was paid, and how to let the others through', async () => {
		const { sandbox, done } = await runInSandbox(products(4), create(), options);
		expect(done.error.message).toBe(
			'Glow Serum No. 3: this month’s allowance of briefs is used up [item 2]',
		);
		const [one, two] = sandbox.briefs().map(({ id }) => id);
		expect(done.error.description).toBe(
			`Nothing was ordered for this item. It resets on 1 December (UTC). A larger licence raises it at once. These briefs are paid for, and are not lost: Brief ${one} (“Glow Serum No. 1”); Brief ${two} (“Glow Serum No. 2”). To let the other items through, set 'On Error' in the node's settings to 'Continue'.`,
		);
	});

	it('is an error item for each further item if On Error continues', async () => {
		const { sandbox, done } = await runInSandbox(products(4), create(withErrorOutput), options);
		expect(done.json('Create', 0)).toHaveLength(2);
		expect(done.values('code', 'Create', 1)).toEqual(['allowance_used_up', 'allowance_used_up']);
		expect(done.hints('Create')).toEqual([
			says(
				/^4 items: 2 briefs ordered, 2 failed \(see the code of each item\)\. 0 of 2 briefs left/,
			),
		]);
		expect(countRequests(sandbox, 'create_brief')).toBe(2);
	});

	it('holds for later passes of a loop and for later tries, without another request', async () => {
		const loop = await openService(options);
		const done = await runLoop(loop, products(5), create(continuing));
		const codes = [0, 1, 2, 3, 4].map((pass) => done.values('code', 'Create', 0, pass)[0]);
		expect(codes.slice(2)).toEqual(Array(3).fill('allowance_used_up'));
		expect(countRequests(loop, 'create_brief')).toBe(2);
		const { sandbox } = await runInSandbox(products(4), create(retrying), options);
		expect(countRequests(sandbox, 'create_brief')).toBe(2);
	});

	it('is read once in an execution, and left out of the notice if it cannot be read', async () => {
		const sandbox = await openService();
		await runLoop(sandbox, products(3), create());
		expect(countRequests(sandbox, 'list_licences')).toBe(1);
		sandbox.faults.add({ kind: '5xx', status: 403, operation: 'list_licences' });
		const done = await runNode(sandbox, products(3), create());
		expect(done.hints('Create')).toEqual([expect.not.stringContaining('this month')]);
	});
});

describe('the timeout', () => {
	/** Two briefs of others end after a minute, and the first own briefs run on beyond the timeout. */
	async function runOut(settings: object): Promise<{ done: Execution; ids: string[] }> {
		const sandbox = await openService();
		addBriefs(sandbox, LONG, 60_000);
		const node = create({ options: { timeout: 4 }, ...settings });
		const done = await runNode(sandbox, products(3), node);
		const own = sandbox.briefs().filter(({ ordinal }) => ordinal !== null);
		return { done, ids: own.map(({ id }) => id) };
	}

	it('lets items through that were paid for, and leaves the others for the next run', async () => {
		const { done, ids } = await runOut({});
		expect(done.values('id', 'Create')).toEqual(ids);
		expect(ids).toHaveLength(1);
		expect(done.hints('Create')).toEqual([
			expect.stringContaining(
				`3 items: 1 brief ordered, 2 left for the next run. 97 of 100 briefs left this month. 'Timeout (Minutes)' ended first: run the workflow again to order the others. ${LOOP}`,
			),
		]);
	});

	it('makes error items of items that were not ordered if On Error continues', async () => {
		const { done } = await runOut(withErrorOutput);
		expect(done.json('Create', 0)).toHaveLength(1);
		expect(done.json('Create', 1)).toMatchObject([
			{
				error: "Glow Serum No. 2: not ordered before 'Timeout (Minutes)' ended",
				code: 'timeout',
				message: says(/^Nothing was paid for this item\. .*ten briefs take about 25 minutes\.$/),
			},
			{ code: 'timeout' },
		]);
	});

	it('ends the node if no item got a brief, and the message names the running briefs', async () => {
		const sandbox = await openService();
		const running = addBriefs(sandbox, LONG, LONG);
		const node = create({ options: { timeout: 5 } });
		const { error } = await runNode(sandbox, products(2), node);
		expect(error.message).toBe(
			"Glow Serum No. 1: not ordered before 'Timeout (Minutes)' ended [item 0]",
		);
		for (const { id } of running) expect(error.description).toContain(id);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('lets finished briefs through, and the notice names a brief that is still being written', async () => {
		const sandbox = await openService();
		sandbox.addBrief({ product_name: 'Lamp', status: 'ready' });
		addBriefs(sandbox, LONG);
		const node = create({ waitUntilReady: true, options: { timeout: 1 } });
		const done = await runNode(sandbox, [{ name: 'Lamp' }, { name: 'Mug' }], node);
		expect(done.values('product_name', 'Create')).toEqual(['Lamp']);
		const mug = sandbox.briefs().find(({ ordinal }) => ordinal !== null)!;
		expect(done.hints('Create')).toEqual([
			expect.stringContaining(
				`Still being written when 'Timeout (Minutes)' ended: Brief ${mug.id} (“Mug”). To fetch a brief, use the Get operation, which costs nothing.`,
			),
		]);
	});

	it('ends the node if no brief was ready, and the message says how to fetch it at no cost', async () => {
		const node = create({ waitUntilReady: true, options: { timeout: 1 } });
		const { sandbox, done } = await runInSandbox(products(1), node);
		expect(done.error.message).toMatch(
			/^Glow Serum No. 1: the brief was still \w+ at the end of the timeout \(brief \S+\) \[item 0\]$/,
		);
		const [{ id } = { id: '' }] = sandbox.briefs();
		expect(done.error.description).toContain(`the ID ${id}: that costs nothing`);
	});
});

describe('When Two Briefs Are Running on Stop', () => {
	const stop = (more = {}) => create({ options: { whenSlotsBusy: 'stop' }, ...more });

	it('orders what has a slot at once, and leaves the others for the next run', async () => {
		const sandbox = await openService();
		addBriefs(sandbox, LONG);
		const done = await runNode(sandbox, products(3), stop());
		expect(done.values('product_name', 'Create')).toEqual(['Glow Serum No. 1']);
		expect(done.hints('Create')).toEqual([
			says(
				/2 left for the next run\. .* Two other briefs are being written: run the workflow again in a few minutes/,
			),
		]);
	});

	it('ends the node if no item has a slot, and the message says how to wait', async () => {
		const sandbox = await openService();
		const running = addBriefs(sandbox, LONG, LONG);
		const { error } = await runNode(sandbox, products(2), stop());
		expect(error.message).toMatch(/^Glow Serum No. 1: not ordered, because two briefs are being/);
		expect(error.description).toMatch(/'When Two Briefs Are Running' to 'Wait'\.$/);
		for (const { id } of running) expect(error.description).toContain(id);
		expect(countRequests(sandbox, 'create_brief')).toBe(0);
	});

	it('makes error items with a code if On Error continues', async () => {
		const sandbox = await openService();
		addBriefs(sandbox, LONG, LONG);
		const done = await runNode(sandbox, products(2), stop(withErrorOutput));
		expect(done.values('code', 'Create', 1)).toEqual(['slots_busy', 'slots_busy']);
		expect(done.hints('Create')).toEqual([
			says(
				/^2 items: 2 left for the next run\. .* Two other briefs are being written: .* the others\.$/,
			),
		]);
	});
});
