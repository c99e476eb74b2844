import { StubCredentials } from '../support/engine/credentials';
import { says, type Fault, getTarget } from '../support/engine/fixtures';
import type { Poller } from '../support/engine/poller';
import {
	addFinished,
	bothEvents,
	createFinished,
	getIds,
	onBriefs,
	onHooks,
	openStillSandbox,
	pass,
	publish,
	setKey,
} from '../support/engine/triggers';
import { DAY, MINUTE } from '../support/time';

describe('a failed poll', () => {
	it.each(bothEvents)(
		'at the first activation permits publishing and loses nothing after it: %s',
		async (_name, on, newOf) => {
			const sandbox = await openStillSandbox();
			addFinished(sandbox);
			sandbox.advance(MINUTE);
			const trigger = on(sandbox);
			sandbox.faults.add({ kind: '5xx' });
			expect(await trigger.activate()).toBeNull();
			sandbox.advance(DAY);
			const id = addFinished(sandbox);
			// n8n was killed before it read the list.
			expect(await getIds(trigger.activate())).toEqual(newOf(id));
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('at the first activation loses nothing when the service is not reached', async () => {
		// The start is then a time of this machine's clock.
		const sandbox = await openStillSandbox({ startAt: Date.now() });
		addFinished(sandbox);
		sandbox.advance(MINUTE);
		const trigger = onBriefs(sandbox);
		sandbox.faults.add({ kind: 'reset' });
		await trigger.activate();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
		const id = addFinished(sandbox);
		expect(await getIds(trigger.activate())).toEqual([id]);
	});

	it('at a later activation permits publishing, too', async () => {
		const { sandbox, trigger } = await publish(onBriefs);
		const id = addFinished(sandbox);
		sandbox.faults.add({ kind: '429' });
		expect(await trigger.activate()).toBeNull();
		pass(1);
		expect(await getIds(trigger.poll())).toEqual([id]);
	});

	it.each([
		['revoked', '401'],
		['noLicence', '403'],
	] as const)('at activation is reported when the key is %s', async (key, httpCode) => {
		const sandbox = await openStillSandbox();
		const description: unknown = expect.not.stringContaining('Polls have been failing');
		const failed = { httpCode, description, failure: { cause: 'credential-invalid' } };
		await expect(setKey(onBriefs(sandbox), sandbox, key).activate()).rejects.toMatchObject(failed);
	});

	it.each(['5xx', 'html', '429'] as const)(
		'is logged, without a sleep, and leaves the state unchanged: %s',
		async (kind) => {
			const { sandbox, trigger } = await publish(onBriefs);
			const id = addFinished(sandbox);
			for (const operation of ['list_briefs', 'get_brief'] as const) {
				sandbox.faults.add({ kind, retryAfter: 20, operation });
			}
			const { savedData } = trigger;
			const started = performance.now();
			for (let poll = 0; poll < 2; poll += 1) {
				expect(await trigger.poll()).toBeNull();
				pass(0.35);
			}
			expect(trigger.savedData).toBe(savedData);
			expect(await getIds(trigger.poll())).toEqual([id]);
			expect(performance.now() - started).toBeLessThan(10_000);
		},
	);

	describe('in a series', () => {
		/** Polls once a minute, and returns the minutes and reasons of reported failures. */
		async function getFailures(trigger: Poller, minutes: number): Promise<unknown[]> {
			const failures: unknown[] = [];
			for (let minute = 0; minute < minutes; minute += 1) {
				await trigger.poll().catch((thrown: unknown) => {
					failures.push([minute, (thrown as { failure: unknown }).failure]);
				});
				pass(1);
			}
			return failures;
		}

		it('of an hour is reported once, and again after a poll that succeeded', async () => {
			const { sandbox, trigger } = await publish(onBriefs);
			const reported = [[15, { cause: 'temporarily-unavailable' }]];
			sandbox.faults.add({ kind: '5xx', times: 60 });
			expect(await getFailures(trigger, 60)).toEqual(reported);
			const id = addFinished(sandbox);
			expect(await getIds(trigger.poll())).toEqual([id]);
			sandbox.faults.add({ kind: '5xx', times: 20 });
			expect(await getFailures(trigger, 20)).toEqual(reported);
		});

		const down: Fault = { kind: '5xx', times: 20 };
		const odd: Fault = { kind: 'broken-json', times: 5 };
		const [shortly, refused, noScope] = [
			{ ...down, times: 15 },
			{ ...down, status: 401 },
			{ ...down, status: 403 },
		];
		it.each<[string, Fault[], number[]]>([
			['of a quarter of an hour is not reported', [shortly], []],
			[
				'with another error is reported once more, and not at each change',
				[down, odd, { ...down, times: 5 }, odd],
				[15, 20],
			],
			['because of the key is reported at once and once', [refused], [0]],
			[
				'because of the key is reported at once also after an outage',
				[{ ...down, times: 3 }, noScope],
				[3],
			],
		])('%s', async (_, faults, minutes) => {
			const { sandbox, trigger } = await publish(onBriefs);
			for (const fault of faults) sandbox.faults.add(fault);
			const failures = (await getFailures(trigger, 36)) as Array<[number, object]>;
			expect(failures.map(([minute]) => minute)).toEqual(minutes);
		});

		it('because of the credential is reported once, and again when the error changes', async () => {
			const { sandbox, trigger } = await publish(onBriefs);
			const { url: baseUrl, key: apiKey } = getTarget(sandbox, 'revoked');
			const read = jest.spyOn(StubCredentials.prototype, 'getDecrypted');
			read.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
			expect(await getFailures(trigger, 5)).toHaveLength(1);
			read.mockResolvedValue({ baseUrl: 'http://example.com/v1', apiKey });
			expect(await getFailures(trigger, 5)).toHaveLength(0);
			read.mockResolvedValue({ baseUrl, apiKey });
			expect(await getFailures(trigger, 5)).toHaveLength(1);
			read.mockResolvedValue({ baseUrl, apiKey: sandbox.keys.allScopes });
			const id = addFinished(sandbox);
			expect(await getIds(trigger.poll())).toEqual([id]);
			read.mockRejectedValue(new Error('gone'));
			expect(await getFailures(trigger, 5)).toHaveLength(1);
		});

		it('because of invalid parameters is reported once', async () => {
			const limit = `={{ $now.toMillis() < ${Date.now() + 600_000} ? 30 : 999 }}`;
			const trigger = onHooks(await openStillSandbox(), { options: { limit } });
			await trigger.activate();
			expect(await getFailures(trigger, 60)).toHaveLength(1);
		});
	});

	it.each([
		['5xx', { cause: 'temporarily-unavailable' }],
		['html', { cause: 'temporarily-unavailable' }],
		['429', { cause: 'rate-limited', retryAfterMs: expect.any(Number) as number }],
	] as const)(
		'is reported each time under the durable schedule, which has a backoff: %s',
		async (kind, failure) => {
			const { sandbox, trigger } = await publish(onBriefs);
			sandbox.faults.add({ kind, retryAfter: 20, times: 2 });
			const description = says(/failing since (.+, )?\d\d:\d\d UTC\. The trigger keeps polling/);
			for (let poll = 0; poll < 2; poll += 1) {
				await expect(trigger.pollDurably()).rejects.toMatchObject({ failure, description });
				pass(1);
			}
			expect(await trigger.pollDurably()).toBeNull();
		},
	);

	it('starts nothing when the list is empty once', async () => {
		const sandbox = await openStillSandbox();
		await createFinished(sandbox);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		for (const listLagMs of [10 * DAY, 0]) {
			sandbox.options.listLagMs = listLagMs;
			expect(await trigger.poll()).toBeNull();
		}
	});
});
