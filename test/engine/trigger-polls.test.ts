import {
	addFinished,
	bothEvents,
	getIds,
	makeBriefsTrigger,
	makeHooksTrigger,
	openStillSandbox,
	pass,
	publish,
} from '../support/engine/triggers';
import { DAY, MINUTE } from '../support/time';
import { matchText } from '../support/values';

describe('two polls at the same time', () => {
	test.each(bothEvents)('return %s once when one node sends both', async (_, on) => {
		const { sandbox, trigger } = await publish(on);
		for (const poll of [() => trigger.poll(), () => trigger.pollDurably()]) {
			sandbox.advance(DAY);
			addFinished(sandbox);
			const both = await Promise.all([poll(), poll()]);
			expect(both.filter((items) => items !== null)).toHaveLength(1);
		}
	});

	test('both return hooks when two nodes send them', async () => {
		const sandbox = await openStillSandbox();
		const triggers = [makeHooksTrigger(sandbox), makeHooksTrigger(sandbox)];
		for (const trigger of triggers) await trigger.activate();
		sandbox.advance(DAY);
		const both = await Promise.all(triggers.map((trigger) => trigger.poll()));
		expect(both.map((items) => items?.length)).toEqual([30, 30]);
	});
});

describe('the service is polled', () => {
	test.each([
		['every 15 minutes, however often n8n polls', 'poll', 24 * 60, 96],
		['every 15 minutes by polls of the durable schedule, too', 'pollDurably', 60, 4],
	] as const)('for hooks %s', async (_, poll, minutes, times) => {
		const { trigger, countNewRequests } = await publish(makeHooksTrigger);
		for (let minute = 0; minute < minutes; minute += 1) {
			pass(1);
			await trigger[poll]();
		}
		expect(countNewRequests()).toBe(times);
	});

	test('at once by an activation and a test', async () => {
		const { trigger, countNewRequests } = await publish(makeHooksTrigger);
		pass(10);
		expect([await trigger.poll(), countNewRequests()]).toEqual([null, 0]);
		await trigger.test();
		expect(countNewRequests()).toBe(1);
		await trigger.activate('init');
		expect(countNewRequests()).toBe(1);
		// n8n starts a poll some seconds early or late.
		pass(14.9);
		await trigger.poll();
		expect(countNewRequests()).toBe(1);
	});

	test.each([
		['hooks', makeHooksTrigger, 'list_hooks'],
		['briefs', makeBriefsTrigger, 'list_briefs'],
	] as const)('for %s after its Retry-After of twenty days', async (_, on, operation) => {
		const { sandbox, trigger, countNewRequests } = await publish(on);
		sandbox.faults.add({ kind: '429', operation, retryAfter: 20 * 86_400 });
		pass(15);
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

	test('at once by an activation after the allowance was used up', async () => {
		const sandbox = await openStillSandbox();
		const nextMonth = Date.UTC(2026, 11, 1);
		const retryAfter = (nextMonth - sandbox.now()) / 1000;
		sandbox.faults.add({ kind: '429', operation: 'list_hooks', skip: 1, retryAfter });
		const trigger = makeHooksTrigger(sandbox);
		await trigger.activate();
		pass(15);
		await expect(trigger.poll()).rejects.toMatchObject({
			message: 'This month’s allowance of this tool is used up',
			description: matchText(
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
	test.each(bothEvents)(
		'renamed and renamed back returns new events: %s',
		async (_, on, getNew) => {
			const { sandbox, trigger } = await publish(on);
			for (const name of ['Renamed', 'Trigger']) {
				sandbox.advance(DAY);
				const id = addFinished(sandbox);
				trigger.name = name;
				expect(await getIds(trigger.activate())).toEqual(getNew(id));
			}
			expect(await trigger.activate()).toBeNull();
		},
	);
});

describe('a test in the editor', () => {
	test('returns one item and saves nothing', async () => {
		const { sandbox, trigger } = await publish(makeHooksTrigger);
		const { savedData } = trigger;
		expect(await trigger.test()).toHaveLength(1);
		expect(await trigger.test()).toHaveLength(1);
		expect(trigger.savedData).toBe(savedData);
		const digest = await makeHooksTrigger(sandbox, { output: 'refresh' }).test();
		expect(digest).toMatchObject([{ json: { count: 3 } }]);
	});

	test('returns the brief that finished last, simplified unless Simplify is off', async () => {
		const sandbox = await openStillSandbox();
		const ids = Array.from({ length: 5 }, () => {
			sandbox.advance(MINUTE);
			return addFinished(sandbox);
		});
		const last = { id: ids[4], status: 'ready', markdown: matchText(/^# /) };
		const [simple, ...others] = (await makeBriefsTrigger(sandbox, { simplify: true }).test())!;
		expect(simple!.json).toMatchObject(last);
		expect(Object.keys(simple!.json)).toHaveLength(10);
		expect(others).toEqual([]);
		const [whole] = (await makeBriefsTrigger(sandbox).test())!;
		expect(whole!.json).toMatchObject({ ...last, document: expect.any(Object) as object });
	});

	test('names the next step when nothing is found', async () => {
		const sandbox = await openStillSandbox();
		await expect(makeBriefsTrigger(sandbox).test()).rejects.toMatchObject({
			message: 'The workspace has no finished brief yet',
			description: matchText(/Create one first/),
		});
		const none = makeHooksTrigger(sandbox, { options: { q: 'no such words anywhere' } });
		await expect(none.test()).rejects.toThrow('There are no hooks for these settings');
	});
});
