import { BinaryDataService } from 'n8n-core';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import { runNode, startNode } from '../support/engine/engine';
import {
	create,
	later,
	products,
	ran,
	requestsOf,
	sandboxWith,
	says,
	targetOf,
	until,
} from '../support/engine/fixtures';
import { laggingTarget } from '../support/engine/lagging';

const stop = (more = {}) => create({ options: { whenSlotsBusy: 'stop' }, ...more });
const operationsOf = (sandbox: Sandbox) => sandbox.requests.map(({ operation }) => operation);
const idsIn = (sandbox: Sandbox) => sandbox.briefs().map(({ id }) => id);

/** A workspace whose slots are taken for longer than a test. */
async function busySandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await sandboxWith(options);
	takeSlots(sandbox);
	return sandbox;
}

function takeSlots(sandbox: Sandbox): void {
	for (let slot = 0; slot < 2; slot += 1) sandbox.addBrief({ durationMs: 99_000_000 });
}

describe('a hard stop', () => {
	it('names the briefs that were created, and the month in which the allowance starts again', async () => {
		const options = { allowance: 2, startAt: Date.UTC(2026, 10, 12) };
		const { sandbox, done } = await ran(products(4), create(), options);
		const [one, two] = idsIn(sandbox);
		expect(done.status).toBe('error');
		expect(done.error.message).toBe('The month’s allowance of briefs is used up [item 2]');
		const [next, created] = done.error.description!.split('Already created in this run:');
		expect(next).toContain('1 December 2026');
		expect(created).toContain(`${one} (“Glow Serum No. 1”)`);
		expect(created).toContain(two);
		expect(done.error.httpCode).toBe('429');
		expect(requestsOf(sandbox, 'create_brief')).toBe(3);
	});

	it.each<SandboxOptions>([
		{},
		{ rateLimitHeaders: 'draft-10', retryAfter: 'date' },
		{ rateLimitHeaders: 'none' },
	])('is told from other limits if all have one code: %j', async (options) => {
		const given = { allowance: 1, errorCodes: 'generic', ...options } as const;
		const { sandbox, done } = await ran(products(2), create(), given);
		expect(done.error.message).toMatch(/allowance of briefs is used up/);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('sends nothing more if On Error continues either, and says so on each item', async () => {
		const node = create({ onError: 'continueErrorOutput' });
		const { sandbox, done } = await ran(products(4), node, { allowance: 1 });
		expect(done.json('Create', 0)).toHaveLength(1);
		expect(done.json('Create', 1)).toHaveLength(3);
		expect(done.json('Create', 1)[1]).toMatchObject({
			name: 'Glow Serum No. 3',
			error: says(/^Not sent, because of an earlier item: .*used up \[item 2\]$/),
			code: 'allowance_used_up',
		});
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it.each([
		['revoked', 401, /API key was refused/],
		['readOnly', 403, /lacks the scope creator-briefs:execute/],
		['noLicence', 403, /Business licence/],
	] as const)('tells the key %s apart', async (key, status, message) => {
		const sandbox = await sandboxWith();
		const { error } = await runNode(targetOf(sandbox, key), products(2), create());
		expect(error.message).toMatch(message);
		expect(error.httpCode).toBe(String(status));
		expect(sandbox.createdCount()).toBe(0);
	});

	it('comes at once if nothing answers at the address', async () => {
		const started = Date.now();
		const nowhere = { url: 'http://127.0.0.1:9/v1', key: 'k' };
		const { error } = await runNode(nowhere, products(1), create());
		expect(error.message).toMatch(/could not be reached/);
		expect(error.description).toMatch(/^Check the Base URL .* are in the credential/);
		expect(Date.now() - started).toBeLessThan(2_000);
	});
});

describe('When Slots Are Busy on Stop', () => {
	it('stops at once, and says what runs, what was created and how to wait', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 9_000_000 });
		const { error } = await runNode(sandbox, products(3), stop());
		expect(error.message).toMatch(/^Both slots are taken.*\[item 1\]$/);
		for (const id of idsIn(sandbox)) {
			expect(error.description).toMatch(new RegExp(`^Running: .*${id}.* since 2.* Run it again`));
		}
		expect(error.description).toContain(
			"set the option 'When Slots Are Busy' to 'Wait for a Free Slot'. Already created in this run:",
		);
		expect([sandbox.createdCount(), requestsOf(sandbox, 'create_brief')]).toEqual([1, 1]);
	});

	it('names the briefs of an earlier try too if Retry On Fail comes less far', async () => {
		const node = stop({ retryOnFail: true, maxTries: 2, waitBetweenTries: 10 });
		// Briefs run for longer than the test.
		const { sandbox, done } = await ran(products(3), node, { speed: 1 });
		expect(done.error.message).toMatch(/^Both slots are taken.*\[item 2\]$/);
		expect(idsIn(sandbox)).toHaveLength(2);
		for (const id of idsIn(sandbox)) expect(done.error.description).toContain(id);
	});

	it('stops after the first look, whatever the poll interval, and has a code for it', async () => {
		const sandbox = await busySandbox();
		const options = { whenSlotsBusy: 'stop', pollInterval: 600 };
		const node = create({ options, onError: 'continueErrorOutput' });
		const done = await runNode(sandbox, [{ name: 'x' }, { name: 'Mask' }], node);
		expect(done.all('code', 'Create', 1)).toEqual(['invalid_input', 'slots_busy']);
		expect(operationsOf(sandbox)).toEqual(['list_briefs']);
	});

	it.each(['bare-400', 'bare-403', 'bare-409', 'bare-422'] as const)(
		'stops also if others take both slots first, and a third brief meets %s',
		async (thirdBrief) => {
			const sandbox = await sandboxWith({ thirdBrief });
			const takenFirst = () => takeSlots(sandbox);
			const target = await laggingTarget(sandbox, () => undefined, takenFirst);
			const { error } = await runNode(target, products(1), stop());
			expect(error.message).toMatch(/^Both slots are taken/);
			expect(sandbox.createdCount()).toBe(0);
		},
	);
});

describe('a wait for a slot', () => {
	const impatient = (timeout: number, more = {}) => create({ options: { timeout }, ...more });

	it('ends at the timeout, and names what runs', async () => {
		const sandbox = await busySandbox();
		const { error } = await runNode(sandbox, products(1), impatient(0.03));
		expect(error.message).toBe('No slot became free within 0.03 minutes [item 0]');
		for (const id of idsIn(sandbox)) expect(error.description).toContain(id);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('is reported as a rate limit if that keeps the slots from being looked at until the timeout', async () => {
		const sandbox = await busySandbox();
		sandbox.faults.add({ kind: '429', operation: 'list_briefs', skip: 1, retryAfter: 60 });
		const node = impatient(0.02, { onError: 'continueErrorOutput' });
		const done = await runNode(sandbox, products(2), node);
		expect(done.all('code', 'Create', 1)).toEqual(['rate_limited', 'rate_limited']);
		expect(done.json('Create', 1)[0]!['error']).toMatch(/asked to slow down/);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('names the orders that were stopped before their answer if those hold the slots', async () => {
		const sandbox = await sandboxWith({ speed: 10 });
		sandbox.faults.add({ kind: 'slow', delayMs: 60_000, operation: 'create_brief', times: 2 });
		for (const sent of [1, 2]) {
			const execution = startNode(sandbox, [{ name: `Soap ${sent}` }], create());
			await until(() => requestsOf(sandbox, 'create_brief') === sent);
			execution.stop();
			await execution.ended;
		}
		const { error } = await runNode(sandbox, [{ name: 'Mask' }], impatient(0.03));
		expect(error.message).toMatch(/^No slot became free/);
		expect(error.description).toMatch(/got no answer.* until 20\d\d-/);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('ends at once with Stop, and asks nothing more', async () => {
		const sandbox = await busySandbox();
		const execution = startNode(sandbox, products(2), create());
		await until(() => sandbox.requests.length > 2);
		execution.stop();
		const stoppedAt = Date.now();
		expect((await execution.ended).status).toBe('canceled');
		expect(Date.now() - stoppedAt).toBeLessThan(1_000);
		const requests = sandbox.requests.length;
		await later(300);
		expect(sandbox.requests.length - requests).toBeLessThanOrEqual(1);
		expect(sandbox.createdCount()).toBe(0);
	});
});

describe('limits of the service', () => {
	it.each<SandboxOptions>([
		{ errorCodes: 'specific', rateLimitHeaders: 'draft-03' },
		{ errorCodes: 'generic', rateLimitHeaders: 'draft-10' },
		{ errorCodes: 'generic', rateLimitHeaders: 'none', retryAfter: 'date' },
	])('are waited out as told: %j', async (options) => {
		const sandbox = await sandboxWith(options);
		sandbox.faults.add({ kind: '429', operation: 'list_briefs', retryAfter: 1 });
		sandbox.faults.add({ kind: '429', operation: 'create_brief', retryAfter: 1 });
		const started = Date.now();
		const done = await runNode(sandbox, products(1), create());
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
		expect(Date.now() - started).toBeGreaterThan(1_900);
	});

	it('and its failures are survived while waiting', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: '5xx', skip: 3, times: 2 });
		for (const kind of ['reset', 'html'] as const) sandbox.faults.add({ kind, skip: 1 });
		const done = await runNode(sandbox, products(2), create({ waitUntilReady: true }));
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
	});
});

describe('a brief that fails', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)', SKU: 'A-1' }];

	it('ends the run after all others are done, with all names', async () => {
		const { sandbox, done } = await ran(items, create({ waitUntilReady: true }));
		const [ready, failed] = sandbox.briefs();
		expect(ready!.status).toBe('ready');
		expect(done.error.message).toContain(
			`Brief ${failed!.id} (“Old Mask (discontinued)”) could not be written: product_unavailable [item 1]`,
		);
		const [cure, alive] = done.error.description!.split('Already created in this run:');
		expect(cure).not.toMatch(/Order Key “/);
		expect(alive).toContain(ready!.id);
		expect(alive).not.toContain(failed!.id);
	});

	it('goes to the error output, and the others to the first', async () => {
		const node = create({ waitUntilReady: true, onError: 'continueErrorOutput' });
		const { done } = await ran(items, node);
		expect(done.all('status', 'Create', 0)).toEqual(['ready']);
		expect(done.json('Create', 1)).toMatchObject([
			{ ...items[1], error: says(/product_unavailable/), code: 'brief_failed' },
		]);
	});

	it('keeps its Order Key, so the message says to change that for a new one', async () => {
		const additionalFields = { idempotencyKey: '=spring-{{ $json.SKU }}' };
		const { done } = await ran([items[1]!], create({ waitUntilReady: true, additionalFields }));
		expect(done.error.description).toMatch(/change the Order Key “spring-A-1”/);
	});
});

it('a timeout says how to go on without paying again', async () => {
	const node = create({ waitUntilReady: true, options: { timeout: 0.003 } });
	const { sandbox, done } = await ran(products(1), node, { speed: 100 });
	expect(done.error.message).toMatch(/^Brief .* is still \w+ after 0.003 minutes \[item 0\]/);
	expect(done.error.description).toContain(`the ID ${idsIn(sandbox)[0]}: that costs nothing`);
});

describe.each(['stopWorkflow', 'continueRegularOutput'] as const)('with %s', (onError) => {
	it('a file that cannot be stored is an error with the IDs of what was paid for', async () => {
		const store = jest
			.spyOn(BinaryDataService.prototype, 'store')
			.mockRejectedValueOnce(new Error('The disk is full'));
		const node = create({ waitUntilReady: true, onError, options: { markdownFile: true } });
		const { sandbox, done } = await ran(products(2), node);
		store.mockRestore();
		const isStopped = onError === 'stopWorkflow';
		const shown = isStopped ? done.error.description : JSON.stringify(done.json('Create'));
		expect(idsIn(sandbox)).toHaveLength(2);
		for (const id of idsIn(sandbox)) expect(shown).toContain(id);
	});
});
