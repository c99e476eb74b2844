import type { Fault } from '../../sandbox/faults';
import { StubCredentials } from '../support/engine/credentials';
import type { Poller } from '../support/engine/poller';
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

describe('a failed poll at activation', () => {
	test.each(bothEvents)(
		'permits publishing and loses nothing after it: %s',
		async (_, on, getNew) => {
			const sandbox = await openStillSandbox();
			addFinished(sandbox);
			sandbox.advance(MINUTE);
			const trigger = on(sandbox);
			sandbox.faults.add({ kind: '5xx' });
			expect(await trigger.activate()).toBeNull();
			sandbox.advance(DAY);
			const id = addFinished(sandbox);
			// n8n was killed before it read the list.
			expect(await getIds(trigger.activate())).toEqual(getNew(id));
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('loses nothing when the service is not reached', async () => {
		// Polls then start from a time of this machine's clock.
		const sandbox = await openStillSandbox({ startAt: Date.now() });
		addFinished(sandbox);
		sandbox.advance(MINUTE);
		const trigger = makeBriefsTrigger(sandbox);
		sandbox.faults.add({ kind: 'reset' });
		await trigger.activate();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
		const id = addFinished(sandbox);
		expect(await getIds(trigger.activate())).toEqual([id]);
	});

	test.each([
		['revoked', '401'],
		['noLicence', '403'],
	] as const)('is reported when the key is %s', async (key, httpCode) => {
		const sandbox = await openStillSandbox();
		const trigger = makeBriefsTrigger(sandbox);
		trigger.target = sandbox.getTarget(key);
		const description: unknown = expect.not.stringContaining('Polls have been failing');
		const failure = { cause: 'credential-invalid' };
		await expect(trigger.activate()).rejects.toMatchObject({ httpCode, description, failure });
	});
});

describe('a failed poll', () => {
	test.each(['5xx', 'html', '429'] as const)(
		'is logged, without a sleep, and leaves the state unchanged: %s',
		async (kind) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger);
			const id = addFinished(sandbox);
			for (const operation of ['list_briefs', 'get_brief'] as const)
				sandbox.faults.add({ kind, retryAfter: 20, operation });
			const { savedData } = trigger;
			for (let poll = 0; poll < 2; poll += 1) {
				expect(await trigger.poll()).toBeNull();
				pass(0.35);
			}
			expect(trigger.savedData).toBe(savedData);
			expect(await getIds(trigger.poll())).toEqual([id]);
		},
	);

	test.each([
		['5xx', { cause: 'temporarily-unavailable' }],
		['html', { cause: 'temporarily-unavailable' }],
		['429', { cause: 'rate-limited', retryAfterMs: expect.any(Number) as number }],
	] as const)(
		'is reported each time under the durable schedule, which has a backoff: %s',
		async (kind, failure) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger);
			sandbox.faults.add({ kind, retryAfter: 20, times: 2 });
			const description = matchText(
				/failing since (.+, )?\d\d:\d\d UTC\. The trigger keeps polling/,
			);
			for (let poll = 0; poll < 2; poll += 1) {
				await expect(trigger.pollDurably()).rejects.toMatchObject({ failure, description });
				pass(1);
			}
			expect(await trigger.pollDurably()).toBeNull();
		},
	);
});

describe('a series of failed polls', () => {
	/** Polls once a minute, and returns the minutes and causes of the reported failures. */
	async function pollEachMinute(minutes: number, trigger: Poller): Promise<unknown[]> {
		const failures: unknown[] = [];
		for (let minute = 0; minute < minutes; minute += 1) {
			await trigger.poll().catch((thrown: unknown) => {
				const { failure } = thrown as { failure?: { cause: string } };
				failures.push([minute, failure?.cause]);
			});
			pass(1);
		}
		return failures;
	}

	test('of an hour is reported once, and again after a poll that succeeded', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const reported = [[15, 'temporarily-unavailable']];
		sandbox.faults.add({ kind: '5xx', times: 60 });
		expect(await pollEachMinute(60, trigger)).toEqual(reported);
		const id = addFinished(sandbox);
		expect(await getIds(trigger.poll())).toEqual([id]);
		sandbox.faults.add({ kind: '5xx', times: 20 });
		expect(await pollEachMinute(20, trigger)).toEqual(reported);
	});

	const down: Fault = { kind: '5xx', times: 20 };
	const broken: Fault = { kind: 'broken-json', times: 5 };
	const [outage, keyRefused] = ['temporarily-unavailable', 'credential-invalid'];
	test.each<[string, Fault[], unknown[]]>([
		['of a quarter of an hour is not reported', [{ ...down, times: 15 }], []],
		[
			'with another error is reported once more, and not at each change',
			[down, broken, { ...down, times: 5 }, broken],
			[
				[15, outage],
				[20, outage],
			],
		],
		['because of the key is reported once, at once', [{ ...down, status: 401 }], [[0, keyRefused]]],
		[
			'because of the key is reported at once also after an outage',
			[
				{ ...down, times: 3 },
				{ ...down, status: 403 },
			],
			[[3, keyRefused]],
		],
	])('%s', async (_, faults, failures) => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		for (const fault of faults) sandbox.faults.add(fault);
		expect(await pollEachMinute(36, trigger)).toEqual(failures);
	});

	test('because of the credential is reported once, and again when the error changes', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const { url: baseUrl, key: apiKey } = sandbox.getTarget('revoked');
		const read = jest.spyOn(StubCredentials.prototype, 'getDecrypted');
		read.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
		expect(await pollEachMinute(5, trigger)).toHaveLength(1);
		read.mockResolvedValue({ baseUrl: 'http://example.com/v1', apiKey });
		expect(await pollEachMinute(5, trigger)).toHaveLength(0);
		read.mockResolvedValue({ baseUrl, apiKey });
		expect(await pollEachMinute(5, trigger)).toHaveLength(1);
		read.mockResolvedValue({ baseUrl, apiKey: sandbox.keys.allScopes });
		const id = addFinished(sandbox);
		expect(await getIds(trigger.poll())).toEqual([id]);
		read.mockRejectedValue(new Error('gone'));
		expect(await pollEachMinute(5, trigger)).toHaveLength(1);
	});

	test('because of invalid parameters is reported once', async () => {
		const limit = `={{ $now.toMillis() < ${Date.now() + 600_000} ? 30 : 999 }}`;
		const trigger = makeHooksTrigger(await openStillSandbox(), { options: { limit } });
		await trigger.activate();
		expect(await pollEachMinute(60, trigger)).toHaveLength(1);
	});
});
