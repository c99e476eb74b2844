import { clock } from '../../nodes/shared/clock';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { canonical, uuidFrom } from '../../service/key';
import {
	additionalDataFor,
	retry,
	runLoop,
	runNode,
	startNode,
	type Finished,
} from '../support/engine/engine';
import {
	create,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	until,
	wait,
} from '../support/engine/fixtures';

type Fault = Parameters<Sandbox['faults']['add']>[0];

const lost: Fault = { kind: 'reset', at: 'after-work', operation: 'create_brief' };
/** Until the tries of a create are used up. */
const silent: Fault = { ...lost, times: 7 };
/** Ends the run at the second brief, after the first was paid for. */
const second: Fault = { kind: '5xx', status: 418, operation: 'create_brief', skip: 1 };
const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
const keyed = (idempotencyKey: string, more = {}) =>
	create({ additionalFields: { idempotencyKey, ...more } });

const ids = (done: Finished) => done.all('id', 'Create');
const idsIn = (sandbox: Sandbox) => sandbox.briefs().map(({ id }) => id);
const keyIn = (text: unknown) => /Its key is ([0-9a-f-]{36}):/.exec(String(text))?.[1];

async function sandboxThatFails(fault: Fault, options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await sandboxWith(options);
	sandbox.faults.add(fault);
	return sandbox;
}

