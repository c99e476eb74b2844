import { says } from '../support/engine/fixtures';
import {
	addFinished,
	bothEvents,
	getIds,
	onBriefs,
	onHooks,
	openStillSandbox,
	pass,
	publish,
} from '../support/engine/triggers';
import { DAY, MINUTE } from '../support/time';

describe('the parameters of Brief Finished', () => {
	it.each(['ready', 'failed'] as const)(
		'start the workflow only for %s briefs when Briefs is set to them',
		async (outcome) => {
			const { sandbox, trigger } = await publish(onBriefs, { outcome });
			const ended = {
				ready: addFinished(sandbox, 'ready'),
				failed: addFinished(sandbox, 'failed'),
			};
			expect(await getIds(trigger.poll())).toEqual([ended[outcome]]);
			addFinished(sandbox, outcome === 'ready' ? 'failed' : 'ready');
			expect(await trigger.poll()).toBeNull();
			expect(await trigger.activate('init')).toBeNull();
			expect((await trigger.test())!.map(({ json }) => json['status'])).toEqual([outcome]);
		},
	);

	it('add the text as a file when Markdown as File is on', async () => {
		const options = { markdownFile: true, outputDataFieldName: 'brief' };
		const { sandbox, trigger } = await publish(onBriefs, { options });
		addFinished(sandbox, 'failed');
		addFinished(sandbox);
		const items = (await trigger.poll())!;
		const [failed, ready] = ['failed', 'ready'].map((status) =>
			items.find(({ json }) => json['status'] === status),
		);
		expect(failed).not.toHaveProperty('binary');
		const { data, mimeType, fileName } = ready!.binary!['brief']!;
		expect(Buffer.from(data, 'base64').toString()).toBe(ready!.json['markdown']);
		expect([mimeType, fileName]).toEqual(['text/markdown', says(/^.+-[0-9a-f]{8}\.md$/)]);
	});
});

describe('two polls at the same time', () => {
	it.each(bothEvents)('return %s once when they are of one node', async (_name, on) => {
		const { sandbox, trigger } = await publish(on);
		for (const poll of [() => trigger.poll(), () => trigger.pollDurably()]) {
			sandbox.advance(DAY);
			addFinished(sandbox);
			const both = await Promise.all([poll(), poll()]);
			expect(both.filter((items) => items !== null)).toHaveLength(1);
		}
	});

	it('return hooks each when they are of two nodes', async () => {
		const sandbox = await openStillSandbox();
		const triggers = [onHooks(sandbox), onHooks(sandbox)];
		for (const trigger of triggers) await trigger.activate();
		sandbox.advance(DAY);
		const both = await Promise.all(triggers.map((trigger) => trigger.poll()));
		expect(both.map((items) => items?.length)).toEqual([30, 30]);
	});
});

describe('the service is polled', () => {
	it.each([
		['every 15 minutes, however often n8n polls', 'poll', 24 * 60, 96],
		['every 15 minutes by polls of the durable schedule, too', 'pollDurably', 60, 4],
	] as const)('for hooks %s', async (_, poll, minutes, times) => {
		const { trigger, countNewRequests } = await publish(onHooks, { options: {} });
		for (let minute = 0; minute < minutes; minute += 1) {
			pass(1);
			await trigger[poll]();
		}
		expect(countNewRequests()).toBe(times);
	});

	it('as often as Check at Most Every permits, and at once by an activation and a test', async () => {
		const { trigger, countNewRequests } = await publish(onHooks, {
			options: { checkInterval: 60 },
		});
		pass(50);
		expect([await trigger.poll(), countNewRequests()]).toEqual([null, 0]);
		await trigger.test();
		expect(countNewRequests()).toBe(1);
		await trigger.activate('init');
		expect(countNewRequests()).toBe(1);
		// n8n starts a poll some seconds early or late.
		pass(59.9);
		await trigger.poll();
		expect(countNewRequests()).toBe(1);
	});

	it.each([
		['hooks', onHooks, 'list_hooks'],
		['briefs', onBriefs, 'list_briefs'],
	] as const)('for %s after its Retry-After of twenty days', async (_name, on, operation) => {
		const { sandbox, trigger, countNewRequests } = await publish(on);
		sandbox.faults.add({ kind: '429', operation, retryAfter: 20 * 86_400 });
		await trigger.poll().catch(() => null);
		for (let poll = 0; poll < 4; poll += 1) {
			pass(24 * 60);
			expect(await trigger.poll()).toBeNull();
		}
		expect(countNewRequests()).toBe(1);
		pass(16 * 24 * 60);
		await trigger.poll();
		expect(countNewRequests()).toBe(1);
	});

	it('at once by an activation after the allowance was used up', async () => {
		const sandbox = await openStillSandbox();
		const trigger = onHooks(sandbox);
		await trigger.activate();
		const nextMonth = Date.UTC(2026, 11, 1);
		const retryAfter = (nextMonth - sandbox.now()) / 1000;
		sandbox.faults.add({ kind: '429', operation: 'list_hooks', retryAfter });
		await expect(trigger.poll()).rejects.toMatchObject({
			message: 'This month’s allowance of this tool is used up',
			description: says(
				/polls again after 1 December, 00:00 UTC, or at once .* publish the workflow/,
			),
			failure: { cause: 'quota-exhausted', resetsAtEpochMs: nextMonth },
		});
		sandbox.advance(DAY);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.activate()).not.toBeNull();
	});
});

