import type { Sandbox } from '../../sandbox/sandbox';
import { retry, runLoop, runNode } from '../support/engine/engine';
import {
	continuing,
	create,
	itemsIn,
	LONG,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	targetOf,
	withErrorOutput,
} from '../support/engine/fixtures';

const creates = (sandbox: Sandbox) => requestsOf(sandbox, 'create_brief');
const lamp = { product_name: 'Lamp' };

describe('Max Briefs per Run', () => {
	it('is 25 unless somebody changes it: one click on a long sheet pays for no more', async () => {
		const { sandbox, done } = await ran(products(30), create());
		expect(done.json('Create')).toHaveLength(25);
		expect(creates(sandbox)).toBe(25);
		expect(done.hints('Create')).toEqual([
			says(
				/^30 items: 25 briefs ordered, 5 left for the next run\. 75 of 100 left this month\. 'Max Briefs per Run' is 25: run the workflow again, and it goes on with the rest\./,
			),
		]);
	});

	it('counts over all passes of a loop, and over all calls of a tool', async () => {
		for (const type of ['creatorBriefing', 'creatorBriefingTool']) {
			const sandbox = await sandboxWith();
			// So that the loop goes on after a pass without items.
			const node = { ...create({ maxBriefs: 2 }), type, alwaysOutputData: true };
			await runLoop(sandbox, products(4), node);
			expect(creates(sandbox)).toBe(2);
			await runLoop(sandbox, products(4), node);
			expect(creates(sandbox)).toBe(4);
		}
	});

	it('is said to a model that calls the node', async () => {
		const node = { ...create({ maxBriefs: 1 }), type: 'creatorBriefingTool' };
		const sandbox = await sandboxWith();
		const done = await runLoop(sandbox, products(2), node);
		expect(done.json('Create', 0, 1)).toEqual([
			{
				name: 'Glow Serum No. 2',
				error: "Glow Serum No. 2: not ordered, because 'Max Briefs per Run' is 1",
				code: 'limit_reached',
				message: says(/^Nothing was ordered\. .*another execution/),
			},
		]);
	});
});

describe('what an execution has learned', () => {
	const usedUp = says(/^Glow Serum No. \d: not ordered, because the month’s allowance .* used up$/);

	it('holds for all passes of a loop: the month is used up', async () => {
		const sandbox = await sandboxWith({ allowance: 1 });
		const done = await runLoop(sandbox, products(5), create(continuing));
		const errors = [1, 2, 3, 4].map((pass) => done.all('error', 'Create', 0, pass)[0]);
		const refused = 'Glow Serum No. 2: the month’s allowance of briefs is used up';
		expect(errors).toEqual([refused, usedUp, usedUp, usedUp]);
		expect(creates(sandbox)).toBe(2);
	});

	it('holds for all tries', async () => {
		const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		const { sandbox, done } = await ran(products(2), create(tries), { allowance: 1 });
		expect(done.error.message).toMatch(/No. 2: not ordered, because the month’s allowance/);
		expect(done.error.description).toMatch(
			/resets on .*Already created in this run: Brief .*It is/,
		);
		expect(creates(sandbox)).toBe(2);
	});

	it('holds until the month has turned', async () => {
		const startAt = Date.UTC(2026, 10, 30, 23, 40);
		const sandbox = await sandboxWith({ allowance: 2, startAt });
		sandbox.addBrief({ ...lamp, durationMs: 3_600_000 });
		const items = ['Mask', 'Soap', 'Lamp', 'Soap'].map((name) => ({ name }));
		const timeout = { options: { timeout: 60 } };
		const node = create({
			...continuing,
			...timeout,
			waitUntilReady: '={{ $json.name === "Lamp" }}',
		});
		const done = await runLoop(sandbox, items, node);
		const codes = [0, 1, 2, 3].map((pass) => done.all('code', 'Create', 0, pass)[0]);
		expect(codes).toEqual([undefined, 'allowance_used_up', undefined, undefined]);
		expect(creates(sandbox)).toBe(3);
	});

	it('does not hold for a Retry of the execution', async () => {
		const { sandbox, done } = await ran(products(2), create(), { allowance: 1 });
		await retry(sandbox, done, products(2), create());
		expect(creates(sandbox)).toBe(3);
	});
});