describe('an execution pays once', () => {
	it('if the answer to a create is lost', async () => {
		const sandbox = await sandboxThatFails(lost);
		expect((await runNode(sandbox, products(2), create())).status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
		expect(sandbox.briefs()[0]!.replays).toBe(1);
	});

	it.each<[string, Fault, object, SandboxOptions]>([
		['refused in the first try', second, {}, { keyMemoryMs: 1 }],
		['refused, and waited for', second, { waitUntilReady: true }, { keyMemoryMs: 1 }],
		['in doubt', silent, {}, {}],
		[
			'with terms of the moment',
			second,
			{ additionalFields: { campaignTerms: '={{ "As of " + $now.toMillis() }}' } },
			{},
		],
		[
			'with an Order Key of the moment',
			second,
			{ additionalFields: { idempotencyKey: '={{ $json.name + $now.toMillis() }}' } },
			{},
		],
	])('with Retry On Fail: %s', async (_, fault, settings, options) => {
		const sandbox = await sandboxThatFails(fault, options);
		const done = await runNode(sandbox, products(2), create({ ...settings, ...retrying }));
		expect(done.status).toBe('success');
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(sandbox.createdCount()).toBe(2);
	});

	it('with Retry On Fail, whose second try gives the brief of the first without a request for it', async () => {
		const sandbox = await sandboxThatFails(second, { keyMemoryMs: 1 });
		const done = await runNode(sandbox, products(2), create(retrying));
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(requestsOf(sandbox, 'get_brief')).toBe(0);
	});

	it('with Retry On Fail if the briefs of the first try hold both slots', async () => {
		const options = { whenSlotsBusy: 'stop' };
		const node = create({ options, onError: 'continueRegularOutput', ...retrying });
		// Briefs run for longer than the test.
		const { sandbox, done } = await ran([{ name: 'x' }, ...products(3)], node, { speed: 1 });
		const [one, two] = idsIn(sandbox);
		expect(done.json('Create')).toMatchObject([
			{ code: 'invalid_input' },
			{ id: one, product_name: 'Glow Serum No. 1' },
			{ id: two, product_name: 'Glow Serum No. 2' },
			{ code: 'slots_busy' },
		]);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('with Retry On Fail for a brief that has failed, and says so', async () => {
		const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)' }];
		const node = create({ waitUntilReady: true, ...retrying });
		const { sandbox, done } = await ran(items, node, { keyMemoryMs: 1 });
		const [ready, failed] = idsIn(sandbox);
		expect(done.error.message).toMatch(`Brief ${failed}`);
		expect(done.error.message).toMatch('product_unavailable [item 1]');
		const [, alive] = done.error.description!.split('Already created in this run:');
		expect(alive).toContain(ready);
		expect(alive).not.toContain(failed);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('for passes of a loop with the same Order Key', async () => {
		const rows = ['A', 'A', 'B'].map((SKU) => ({ name: 'Glow Serum', SKU }));
		const sandbox = await sandboxWith();
		const done = await runLoop(sandbox, rows, keyed('=spring-{{ $json.SKU }}'));
		const [one, two, three] = done.all('id', 'Loop', 0, 3);
		expect([two === one, three === one]).toEqual([true, false]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('for passes with the same Order Key and other values, as the service is asked', async () => {
		const rows = ['Cooks', 'Runners'].map((audience) => ({ name: 'Glow Serum', audience }));
		const sandbox = await sandboxWith();
		await runLoop(sandbox, rows, keyed('spring', { audience: '={{ $json.audience }}' }));
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('an execution pays for each', () => {
	it('of equal items, and of passes of a loop', async () => {
		const same = [{ name: 'Mask' }, { name: 'Mask' }];
		const { sandbox } = await ran(same, create());
		expect(sandbox.createdCount()).toBe(2);
		const done = await runLoop(sandbox, same, create({ waitUntilReady: true }));
		expect(new Set(done.all('id', 'Loop', 0, 2)).size).toBe(2);
		expect(sandbox.createdCount()).toBe(4);
	});
});

describe('an order in doubt', () => {
	it('is paid for once if its key is pasted from the message into the next run', async () => {
		const sandbox = await sandboxThatFails(silent);
		const { error } = await runNode(sandbox, products(1), create());
		expect(error.message).toMatch(/may have been created or not/);
		expect(error.description).toMatch(/under Additional Fields, for this item alone/);
		const done = await runNode(sandbox, products(1), keyed(keyIn(error.description)!));
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(sandbox.createdCount()).toBe(1);
	});

	it('shows its key on the error output too', async () => {
		const sandbox = await sandboxThatFails(silent);
		const node = create({ onError: 'continueRegularOutput' });
		const [item] = (await runNode(sandbox, products(1), node)).json('Create');
		expect(item!['code']).toBe('in_doubt');
		expect(sandbox.briefs()[0]!.idempotencyKeys).toEqual([keyIn(item!['message'])]);
	});

	it('names the Order Key that was given, which the next run has as well', async () => {
		const sandbox = await sandboxThatFails(silent);
		const node = keyed('={{ "spring-" + $json.name }}');
		const { error } = await runNode(sandbox, products(1), node);
		expect(error.description).toContain('Its key is spring-Glow Serum No. 1, which you gave');
		await runNode(sandbox, products(1), node);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('is also one whose first try the service says is still at work', async () => {
		const fault = { kind: '5xx', status: 409, operation: 'create_brief', times: 9 } as const;
		const sandbox = await sandboxThatFails(fault);
		const { error } = await runNode(sandbox, products(1), create());
		expect(error.message).toMatch(/already in use for another request \(409\)/);
		const sent = sandbox.requests.find(({ operation }) => operation === 'create_brief');
		expect(keyIn(error.description)).toBe(sent!.idempotencyKey);
	});

	it('is none of which no brief can have come: no key is named', async () => {
		const { done } = await ran(products(1), create(), { allowance: 0 });
		expect(done.error.description).not.toMatch(/key/i);
	});
});

describe('a later execution', () => {
	it.each([
		['pays again', '', 4],
		['pays once with an Order Key', '={{ "spring-" + $json.name }}', 2],
	])('%s after one that was ended in the middle', async (_, idempotencyKey, paid) => {
		const sandbox = await sandboxWith();
		const additionalFields = idempotencyKey === '' ? {} : { idempotencyKey };
		const node = create({ waitUntilReady: true, additionalFields });
		const ended = startNode(sandbox, products(2), node);
		await until(() => sandbox.createdCount() === 2);
		ended.stop();
		expect((await ended.ended).status).toBe('canceled');
		expect((await runNode(sandbox, products(2), node)).status).toBe('success');
		expect(sandbox.createdCount()).toBe(paid);
	});

	it('gives the same brief for the same Order Key, and a new one without', async () => {
		const node = keyed('={{ $json.row }}');
		const items = [{ name: 'Glow Serum', row: 17 }];
		const { sandbox, done } = await ran(items, node);
		expect(ids(await runNode(sandbox, items, node))).toEqual(ids(done));
		expect(sandbox.createdCount()).toBe(1);
		await runNode(sandbox, items, create());
		await runNode(sandbox, items, create({ options: { timeout: 1 } }));
		expect(sandbox.createdCount()).toBe(3);
	});
});

describe('an Order Key that belongs to another brief', () => {
	const node = (settings = {}) => ({ ...keyed('={{ $json.row }}'), ...settings });

	it.each([
		[
			'original',
			/^The Order Key “2” belongs to another brief: Brief .* \(“Glow Serum”\) \[item 0\]$/,
		],
		['conflict', /^The idempotency key is already in use/],
		['unprocessable', /^The idempotency key is already in use/],
	] as const)('is an error if the service answers: %s', async (replayOtherBody, message) => {
		const first = await ran([{ name: 'Glow Serum', row: 2 }], node(), { replayOtherBody });
		const { error } = await runNode(first.sandbox, [{ name: 'Night Cream', row: 2 }], node());
		expect(error.message).toMatch(message);
		const cure = /a key that no other row of any sheet has|before you create it again/;
		expect(error.description).toMatch(cure);
		expect(first.sandbox.createdCount()).toBe(1);
	});

	it('goes to the error output, and the other items are ordered', async () => {
		const { sandbox } = await ran([{ name: 'Glow Serum', row: 2 }], node());
		const items = [
			{ name: 'Night Cream', row: 2 },
			{ name: 'Day Cream', row: 3 },
		];
		const done = await runNode(sandbox, items, node({ onError: 'continueErrorOutput' }));
		expect(done.all('product_name', 'Create', 0)).toEqual(['Day Cream']);
		expect(done.all('error', 'Create', 1)).toEqual([says(/“2” belongs to another brief/)]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('is noticed by the input too if the product is the same', async () => {
		const asked = (audience: string) => keyed('launch', { audience });
		const { sandbox } = await ran(products(1), asked('Runners'));
		const { error } = await runNode(sandbox, products(1), asked('Cooks'));
		expect(error.message).toMatch(/“launch” belongs to another brief/);
		expect(error.description).toMatch(
			/for another product or with other values.*a new brief, which is paid for, change/,
		);
		expect((await runNode(sandbox, products(1), asked('Runners'))).status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	});

	it('leaves a brief in doubt if nobody gave the key', async () => {
		const sandbox = await sandboxWith();
		// The key that the node makes in the execution after the next.
		const execution = Number(additionalDataFor(sandbox).executionId) + 2;
		const input = canonical({ product_name: 'Glow Serum' });
		const key = uuidFrom('n8n', 'wf', String(execution), 'id of Create', '0', '0', input);
		await runNode(sandbox, [{ name: 'Night Cream' }], keyed(key));
		const { error } = await runNode(sandbox, [{ name: 'Glow Serum' }], create());
		expect(error.message).toMatch(
			`The service answered with another brief: Brief ${idsIn(sandbox)[0]} (“Night Cream”) [item 0]`,
		);
		expect(error.description).toMatch(/own brief may or may not have been created/);
		expect(error.description).toContain(`Its key is ${key}: to run it again, put that into`);
	});
});

describe('Retry in the list of executions', () => {
	const fails: Fault = { kind: '5xx', status: 401, operation: 'create_brief', skip: 1 };

	it.each([{}, { keyMemoryMs: 1 }])(
		'has the briefs of the execution that failed, and so has a Retry of the Retry: %j',
		async (options) => {
			const sandbox = await sandboxThatFails(fails, options);
			const failed = await runNode(sandbox, products(3), create());
			sandbox.faults.add(fails);
			const again = await retry(sandbox, failed, products(3), create());
			expect(again.error.description).toMatch(/Retry in the list of executions gives the same/);
			const done = await retry(sandbox, again, products(3), create());
			expect(ids(done)).toEqual(idsIn(sandbox));
			expect(sandbox.createdCount()).toBe(3);
		},
	);

	it('sends an order in doubt with the same key', async () => {
		const sandbox = await sandboxThatFails(silent);
		const failed = await runNode(sandbox, products(1), create());
		const done = await retry(sandbox, failed, products(1), create());
		expect(ids(done)).toEqual(idsIn(sandbox));
		expect(sandbox.createdCount()).toBe(1);
	});

	it('orders in the workspace of the credential as it is now', async () => {
		const { sandbox, done: failed } = await ran(products(2), create(), { allowance: 1 });
		const now = await sandboxWith({ seed: 2 });
		const done = await retry(now, failed, products(2), create());
		expect(ids(done)).toEqual(idsIn(now));
		expect([sandbox.createdCount(), now.createdCount()]).toEqual([1, 2]);
	});

	it('orders what the failed execution never came to', async () => {
		const order = create({ productName: 'Glow Serum' });
		const { sandbox, done: failed } = await ran([{ id: 'none' }], [wait(), order]);
		expect(failed.runs('Create')).toEqual([]);
		const corrected = [{ name: 'Wait', type: 'pass' }, order];
		const done = await retry(sandbox, failed, [{ id: 'none' }], corrected);
		expect(done.all('status', 'Create')).toEqual(['queued']);
	});

	it('of an execution that was killed orders only what has an Order Key, and says why', async () => {
		const sandbox = await sandboxWith();
		const ran = async (node: ReturnType<typeof create>) =>
			await runNode(sandbox, products(1), node, 'retry');
		const refused = await ran(create({ onError: 'continueRegularOutput' }));
		expect(refused.json('Create')).toMatchObject([
			{ code: 'in_doubt', error: says(/^n8n kept nothing of/) },
		]);
		const { error } = await ran(create());
		expect(error.description).toMatch(/Get Many.*Order Key.*Nothing was sent/);
		const done = await ran(keyed('={{ "A1 " + $json.name }}'));
		expect(done.all('status', 'Create')).toEqual(['queued']);
		expect(sandbox.createdCount()).toBe(1);
	});
});

describe('executed by hand, again and again', () => {
	const byHand = async (sandbox: Sandbox, items: object[], given = {}) =>
		await runNode(sandbox, items, create(given), 'manual');
	const shift = (minutes: number) => {
		jest.spyOn(clock, 'now').mockImplementation(() => Date.now() + minutes * 60_000);
	};
	afterEach(() => jest.restoreAllMocks());

	it('gives the same briefs for the same values, although both slots are taken, and says so', async () => {
		const sandbox = await sandboxWith({ speed: 1 });
		const first = await byHand(sandbox, products(2));
		expect(first.hints('Create')[0]).toMatch(/again within an hour.*costs nothing/);
		const again = await byHand(sandbox, products(2), { simplify: false, options: { timeout: 5 } });
		expect(ids(again)).toEqual(ids(first));
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
		expect(again.hints('Create')[0]).toMatch(
			/^Same values as at \d\d:\d\d: the same 2 briefs, nothing paid\. For a new.*change a value or/,
		);
	});

	it('orders a new one for another value or Order Key, an hour later, and if the workflow starts otherwise', async () => {
		const sandbox = await sandboxWith();
		const item = [{ name: 'Night Cream' }];
		const [first] = ids(await byHand(sandbox, item));
		const others = [
			await byHand(sandbox, [{ name: 'Day Cream' }]),
			await byHand(sandbox, item, { additionalFields: { audience: 'Cooks' } }),
			await byHand(sandbox, item, { additionalFields: { idempotencyKey: 'second' } }),
			await runNode(sandbox, item, create()),
		];
		shift(58);
		expect(ids(await byHand(sandbox, item))).toEqual([first]);
		shift(61);
		others.push(await byHand(sandbox, item));
		expect(new Set([first, ...others.flatMap(ids)]).size).toBe(6);
		expect(sandbox.createdCount()).toBe(6);
	});

	it('sends an order in doubt with the key that it had', async () => {
		const sandbox = await sandboxThatFails(silent);
		const doubtful = await byHand(sandbox, [{ name: 'Hand Balm' }]);
		expect(doubtful.error.description).toMatch(/executed again with the same values/);
		shift(50);
		await byHand(sandbox, [{ name: 'Hand Balm' }]);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('orders in another workspace what only the first one has', async () => {
		const [one, two] = [await sandboxWith({ seed: 1 }), await sandboxWith({ seed: 2 })];
		await byHand(one, [{ name: 'Foot Balm' }]);
		const done = await byHand(two, [{ name: 'Foot Balm' }]);
		expect(ids(done)).toEqual(idsIn(two));
		expect(done.hints('Create').join()).not.toContain('nothing paid');
	});
});
