import type { Fault } from '../../../sandbox/faults';
import { clock } from '../../../nodes/shared/node-clock';
import { runNode, type Target } from '../../support/engine/engine';
import {
	continuing,
	create,
	openService,
	retrying,
	runInSandbox,
	withErrorOutput,
} from '../../support/engine/fixtures';
import { makeProducts, matchText } from '../../support/values';

const CONTINUE =
	"To let the other items through, set 'On Error' in the node's settings to 'Continue'.";
const NOWHERE: Target = { url: 'http://127.0.0.1:9/v1', key: 'k' };
const failing = { name: 'Old Mask (discontinued)' };
const refused: Fault = { kind: '5xx', status: 400, operation: 'create_brief' };
/** Loses the answers to all attempts of an order. */
const lost: Fault = { kind: 'reset', operation: 'create_brief', times: 6 };

describe('an error with an error output', () => {
	const unlisted: Fault = { kind: '5xx', status: 404, operation: 'list_briefs', times: 99 };

	test.each<[string, string, RegExp, () => Promise<Target>]>([
		[
			'API key',
			'key_refused',
			/^API key refused/,
			async () => (await openService()).getTarget('revoked'),
		],
		['address', 'service_unavailable', /^Glow Serum/, () => Promise.resolve(NOWHERE)],
		['list', 'not_found', /^Glow Serum/, async () => (await openService({}, unlisted)).getTarget()],
	])('of the %s is an error item for each item', async (_, code, title, openTarget) => {
		const done = await runNode(await openTarget(), makeProducts(2), create(withErrorOutput));
		expect(done.json('Create', 0)).toEqual([]);
		expect(done.json('Create', 1)).toMatchObject(
			makeProducts(2).map((item) => ({ ...item, code, error: matchText(title) })),
		);
	});

	test('of a brief that fails is the error of its item, and the others are ordered', async () => {
		const node = create({ waitUntilReady: true, ...withErrorOutput });
		const { done } = await runInSandbox([{ ...failing, SKU: 'A-1' }, ...makeProducts(2)], node);
		expect(done.values('status', 'Create', 0)).toEqual(['ready', 'ready']);
		expect(done.json('Create', 1)).toMatchObject([
			{
				SKU: 'A-1',
				error: matchText(
					/^Old Mask \(discontinued\): the service could not write this brief: product_/,
				),
				code: 'brief_failed',
				error_code: 'product_unavailable',
			},
		]);
		expect(done.hints('Create')).toEqual([
			matchText(/^3 items: 2 briefs ordered, 1 failed, and paid \(see the code of each item\)\./),
		]);
	});
});

test.each([
	['refused', refused, 'invalid_input', '1 failed (see the code of each item)'],
	[
		'without an answer',
		lost,
		'unconfirmed',
		'1 without an answer (the brief might have been created)',
	],
])('an order that is %s concerns its item alone', async (_, fault, code, count) => {
	const { sandbox, done } = await runInSandbox(makeProducts(3), create(continuing), {}, fault);
	expect(done.values('code', 'Create')).toEqual([code, undefined, undefined]);
	expect(done.hints('Create')[0]).toContain(`3 items: 2 briefs ordered, ${count}.`);
	expect(sandbox.createdCount()).toBe(2);
});