describe('a trigger that is', () => {
	it.each(bothEvents)('renamed and named back returns what is new: %s', async (_, on, newOf) => {
		const { sandbox, trigger } = await publish(on);
		for (const name of ['Renamed', 'Trigger']) {
			sandbox.advance(DAY);
			const id = addFinished(sandbox);
			trigger.name = name;
			expect(await getIds(trigger.activate())).toEqual(newOf(id));
		}
		expect(await trigger.activate()).toBeNull();
	});

	it.each([
		['catches up', 'catchUp', 'activate', true],
		['starts from now on when it is set to do so', 'fromNow', 'activate', false],
		['catches up after a restart with either setting', 'fromNow', 'init', true],
		['catches up after a change of the workflow with either setting', 'fromNow', 'update', true],
	] as const)('published again %s', async (_what, whenPublishedAgain, how, catchesUp) => {
		const { sandbox, trigger } = await publish(onBriefs, { options: { whenPublishedAgain } });
		const meanwhile = addFinished(sandbox);
		expect(await getIds(trigger.activate(how))).toEqual(catchesUp ? [meanwhile] : []);
		const later = addFinished(sandbox);
		expect(await getIds(trigger.poll())).toEqual([later]);
	});

	it('starts from now on when it is set to do so and the service is down at that moment', async () => {
		const options = { whenPublishedAgain: 'fromNow' };
		const { sandbox, trigger } = await publish(onBriefs, { options });
		addFinished(sandbox);
		sandbox.advance(MINUTE);
		sandbox.faults.add({ kind: '5xx' });
		expect(await trigger.activate()).toBeNull();
		sandbox.advance(MINUTE);
		const id = addFinished(sandbox);
		expect(await getIds(trigger.poll())).toEqual([id]);
	});
});

describe('a test in the editor', () => {
	it('returns one item and saves nothing', async () => {
		const { sandbox, trigger } = await publish(onHooks);
		const { savedData } = trigger;
		expect([await trigger.test(), await trigger.test()]).toMatchObject([
			{ length: 1 },
			{ length: 1 },
		]);
		expect(trigger.savedData).toBe(savedData);
		const digest = await onHooks(sandbox, { output: 'refresh' }).test();
		expect(digest!.map(({ json }) => json['count'])).toEqual([3]);
	});

	it('returns the brief that finished last, simplified unless Simplify is off', async () => {
		const sandbox = await openStillSandbox();
		const briefs = Array.from({ length: 5 }, () => {
			sandbox.advance(MINUTE);
			return addFinished(sandbox);
		});
		const last = { id: briefs[4], status: 'ready', markdown: says(/^# /) };
		const [simple, ...others] = (await onBriefs(sandbox, { simplify: true }).test())!;
		expect(simple!.json).toMatchObject(last);
		expect(Object.keys(simple!.json)).toHaveLength(10);
		expect(others).toEqual([]);
		const [whole] = (await onBriefs(sandbox).test())!;
		expect(whole!.json).toMatchObject({ ...last, document: expect.any(Object) as object });
	});

	it('names the next step when nothing is found', async () => {
		const sandbox = await openStillSandbox();
		await expect(onBriefs(sandbox).test()).rejects.toMatchObject({
			message: 'The workspace has no finished brief yet',
			description: says(/Create one first/),
		});
		const none = onHooks(sandbox, { options: { q: 'no such words anywhere' } });
		await expect(none.test()).rejects.toThrow('There are no hooks for these settings');
	});
});
