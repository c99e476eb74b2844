import { canonical, uuidFrom } from '../../service/key';
import { createBrief } from '../../service/order/create-brief';
import type { BriefSummary } from '../../service/resources';
import { create, products, requestsOf, sandboxWith, targetOf } from '../support/engine/fixtures';
import { additionalDataFor, runNode, startNode } from '../support/engine/engine';
import { laggingTarget } from '../support/engine/lagging';
import { BinaryDataService } from 'n8n-core';

jest.mock('../../service/order/create-brief', () => {
	const actual = jest.requireActual<object>('../../service/order/create-brief');
	return { ...actual, createBrief: jest.fn(actual['createBrief' as keyof object]) };
});

describe('a hard stop', () => {
	it('names the briefs that were created, and the month in which the allowance starts again', async () => {
		const sandbox = await sandboxWith({ allowance: 2, startAt: Date.UTC(2026, 10, 12) });
		const done = await runNode(targetOf(sandbox), products(4), create());
		const [one, two] = sandbox.briefs();
		expect(done.status).toBe('error');
		expect(done.error.message).toBe('The month’s allowance of briefs is used up [item 2]');
		expect(done.error.description).toContain('Already created in this run:');
		expect(done.error.description).toContain(two!.id);
		expect(done.error.description).toContain('1 December 2026');
		expect(done.error.description).toContain(`${one!.id} (“Glow Serum No. 1”)`);
		expect(done.error.httpCode).toBe('429');
		expect(requestsOf(sandbox, 'create_brief')).toBe(3);
	});

	it.each([
		[{ errorCodes: 'generic' }],
		[{ errorCodes: 'generic', rateLimitHeaders: 'draft-10', retryAfter: 'date' }],
		[{ errorCodes: 'generic', rateLimitHeaders: 'none' }],
	] as const)('is told from the other limits: %j', async (options) => {
		const sandbox = await sandboxWith({ allowance: 1, ...options });
		const done = await runNode(targetOf(sandbox), products(2), create());
		expect(done.error.message).toMatch(/allowance of briefs is used up/);
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('sends nothing more with Continue On Fail either, and says so on each item', async () => {
		const sandbox = await sandboxWith({ allowance: 1 });
		const done = await runNode(
			targetOf(sandbox),
			products(4),
			create({ onError: 'continueErrorOutput' }),
		);
		expect(done.json('Create', 0)).toHaveLength(1);
		expect(done.json('Create', 1)).toHaveLength(3);
		expect(done.json('Create', 1)[1]).toMatchObject({
			name: 'Glow Serum No. 3',
			error: expect.stringMatching(
				/^Not sent, because of an earlier item: .*used up \[item 2\]$/,
			) as string,
			code: 'allowance_used_up',
		});
		expect(requestsOf(sandbox, 'create_brief')).toBe(2);
	});

	it('comes at once with When Slots Are Busy on Stop', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 900_000 });
		const done = await runNode(
			targetOf(sandbox),
			products(3),
			create({ options: { whenSlotsBusy: 'stop' } }),
		);
		expect(done.error.message).toMatch(/^Both slots are taken.*\[item 1\]$/);
		for (const { id } of sandbox.briefs()) {
			expect(done.error.description).toMatch(
				new RegExp(`^Running: .*${id}.* since 2.* Run it again`),
			);
		}
		expect(done.error.description).toContain(
			"set the option 'When Slots Are Busy' to 'Wait for a Free Slot'. Already created in this run:",
		);
		expect(sandbox.createdCount()).toBe(1);
		expect(requestsOf(sandbox, 'create_brief')).toBe(1);
	});

	it('names the briefs of an earlier try too, where Retry On Fail comes less far', async () => {
		// Briefs run for longer than the test.
		const sandbox = await sandboxWith({ speed: 1 });
		const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
		const stopping = create({ options: { whenSlotsBusy: 'stop' }, ...retrying });
		const done = await runNode(targetOf(sandbox), products(3), stopping);
		expect(done.error.message).toMatch(/^Both slots are taken.*\[item 2\]$/);
		const ids = sandbox.briefs().map(({ id }) => id);
		expect(ids).toHaveLength(2);
		for (const id of ids) expect(done.error.description).toContain(id);
	}, 20_000);

	it('comes with Stop after the first look, whatever the poll interval, and says busy in a word', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.addBrief({ durationMs: 9_000_000 });
		const options = { whenSlotsBusy: 'stop', pollInterval: 600 };
		const stop = create({ options, onError: 'continueErrorOutput' });
		const started = Date.now();
		const done = await runNode(targetOf(sandbox), [{ name: 'x' }, { name: 'Mask' }], stop);
		expect(Date.now() - started).toBeLessThan(2_000);
		expect(done.json('Create', 1).map(({ code }) => code)).toEqual(['invalid_input', 'slots_busy']);
		expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['list_briefs']);
	});

	it.each(['bare-400', 'bare-403', 'bare-409', 'bare-422'] as const)(
		'comes with Stop also where others take both slots first, and a third brief meets %s',
		async (thirdBrief) => {
			const sandbox = await sandboxWith({ thirdBrief });
			const target = await laggingTarget(
				sandbox,
				() => undefined,
				() => {
					sandbox.addBrief({ durationMs: 900_000 });
					sandbox.addBrief({ durationMs: 900_000 });
				},
			);
			const stop = create({ options: { whenSlotsBusy: 'stop' } });
			const done = await runNode(target, products(1), stop);
			expect(done.error.message).toMatch(/^Both slots are taken/);
			expect(sandbox.createdCount()).toBe(0);
		},
	);

	it('comes at the timeout where no slot comes free', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.addBrief({ durationMs: 9_000_000 });
		const done = await runNode(
			targetOf(sandbox),
			products(1),
			create({ options: { timeout: 0.01 } }),
		);
		expect(done.error.message).toBe('No slot became free within 0.01 minutes [item 0]');
		for (const { id } of sandbox.briefs()) expect(done.error.description).toContain(id);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('is told as a rate limit where that keeps the slots from being looked at until the timeout', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.faults.add({ kind: '429', operation: 'list_briefs', skip: 1, retryAfter: 60 });
		const impatient = create({ options: { timeout: 0.02 }, onError: 'continueErrorOutput' });
		const done = await runNode(targetOf(sandbox), products(2), impatient);
		const codes = done.json('Create', 1).map(({ code }) => code);
		expect(codes).toEqual(['rate_limited', 'rate_limited']);
		expect(done.json('Create', 1)[0]!['error']).toMatch(/asked to slow down/);
		expect(sandbox.createdCount()).toBe(0);
	});

	it('names the orders that were stopped before their answer, where those hold the slots', async () => {
		const sandbox = await sandboxWith({ speed: 10 });
		sandbox.faults.add({ kind: 'slow', delayMs: 60_000, operation: 'create_brief', times: 2 });
		for (const product of products(2)) {
			const sent = requestsOf(sandbox, 'create_brief');
			const execution = startNode(targetOf(sandbox), [product], create());
			while (requestsOf(sandbox, 'create_brief') === sent) {
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
			execution.stop();
			await execution.ended;
		}
		const impatient = create({ options: { timeout: 0.01 } });
		const done = await runNode(targetOf(sandbox), [{ name: 'Mask' }], impatient);
		expect(done.error.message).toMatch(/^No slot became free/);
		expect(done.error.description).toMatch(/got no answer.* until 20\d\d-/);
		expect(sandbox.createdCount()).toBe(0);
	}, 20_000);

	it.each([
		['revoked', 401, /API key was refused/],
		['readOnly', 403, /lacks the scope creator-briefs:execute/],
		['noLicence', 403, /Business licence/],
	] as const)('tells the key %s apart', async (key, status, message) => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox, key), products(2), create());
		expect(done.error.message).toMatch(message);
		expect(done.error.httpCode).toBe(String(status));
		expect(sandbox.createdCount()).toBe(0);
	});

	it('comes at once where nothing answers at the address', async () => {
		const started = Date.now();
		const done = await runNode({ url: 'http://127.0.0.1:9/v1', key: 'k' }, products(1), create());
		expect(done.error.message).toMatch(/could not be reached/);
		expect(done.error.description).toMatch(/^Check the Base URL .* are in the credential/);
		expect(Date.now() - started).toBeLessThan(2_000);
	});
});