describe('if On Error is Stop', () => {
	test('an item that fails before the first order ends the node, and nothing is ordered', async () => {
		const sandbox = await openService();
		sandbox.addBrief({ product_name: 'Lamp', status: 'failed' });
		const done = await runNode(sandbox, [...makeProducts(2), { name: 'Lamp' }], create());
		expect(done.error.message).toMatch(/^Lamp: the service could not write this brief/);
		expect(done.error.description).toContain(CONTINUE);
		expect(sandbox.createdCount()).toBe(0);
	});

	test('an order that is refused ends the node, and no further item is ordered', async () => {
		const fault = { ...refused, skip: 1 };
		const { sandbox, done } = await runInSandbox(makeProducts(3), create(), {}, fault);
		expect(done.error.message).toBe(
			'Glow Serum No. 2: the service refused the request as invalid (400) [item 1]',
		);
		expect(done.error.description).toContain(
			`These briefs are paid for, and are not lost: Brief ${sandbox.listIds()[0]} (“Glow Serum No. 1”). ${CONTINUE}`,
		);
		expect(sandbox.countRequests('create_brief')).toBe(2);
	});

	test('the message has no advice about other items if there are none, or if all fail', async () => {
		const { done } = await runInSandbox(makeProducts(1), create(), {}, refused);
		expect(done.error.description).not.toContain('other items');
		const target = (await openService()).getTarget('revoked');
		const { error } = await runNode(target, makeProducts(2), create());
		expect(error.description).not.toContain('other items');
	});

	test('a brief that fails ends the node, at most one more is ordered, and the polls end', async () => {
		const items = [failing, ...makeProducts(4)];
		const { sandbox, done } = await runInSandbox(items, create({ waitUntilReady: true }));
		expect(done.error.message).toMatch(/^Old Mask \(discontinued\): .*\[item 0\]$/);
		const [, ...others] = sandbox.listIds();
		for (const id of others) expect(done.error.description).toContain(id);
		expect(others.length).toBeLessThanOrEqual(2);
		expect(await sandbox.countLaterRequests()).toBe(0);
	});

	test('an address where nothing answers ends the node within half a minute', async () => {
		const startedAt = clock.now();
		const { error } = await runNode(NOWHERE, makeProducts(1), create());
		expect(error.message).toMatch(/^Glow Serum No. 1: the service cannot be reached/);
		expect(error.description).toMatch(/'Base URL' and 'API Key' are in the credential/);
		expect(clock.now() - startedAt).toBeLessThan(30_000);
	});
});

describe('an order without an answer', () => {
	const error =
		'Glow Serum No. 1: the order got no usable answer, so the brief might have been created';

	test('names how to continue without paying twice', async () => {
		const { done } = await runInSandbox(makeProducts(1), create(continuing), {}, lost);
		const message = matchText(/^Run it again with the same values: if the brief was created/);
		expect(done.json('Create')).toMatchObject([{ error, code: 'unconfirmed', message }]);
	});
});

describe('Retry On Fail', () => {
	const second: Fault = { ...lost, skip: 1 };

	test.each([
		['the same values', {}],
		[
			'terms of the moment',
			{ additionalFields: { campaignTerms: '={{ "As of " + $now.toMillis() }}' } },
		],
	])('orders each brief once: %s', async (_, settings) => {
		const node = create({ ...settings, ...retrying });
		const { sandbox, done } = await runInSandbox(makeProducts(2), node, { keyMemoryMs: 1 }, second);
		expect(done.values('id', 'Create')).toEqual(sandbox.listIds());
		expect(sandbox.createdCount()).toBe(2);
	});

	test('distinguishes briefs that an earlier try ordered from briefs that existed before', async () => {
		const sandbox = await openService({}, second);
		sandbox.addBrief({ product_name: 'Lamp', status: 'ready' });
		const items = ['Mug', 'Lamp', 'MUG', 'Soap'].map((name) => ({ name }));
		const done = await runNode(sandbox, items, create(retrying));
		expect(done.values('already_existed', 'Create')).toEqual([false, true, true, false]);
		expect(done.hints('Create')).toEqual([
			matchText(
				/^4 items: 2 briefs ordered, 1 already existed \(nothing paid\), 1 shares the brief of an earlier item\./,
			),
		]);
		expect(sandbox.createdCount()).toBe(2);
	});

	test('ends with an error that names the briefs of an earlier try', async () => {
		const refusedAgain: Fault = { ...refused, skip: 1, times: 3 };
		const { sandbox, done } = await runInSandbox(
			makeProducts(2),
			create(retrying),
			{},
			refusedAgain,
		);
		expect(sandbox.createdCount()).toBe(1);
		expect(done.error.description).toContain(sandbox.listIds()[0]);
	});

	test('gives its advice once', async () => {
		const node = create(retrying);
		const { done } = await runInSandbox([{ name: 'x' }, ...makeProducts(1)], node);
		expect(done.error.description!.split(CONTINUE)).toHaveLength(2);
	});

	test('does not repeat an order for a brief that has failed', async () => {
		const node = create({ waitUntilReady: true, ...retrying });
		const { sandbox, done } = await runInSandbox([failing], node);
		expect(done.error.message).toMatch(/^Old Mask \(discontinued\): the service could not write/);
		expect(sandbox.createdCount()).toBe(1);
	});
});