describe('the line of a run', () => {
	it('adds up, also if nothing was ordered', async () => {
		const sandbox = await sandboxWith();
		for (const status of ['ready', 'failed'] as const)
			sandbox.addBrief({ product_name: `Lamp ${status}`, status });
		const items = ['Lamp ready', 'Lamp failed', 'x', 'n/a'].map((name) => ({ name }));
		const done = await runNode(sandbox, items, create(continuing));
		expect(done.hints('Create')).toEqual([
			'4 items: 1 already existed (nothing paid), 3 not ordered. 98 of 100 left this month.',
		]);
		expect(done.all('error', 'Create')).toEqual([
			undefined,
			says(/^Lamp failed: the service cannot write about this product: \w+ \(brief \S+\)$/),
			"x: 'Product Name' is too short",
			"n/a: 'Product Name' is “n/a”, not a product",
		]);
	});

	it('counts as ordered what failed then, and says what may be paid for', async () => {
		const lost = { kind: 'reset', at: 'after-work', operation: 'create_brief', times: 7 } as const;
		const sandbox = await sandboxWith();
		const failing = [{ name: 'Old Mask (discontinued)' }];
		const waiting = create({ waitUntilReady: true, ...continuing });
		const failed = await runNode(sandbox, failing, waiting);
		expect(failed.hints('Create')).toEqual(['1 item: 1 brief ordered. 99 of 100 left this month.']);
		sandbox.faults.add(lost);
		const doubtful = await runNode(sandbox, products(2), waiting);
		expect(doubtful.hints('Create')).toEqual([
			says(/^2 items: 1 without an answer \(may be paid for\), 1 not ordered\./),
		]);
		expect(doubtful.all('error', 'Create')).toEqual([
			says(/^Glow Serum No. 1: the brief was ordered, but no usable answer came/),
			says(/^Glow Serum No. 2: not ordered, because of an earlier item: the brief was ordered/),
		]);
	});

	it('reads what is left once in an execution, and leaves it out if it cannot be read', async () => {
		const sandbox = await sandboxWith();
		await runLoop(sandbox, products(3), create());
		expect(requestsOf(sandbox, 'list_licences')).toBe(1);
		const refusal = { kind: '5xx', status: 403, operation: 'list_licences' } as const;
		sandbox.faults.add(refusal);
		const done = await runNode(sandbox, products(3), create());
		expect(done.hints('Create')).toEqual([
			says(/^3 items: 3 already existed \(nothing paid\)\. The last text/),
		]);
		expect(requestsOf(sandbox, 'list_licences')).toBe(2);
		const unlimited = await ran(products(1), create(), { shownAllowance: 'minus-one' });
		expect(unlimited.done.hints('Create')).toEqual([says(/^1 item: 1 brief ordered\. The last/)]);
	});

	it('waits for no answer about what is left', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: 'slow', delayMs: 60_000, operation: 'list_licences' });
		const done = await runNode(sandbox, products(1), create());
		expect(done.hints('Create')).toEqual([says(/^1 item: 1 brief ordered\. The last text/)]);
	});

	it('counts the briefs of a month that are on later pages of the list', async () => {
		const sandbox = await sandboxWith({ allowance: 300 });
		for (let at = 0; at < 150; at += 1)
			sandbox.addBrief({ product_name: `Lamp ${at}`, status: 'ready', createdAt: sandbox.now() });
		const done = await runNode(sandbox, products(2), create());
		expect(done.hints('Create')).toEqual([says('148 of 300 left this month.')]);
	});
});

describe('an order that the service refuses', () => {
	// n8n replaces a message in which it finds certain letters.
	it.each([
		[400, 'HomeAccessories'],
		[422, 'Supermarket EPERM'],
	])('names its product and what the service says: %i', async (status, name) => {
		const refusal = { kind: '5xx', status, operation: 'create_brief' } as const;
		const { done } = await ran([{ name }], create(), {}, refusal);
		const message = `${name}: the service refused the request as not valid (${status})`;
		expect(done.error.message).toBe(`${message} [item 0]`);
		const { done: going } = await ran([{ name }], create(continuing), {}, refusal);
		expect(going.all('error', 'Create')).toEqual([message]);
	});
});