describe('limits of the service', () => {
	it.each([
		[{ errorCodes: 'specific', rateLimitHeaders: 'draft-03' }],
		[{ errorCodes: 'generic', rateLimitHeaders: 'draft-10' }],
		[{ errorCodes: 'generic', rateLimitHeaders: 'none', retryAfter: 'date' }],
	] as const)(
		'are waited out as told: %j',
		async (options) => {
			const sandbox = await sandboxWith(options);
			sandbox.faults.add({ kind: '429', times: 2, retryAfter: 1 });
			sandbox.faults.add({ kind: '429', operation: 'create_brief', retryAfter: 1 });
			const started = Date.now();
			const done = await runNode(targetOf(sandbox), products(1), create());
			expect(done.status).toBe('success');
			expect(sandbox.createdCount()).toBe(1);
			expect(Date.now() - started).toBeGreaterThan(1_900);
		},
		15_000,
	);

	it('and its failures are survived while waiting', async () => {
		const sandbox = await sandboxWith();
		sandbox.faults.add({ kind: '5xx', skip: 3, times: 2 });
		sandbox.faults.add({ kind: 'reset', skip: 1, times: 1 });
		sandbox.faults.add({ kind: 'html', skip: 1, times: 1 });
		const done = await runNode(targetOf(sandbox), products(2), create({ waitUntilReady: true }));
		expect(done.status).toBe('success');
		expect(sandbox.createdCount()).toBe(2);
	}, 15_000);
});

describe('a brief that fails', () => {
	const items = [{ name: 'Glow Serum' }, { name: 'Old Mask (discontinued)' }];

	it('ends the run after all others are done, with all names', async () => {
		const sandbox = await sandboxWith();
		const done = await runNode(targetOf(sandbox), items, create({ waitUntilReady: true }));
		const [ready, failed] = sandbox.briefs();
		expect(ready!.status).toBe('ready');
		expect(done.error.message).toContain(
			`Brief ${failed!.id} (“Old Mask (discontinued)”) could not be written: product_unavailable [item 1]`,
		);
		const [, alive] = done.error.description!.split('Already created in this run:');
		expect(alive).toContain(ready!.id);
		expect(alive).not.toContain(failed!.id);
	});

	it('goes to the error output, and the others to the first', async () => {
		const sandbox = await sandboxWith();
		const node = create({ waitUntilReady: true, onError: 'continueErrorOutput' });
		const done = await runNode(targetOf(sandbox), items, node);
		expect(done.json('Create', 0)).toMatchObject([{ status: 'ready' }]);
		expect(done.json('Create', 1)).toMatchObject([
			{
				name: 'Old Mask (discontinued)',
				error: expect.stringMatching(/product_unavailable/) as string,
				code: 'brief_failed',
			},
		]);
	});

	it('keeps its Order Key, so the message says to change that for a new one', async () => {
		const sandbox = await sandboxWith();
		const keyed = create({
			waitUntilReady: true,
			additionalFields: { idempotencyKey: '=spring-{{ $json.SKU }}' },
		});
		const old = [{ name: 'Old Mask (discontinued)', SKU: 'A-1' }];
		const done = await runNode(targetOf(sandbox), old, keyed);
		expect(done.error.message).toMatch(/could not be written/);
		expect(done.error.description).toMatch(/change the Order Key “spring-A-1”/);
		const unkeyed = await runNode(targetOf(sandbox), old, create({ waitUntilReady: true }));
		expect(unkeyed.error.description).not.toMatch(/Order Key “/);
	});

	it('says after a timeout how to go on without paying again', async () => {
		const sandbox = await sandboxWith();
		const node = create({ waitUntilReady: true, options: { timeout: 0.005 } });
		const done = await runNode(targetOf(sandbox), products(1), node);
		const [brief] = sandbox.briefs();
		expect(done.error.message).toMatch(/^Brief .* is still \w+ after 0.005 minutes \[item 0\]/);
		expect(done.error.description).toContain(`using the ID ${brief!.id}: that costs nothing`);
	});
});