describe('Check Only', () => {
	const check = (settings = {}) => create({ checkOnly: true, ...settings });
	const items = ['Lamp', 'Mask', 'x', ' MASK', 'Soap', 'Balm'].map((name, row) => ({ name, row }));

	async function workspace() {
		const sandbox = await sandboxWith({ allowance: 4 });
		const { id } = sandbox.addBrief({ ...lamp, status: 'ready' });
		return { sandbox, id };
	}

	it('says what would become of each item, and orders nothing, whatever On Error says', async () => {
		const { sandbox, id } = await workspace();
		const done = await runNode(sandbox, items, check({ maxBriefs: 2 }));
		const refusal = "x: 'Product Name' is too short";
		expect(done.items('Create')).toEqual([
			{
				json: {
					would: 'use',
					id,
					status: 'ready',
					product_name: 'Lamp',
					error_code: null,
					title: says(/./),
					url: says(/^https/),
					created_at: says(/./),
					finished_at: says(/./),
					warnings: [says(/./)],
					markdown: says(/^# /),
				},
				pairedItem: { item: 0 },
			},
			{ json: { would: 'order', product_name: 'Mask' }, pairedItem: { item: 1 } },
			{
				json: {
					name: 'x',
					row: 2,
					would: refusal,
					error: refusal,
					code: 'invalid_input',
					message: 'It takes 2 to 180 characters.',
				},
				pairedItem: { item: 2 },
			},
			{ json: { would: 'use', product_name: 'MASK' }, pairedItem: { item: 3 } },
			{ json: { would: 'order', product_name: 'Soap' }, pairedItem: { item: 4 } },
			{ json: { would: 'wait_for_next_run', product_name: 'Balm' }, pairedItem: { item: 5 } },
		]);
		expect(done.hints('Create')).toEqual([
			'Check Only: nothing was ordered. 6 items: 2 briefs would be ordered, 2 would use a brief that exists (nothing to pay), 1 would be left for the next run, 1 cannot be ordered. 3 of 4 left this month.',
		]);
		expect(creates(sandbox)).toBe(0);
	});

	it('agrees with the run that follows', async () => {
		const { sandbox } = await workspace();
		const foreseen = await runNode(sandbox, items, check({ maxBriefs: 2, ...continuing }));
		const done = await runNode(sandbox, items, create({ maxBriefs: 2, ...continuing }));
		const words = foreseen.all('would', 'Create').filter((word) => word !== 'wait_for_next_run');
		const came = done
			.json('Create')
			.map(({ already_existed, error }) => error ?? (already_existed === true ? 'use' : 'order'));
		expect(words).toEqual(came);
	});

	it('says if the month has too few left, and keeps the fields of the item', async () => {
		const { sandbox, id } = await workspace();
		const node = check({ includeInputFields: true, maxBriefs: 0 });
		const rows = products(5).map((row, at) => ({ ...row, id: at }));
		const done = await runNode(sandbox, [{ name: 'Lamp', id: 'rec1' }, ...rows], node);
		expect(done.json('Create')[0]).toMatchObject({ would: 'use', id: 'rec1', brief_id: id });
		expect(done.json('Create')[1]).toEqual({
			would: 'order',
			...rows[0],
			brief_product_name: 'Glow Serum No. 1',
		});
		expect(done.hints('Create')).toEqual([
			says(
				/5 briefs would be ordered, .* 3 of 4 left this month\. That is 2 fewer than this would order\.$/,
			),
		]);
	});

	it('counts over all passes of a loop, waits for no slot, and sends errors to the error output', async () => {
		const sandbox = await sandboxWith();
		itemsIn(sandbox, LONG, LONG);
		const done = await runLoop(sandbox, products(3), check({ maxBriefs: 2 }));
		const words = [0, 1, 2].map((pass) => done.all('would', 'Create', 0, pass)[0]);
		expect(words).toEqual(['order', 'order', 'wait_for_next_run']);
		const bad = await runNode(sandbox, [{ name: 'x' }], check(withErrorOutput));
		expect(bad.json('Create', 0)).toEqual([]);
		expect(bad.all('would', 'Create', 1)).toEqual(["x: 'Product Name' is too short"]);
		expect(creates(sandbox)).toBe(0);
	});

	it('ends with what no item is to blame for', async () => {
		const sandbox = await sandboxWith();
		const { error } = await runNode(targetOf(sandbox, 'revoked'), products(2), check());
		expect(error.message).toMatch(/^The API key was refused/);
	});
});