describe('Stop', () => {
	it('ends a wait for a slot at once, and asks nothing more', async () => {
		const sandbox = await sandboxWith();
		sandbox.addBrief({ durationMs: 9_000_000 });
		sandbox.addBrief({ durationMs: 9_000_000 });
		const execution = startNode(targetOf(sandbox), products(2), create());
		await new Promise((resolve) => setTimeout(resolve, 300));
		execution.stop();
		const stoppedAt = Date.now();
		const done = await execution.ended;
		expect(done.status).toBe('canceled');
		expect(Date.now() - stoppedAt).toBeLessThan(1_000);
		const requests = sandbox.requests.length;
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect(sandbox.requests.length - requests).toBeLessThanOrEqual(1);
		expect(sandbox.createdCount()).toBe(0);
	});
});

describe('an Order Key that belongs to another brief', () => {
	const keyed = (settings: Parameters<typeof create>[0] = {}) =>
		create({ ...settings, additionalFields: { idempotencyKey: '={{ $json.row }}' } });

	it('is an error that names the key, the brief and the cure, and no success', async () => {
		const sandbox = await sandboxWith();
		await runNode(targetOf(sandbox), [{ name: 'Glow Serum', row: 2 }], keyed());
		const done = await runNode(targetOf(sandbox), [{ name: 'Night Cream', row: 2 }], keyed());
		const [first] = sandbox.briefs();
		expect(done.status).toBe('error');
		expect(done.error.message).toBe(
			`The Order Key “2” belongs to another brief: Brief ${first!.id} (“Glow Serum”) [item 0]`,
		);
		expect(done.error.description).toContain(
			'give each row a key that no other row of any sheet has',
		);
		expect(sandbox.createdCount()).toBe(1);
	});

	it('goes to the error output, and the other items are ordered', async () => {
		const sandbox = await sandboxWith();
		await runNode(targetOf(sandbox), [{ name: 'Glow Serum', row: 2 }], keyed());
		const done = await runNode(
			targetOf(sandbox),
			[
				{ name: 'Night Cream', row: 2 },
				{ name: 'Day Cream', row: 3 },
			],
			keyed({ onError: 'continueErrorOutput' }),
		);
		expect(done.json('Create', 0)).toMatchObject([{ product_name: 'Day Cream' }]);
		expect(done.json('Create', 1)).toMatchObject([
			{ error: expect.stringContaining('“2” belongs to another brief') as string },
		]);
		expect(sandbox.createdCount()).toBe(2);
	});

	it('is said to be of the same product, where only the values were changed since', async () => {
		const sandbox = await sandboxWith();
		const asked = (audience: string) =>
			create({ additionalFields: { idempotencyKey: 'launch', audience } });
		await runNode(targetOf(sandbox), [{ name: 'Glow Serum' }], asked('Runners'));
		const done = await runNode(targetOf(sandbox), [{ name: 'Glow Serum' }], asked('Cooks'));
		expect(done.error.description).toMatch(/same product but was ordered with different values/);
		expect(done.error.description).toMatch(/To get a new brief, which is paid for, change the key/);
	});

	it('is no key of his own to whoever gave none: his brief is in doubt', async () => {
		const sandbox = await sandboxWith();
		const target = targetOf(sandbox);
		// The key that the node makes in the execution after the next.
		const execution = Number(additionalDataFor(target).executionId) + 2;
		const input = canonical({ product_name: 'Glow Serum' });
		const key = uuidFrom('n8n', 'wf', String(execution), 'id of Create', '0', '0', input);
		const taken = create({ additionalFields: { idempotencyKey: key } });
		await runNode(target, [{ name: 'Night Cream' }], taken);
		const done = await runNode(target, [{ name: 'Glow Serum' }], create());
		const [first] = sandbox.briefs();
		expect(done.error.message).toBe(
			`The service answered with another brief: Brief ${first!.id} (“Night Cream”) [item 0]`,
		);
		expect(done.error.description).toMatch(/own brief may or may not have been created/);
		expect(done.error.description).toContain(`Its key is ${key}: to run it again, put that into`);
	});

	it('is told by the input as well, where product and key are the same', async () => {
		const sandbox = await sandboxWith();
		const asked = (audience: string) =>
			create({ additionalFields: { idempotencyKey: 'launch', audience } });
		await runNode(targetOf(sandbox), [{ name: 'Glow Serum' }], asked('Runners'));
		const done = await runNode(targetOf(sandbox), [{ name: 'Glow Serum' }], asked('Cooks'));
		expect(done.error.message).toContain('“launch” belongs to another brief');
		const same = await runNode(targetOf(sandbox), [{ name: 'Glow Serum' }], asked('Runners'));
		expect(same.status).toBe('success');
		expect(sandbox.createdCount()).toBe(1);
	});
});

/** An order whose brief only the list has shown: without its text. */
async function orderedBrief() {
	const sandbox = await sandboxWith();
	const { id } = sandbox.addBrief({ product_name: 'Glow Serum No. 1', durationMs: 9_000_000 });
	const now = new Date(sandbox.now()).toISOString();
	const listed: BriefSummary = {
		id,
		status: 'queued',
		product_name: 'Glow Serum No. 1',
		title: null,
		created_at: now,
		updated_at: now,
		finished_at: null,
		url: '',
	};
	jest.mocked(createBrief).mockResolvedValueOnce(listed);
	return { sandbox, id };
}

describe('a file that cannot be stored', () => {
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'is told with the IDs of what was paid for, with %s',
		async (onError) => {
			const sandbox = await sandboxWith();
			const store = jest
				.spyOn(BinaryDataService.prototype, 'store')
				.mockRejectedValueOnce(new Error('The disk is full'));
			const options = { markdownFile: true };
			const node = create({ waitUntilReady: true, onError, options });
			const done = await runNode(targetOf(sandbox), products(2), node);
			store.mockRestore();
			const shown =
				onError === 'stopWorkflow' ? done.error.description : JSON.stringify(done.json('Create'));
			const ids = sandbox.briefs().map(({ id }) => id);
			expect(ids).toHaveLength(2);
			for (const id of ids) expect(shown).toContain(id);
		},
		20_000,
	);
});

describe('Create whose brief only the list has shown', () => {
	it('reads the brief before it gives it out', async () => {
		const { sandbox, id } = await orderedBrief();
		const done = await runNode(targetOf(sandbox), products(1), create({ waitUntilReady: false }));
		expect(done.status).toBe('success');
		expect(done.json('Create', 0)[0]).toMatchObject({ id, markdown: null });
		expect(requestsOf(sandbox, 'get_brief')).toBe(1);
	});

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'says with %s, where it cannot be read, which brief was paid for and how to have it',
		async (onError) => {
			const { sandbox, id } = await orderedBrief();
			sandbox.faults.add({ kind: 'redirect', operation: 'get_brief', times: 100 });
			const done = await runNode(
				targetOf(sandbox),
				products(1),
				create({ waitUntilReady: false, onError }),
			);
			const [error, cure] =
				onError === 'stopWorkflow'
					? [done.error.message, done.error.description]
					: [done.json('Create', 0)[0]!['error'], done.json('Create', 0)[0]!['message']];
			expect(error).toMatch(new RegExp(`^Brief ${id} .*not as the service does`));
			expect(cure).toContain(
				`fetch it with the Get operation, using the ID ${id}: that costs nothing`,
			);
		},
	);
});
