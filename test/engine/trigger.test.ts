import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import type { BriefSummary } from '../../service/resources';
import { BriefingService } from '../../service/service';
import { OneCredential } from '../support/engine/credentials';
import { requestsOf, sandboxWith, targetOf } from '../support/engine/fixtures';
import { Poller } from '../support/engine/poller';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 12, 12);

/** This machine's clock, which n8n's polls go by, is ahead of the real one by this. */
let passed = 0;
beforeEach(() => {
	passed = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
});
afterEach(() => jest.restoreAllMocks());

function pass(minutes: number): void {
	passed += minutes * 60_000;
}

/** Time stands still unless a test moves it. */
async function stillSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	return await sandboxWith({ speed: 0.001, startAt: START, ...options });
}

function onHooks(sandbox: Sandbox, parameters: INodeParameters = {}): Poller {
	const options = { limit: 30, checkInterval: 0 };
	return new Poller(targetOf(sandbox), {
		triggerOn: 'hooksRefreshed',
		categories: [],
		output: 'hooks',
		options,
		...parameters,
	});
}

function onBriefs(sandbox: Sandbox, parameters: INodeParameters = {}): Poller {
	return new Poller(targetOf(sandbox), {
		triggerOn: 'briefFinished',
		simplify: false,
		...parameters,
	});
}

/** Changes key and address for the next activation. */
function withKey(trigger: Poller, sandbox: Sandbox, key: keyof Sandbox['keys']): Poller {
	Object.assign(trigger.target, targetOf(sandbox, key));
	return trigger;
}

/** A brief that ends now. */
function finished(sandbox: Sandbox, outcome: 'ready' | 'failed' = 'ready'): string {
	const { id } = sandbox.addBrief({ durationMs: 999_000_000 });
	sandbox.finish(id, outcome);
	return id;
}

/** Asks the service itself. */
async function ask<Answer>(sandbox: Sandbox, path: string, input?: object): Promise<Answer> {
	const headers = {
		authorization: `Bearer ${sandbox.keys.allScopes}`,
		'content-type': 'application/json',
	};
	const create = input && { method: 'POST', body: JSON.stringify(input) };
	const answer = await fetch(`${sandbox.url}/${path}`, { headers, ...create });
	return (await answer.json()) as Answer;
}

/** One of the workspace's own, which a slow list may hide. */
async function createdAndFinished(sandbox: Sandbox): Promise<string> {
	const { id } = await ask<{ id: string }>(sandbox, 'briefs', { product_name: 'Glow Serum' });
	sandbox.finish(id);
	return id;
}

async function ids(items: ReturnType<Poller['poll']>): Promise<unknown[]> {
	return ((await items) ?? []).map(({ json }) => json['id']);
}

/** A published trigger, in a workspace with a brief that ended before. */
async function published(
	on: typeof onBriefs,
	options: SandboxOptions = {},
	parameters: INodeParameters = {},
) {
	const sandbox = await stillSandbox(options);
	finished(sandbox);
	const trigger = on(sandbox, parameters);
	expect(await trigger.activate()).toBeNull();
	return { sandbox, trigger };
}

const running = (sandbox: Sandbox): string => sandbox.addBrief({ durationMs: 999_000_000 }).id;

const bothEvents = [
	['hooks', onHooks],
	['briefs', onBriefs],
] as const;

describe('Hooks Refreshed', () => {
	it.each<SandboxOptions>([
		{},
		{ timestamps: 'epoch-seconds' },
		{ timestamps: 'epoch-ms-string' },
		{ timestamps: 'rfc1123' },
		{ timestamps: 'iso-offset' },
		{ refreshedAt: 'null' },
	])(
		'takes the list as it is at activation, and fires once when it is refreshed, also while n8n was down: %j',
		async (options) => {
			const { sandbox, trigger } = await published(onHooks, options);
			const before = sandbox.requests.length;
			expect(await trigger.poll()).toBeNull();
			expect(sandbox.requests.length - before).toBe(1);
			for (const look of [() => trigger.poll(), () => trigger.activate()]) {
				sandbox.advance(DAY);
				expect(await look()).toHaveLength(30);
				expect(await look()).toBeNull();
			}
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('with Only New Hooks never gives a hook twice over many refreshes and restarts', async () => {
		const { sandbox, trigger } = await published(onHooks, {}, { onlyNewHooks: true });
		const { data } = await ask<{ data: Array<{ id: string }> }>(sandbox, 'content-iq/hooks');
		const given: unknown[] = data.map(({ id }) => id);
		for (let day = 0; day < 12; day += 1) {
			sandbox.advance(DAY);
			given.push(...(await ids(day % 3 === 0 ? trigger.activate() : trigger.poll())));
			given.push(...(await ids(trigger.poll())));
		}
		expect(given.length).toBeGreaterThan(data.length + 12);
		expect(new Set(given).size).toBe(given.length);
	});

	it('simplifies to the useful fields, or passes hooks on as the service gave them', async () => {
		const sandbox = await stillSandbox();
		const fieldsOf = async (parameters: INodeParameters) =>
			Object.keys((await onHooks(sandbox, parameters).test())![0]!.json);
		expect(await fieldsOf({})).toEqual([
			...['id', 'hook', 'angle', 'why_it_works', 'category', 'video_url', 'views', 'units_sold'],
			...['gmv_usd', 'refreshed_at'],
		]);
		expect(await fieldsOf({ simplify: false })).toEqual(
			expect.arrayContaining(['video_id', 'evidence', 'observed_at', 'refreshed_at']),
		);
	});

	it('gives one item for a refresh, with the hooks in a list', async () => {
		const { sandbox, trigger } = await published(onHooks, {}, { output: 'refresh' });
		sandbox.advance(DAY);
		const items = await trigger.poll();
		expect(items).toHaveLength(1);
		const { count, hooks, refreshed_at } = items![0]!.json as Record<string, unknown>;
		expect(hooks).toHaveLength(count as number);
		expect(refreshed_at).toEqual(expect.any(String));
	});

	it('names a parameter that is not valid, before anything is sent', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { categories: ['Cars'] });
		await expect(trigger.activate()).rejects.toThrow("'Categories' contains “Cars”");
		expect(sandbox.requests).toHaveLength(0);
	});
});

describe('Brief Finished', () => {
	it('fires once for each brief that becomes ready or fails, with the whole brief, also in another spelling of its ID', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const open = running(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.options.briefIds = 'capitals';
		sandbox.advance(60_000);
		sandbox.finish(open);
		const failed = finished(sandbox, 'failed').toUpperCase();
		const items = await trigger.poll();
		const ready = open.toUpperCase();
		expect(new Set(items!.map(({ json }) => json['id']))).toEqual(new Set([ready, failed]));
		expect(items!.find(({ json }) => json['id'] === ready)!.json).toMatchObject({
			status: 'ready',
			markdown: expect.any(String) as string,
			document: expect.any(Object) as object,
		});
		expect(await trigger.poll()).toBeNull();
	});

	it('costs one request while nothing has ended, also with running briefs', async () => {
		const sandbox = await stillSandbox();
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		running(sandbox);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		running(sandbox);
		const before = sandbox.requests.length;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests.length - before).toBe(1);
	});

	it('fires for hundreds that end between two polls, in the order in which they ended', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const expected: string[] = [];
		for (let count = 0; count < 210; count += 1) {
			sandbox.advance(1000);
			expected.push(finished(sandbox));
		}
		expect(await ids(trigger.poll())).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	}, 30_000);

	it('misses and repeats nothing over restarts that lose what quiet polls have learnt', async () => {
		const { sandbox, trigger } = await published(onBriefs, { slots: 50 });
		const expected: string[] = [];
		const given: unknown[] = [];
		let open: string[] = [];
		for (let step = 0; step < 60; step += 1) {
			sandbox.advance(10_000);
			open.push(running(sandbox));
			given.push(...(await ids(trigger.poll())));
			if (step % 3 === 2) {
				// The younger ones end first.
				for (const id of open.filter((_id, place) => (step + place) % 2 === 0).reverse()) {
					sandbox.finish(id);
					expected.push(id);
				}
				open = open.filter((id) => !expected.includes(id));
			}
			if (step % 5 === 4) given.push(...(await ids(trigger.activate())));
		}
		given.push(...(await ids(trigger.poll())));
		expect([...given].sort()).toEqual([...expected].sort());
	}, 30_000);

	it('waits for briefs deep in the list, where hundreds were queued at once', async () => {
		const sandbox = await stillSandbox({ thirdBrief: 'queue' });
		const queued = Array.from({ length: 130 }, () => {
			sandbox.advance(1000);
			return running(sandbox);
		});
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		sandbox.finish(queued[0]!);
		sandbox.finish(queued[129]!);
		expect(new Set(await ids(trigger.poll()))).toEqual(new Set([queued[0], queued[129]]));
		sandbox.finish(queued[1]!);
		expect(await ids(trigger.poll())).toEqual([queued[1]]);
		expect(await trigger.poll()).toBeNull();
	});

	it('sees briefs that appear late in the list', async () => {
		const sandbox = await stillSandbox({ listLagMs: 60_000 });
		finished(sandbox);
		sandbox.advance(120_000);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		const late = await createdAndFinished(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(61_000);
		expect(await ids(trigger.poll())).toEqual([late]);
	});

	it.each([
		['does not show', () => []],
		[
			'shows as running',
			(brief: BriefSummary) => [{ ...brief, status: 'queued', finished_at: null }],
		],
	] as const)(
		'does not pass a brief on again that a list which lags behind %s',
		async (_how, behind: (brief: BriefSummary) => BriefSummary[]) => {
			const { sandbox, trigger } = await published(onBriefs);
			const slow = running(sandbox);
			const quick = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([quick]);
			sandbox.finish(slow);
			const briefs = Reflect.get(BriefingService.prototype, 'briefs');
			const lagging = jest
				.spyOn(BriefingService.prototype, 'briefs')
				.mockImplementation(async function (this: BriefingService, ...query) {
					const { data, next_cursor } = await briefs.apply(this, query);
					const shown = data.flatMap((brief) => (brief.id === quick ? behind(brief) : [brief]));
					return { data: shown, next_cursor };
				});
			expect(await ids(trigger.poll())).toEqual([slow]);
			lagging.mockRestore();
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('passes on in the next poll what the first could not read, and asks for no more after a rate limit', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const expected = Array.from({ length: 30 }, () => finished(sandbox));
		sandbox.faults.add({ kind: '429', operation: 'get_brief', skip: 10, retryAfter: 30 });
		const started = Date.now();
		const first = await ids(trigger.poll());
		expect(first.length).toBeLessThan(30);
		const asked = requestsOf(sandbox, 'get_brief');
		expect(asked).toBeLessThan(30);
		const rest = await ids(trigger.activate());
		expect(Date.now() - started).toBeLessThan(5_000);
		expect([...first, ...rest].sort()).toEqual([...expected].sort());
		expect(await trigger.poll()).toBeNull();
	});

	it('starts again with the key of another workspace', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		sandbox.addBrief({ key: 'otherWorkspace', status: 'ready' });
		withKey(trigger, sandbox, 'otherWorkspace');
		sandbox.advance(60_000);
		expect(await trigger.activate()).toBeNull();
		const before = requestsOf(sandbox, 'list_briefs');
		const { id } = sandbox.addBrief({ key: 'otherWorkspace' });
		sandbox.finish(id);
		expect(await ids(trigger.poll())).toEqual([id]);
		expect(requestsOf(sandbox, 'list_briefs') - before).toBe(1);
	});

	it('after a list without briefs fires for what has ended since, and not for the history', async () => {
		const sandbox = await stillSandbox();
		for (let count = 0; count < 250; count += 1) sandbox.addBrief({ status: 'ready' });
		sandbox.advance(60_000);
		const trigger = withKey(onBriefs(sandbox), sandbox, 'otherWorkspace');
		await trigger.activate();
		withKey(trigger, sandbox, 'allScopes');
		sandbox.advance(60_000);
		const id = finished(sandbox);
		const before = requestsOf(sandbox, 'list_briefs');
		expect(await ids(trigger.activate())).toEqual([id]);
		expect(requestsOf(sandbox, 'list_briefs') - before).toBe(2);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('two polls at a time', () => {
	it.each(bothEvents)('fire once for %s: the second gives nothing', async (_name, on) => {
		const { sandbox, trigger } = await published(on);
		for (const poll of [() => trigger.poll(), () => trigger.pollDurably()]) {
			sandbox.advance(DAY);
			finished(sandbox);
			const both = await Promise.all([poll(), poll()]);
			expect(both.filter((items) => items !== null)).toHaveLength(1);
		}
	});

	it('fire both where they are of two nodes', async () => {
		const sandbox = await stillSandbox();
		const triggers = [onHooks(sandbox), onHooks(sandbox)];
		for (const trigger of triggers) await trigger.activate();
		sandbox.advance(DAY);
		const both = await Promise.all(triggers.map((trigger) => trigger.poll()));
		expect(both.map((items) => items?.length)).toEqual([30, 30]);
	});
});

describe('the service is asked', () => {
	let counted = 0;
	beforeEach(() => (counted = 0));
	/** How often, since this was asked the last time. */
	function requests(sandbox: Sandbox): number {
		const before = counted;
		counted = sandbox.requests.length;
		return counted - before;
	}

	it('for hooks every 15 minutes, 96 times a day, however often n8n polls', async () => {
		const { sandbox, trigger } = await published(onHooks, {}, { options: {} });
		requests(sandbox);
		for (let minute = 0; minute < 24 * 60; minute += 1) {
			pass(1);
			await trigger.poll();
		}
		expect(requests(sandbox)).toBe(96);
	});

	it('as often as Check at Most Every says, and at once by an activation and a test', async () => {
		const { sandbox, trigger } = await published(onHooks, {}, { options: { checkInterval: 60 } });
		pass(50);
		expect([await trigger.poll(), requests(sandbox)]).toEqual([null, 1]);
		await trigger.test();
		expect(requests(sandbox)).toBe(1);
		await trigger.activate('init');
		expect(requests(sandbox)).toBe(1);
		// n8n starts a poll some seconds early or late.
		pass(59.9);
		await trigger.poll();
		expect(requests(sandbox)).toBe(1);
	});

	it('as seldom by polls of the durable schedule, which only know what was last saved', async () => {
		const { sandbox, trigger } = await published(onHooks, {}, { options: {} });
		requests(sandbox);
		for (let minute = 0; minute < 60; minute += 1) {
			pass(1);
			await trigger.pollDurably();
		}
		expect(requests(sandbox)).toBe(4);
	});

	it.each([
		['hooks', onHooks, 'list_hooks'],
		['briefs', onBriefs, 'list_briefs'],
	] as const)(
		'for %s no sooner than it wants to be, though it be twenty days',
		async (_name, on, operation) => {
			const { sandbox, trigger } = await published(on);
			requests(sandbox);
			sandbox.faults.add({ kind: '429', operation, retryAfter: 20 * 86_400 });
			await trigger.poll().catch(() => null);
			for (let poll = 0; poll < 4; poll += 1) {
				pass(24 * 60);
				expect(await trigger.poll()).toBeNull();
			}
			expect(requests(sandbox)).toBe(1);
			pass(16 * 24 * 60);
			await trigger.poll();
			expect(requests(sandbox)).toBe(1);
		},
	);

	it('at once by an activation, for the licence may have been raised', async () => {
		const sandbox = await stillSandbox({ contentIqAllowance: 1, speed: 1 });
		const trigger = onHooks(sandbox);
		await trigger.activate();
		await expect(trigger.poll()).rejects.toMatchObject({
			message: 'The month’s allowance of this tool is used up',
			description: expect.stringMatching(
				/The trigger asks again after 2026-12-01 00:00 UTC, or at once when the workflow is published again/,
			) as string,
			failure: { cause: 'quota-exhausted', resetsAtEpochMs: Date.UTC(2026, 11, 1) },
		});
		sandbox.options.contentIqAllowance = 0;
		sandbox.advance(DAY);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.activate()).not.toBeNull();
	});
});

describe('a trigger that is', () => {
	it.each(bothEvents)(
		'renamed goes on where it was, and so when it is named back: %s',
		async (_name, on) => {
			const { sandbox, trigger } = await published(on);
			for (const name of ['Renamed', 'Trigger']) {
				sandbox.advance(DAY);
				const id = finished(sandbox);
				trigger.name = name;
				const items = await trigger.activate();
				expect(items!.length).toBeGreaterThan(0);
				if (on === onBriefs) expect(await ids(Promise.resolve(items))).toEqual([id]);
			}
			expect(await trigger.activate()).toBeNull();
		},
	);

	it.each([
		['catches up', 'catchUp', 'activate', true],
		['starts from now on if it is told to', 'fromNow', 'activate', false],
		['catches up after a restart, whatever it is told', 'fromNow', 'init', true],
		['catches up after a change of the workflow, whatever it is told', 'fromNow', 'update', true],
	] as const)('published again %s', async (_what, whenPublishedAgain, how, catchesUp) => {
		const { sandbox, trigger } = await published(onBriefs, {}, { options: { whenPublishedAgain } });
		const meanwhile = finished(sandbox);
		expect(await ids(trigger.activate(how))).toEqual(catchesUp ? [meanwhile] : []);
		const later = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([later]);
	});

	it('told to start from now on does so though the service is down at that moment', async () => {
		const options = { whenPublishedAgain: 'fromNow' };
		const { sandbox, trigger } = await published(onBriefs, {}, { options });
		finished(sandbox);
		sandbox.advance(60_000);
		sandbox.faults.add({ kind: '5xx' });
		expect(await trigger.activate()).toBeNull();
		sandbox.advance(60_000);
		const id = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([id]);
	});
});

describe('trouble', () => {
	it.each(bothEvents)(
		'at the first activation does not keep %s from being published',
		async (_name, on) => {
			const sandbox = await stillSandbox();
			finished(sandbox);
			sandbox.advance(60_000);
			const trigger = on(sandbox);
			sandbox.faults.add({ kind: '5xx' });
			expect(await trigger.activate()).toBeNull();
			// What happens after it counts, although n8n was killed before it could see the list.
			sandbox.advance(DAY);
			const { id } = sandbox.addBrief();
			sandbox.finish(id);
			const items = await trigger.activate();
			expect(items!.length).toBeGreaterThan(0);
			if (on === onBriefs) expect(await ids(Promise.resolve(items))).toEqual([id]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('at the first activation loses nothing that happens before the list could be read', async () => {
		// The service was not reached, so the mark is of this machine's clock.
		const sandbox = await stillSandbox({ startAt: Date.now() });
		finished(sandbox);
		sandbox.advance(60_000);
		const trigger = onBriefs(sandbox);
		sandbox.faults.add({ kind: 'reset' });
		await trigger.activate();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(60_000);
		const id = finished(sandbox);
		expect(await ids(trigger.activate())).toEqual([id]);
	});

	it('at a later activation does not keep it from being published either', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const id = finished(sandbox);
		sandbox.faults.add({ kind: '429' });
		expect(await trigger.activate()).toBeNull();
		pass(1);
		expect(await ids(trigger.poll())).toEqual([id]);
	});

	it.each([
		['revoked', '401'],
		['noLicence', '403'],
	] as const)('with the key %s is told at activation', async (key, httpCode) => {
		const sandbox = await stillSandbox();
		await expect(withKey(onBriefs(sandbox), sandbox, key).activate()).rejects.toMatchObject({
			httpCode,
			failure: { cause: 'credential-invalid' },
		});
	});

	it.each(['5xx', 'html', '429'] as const)(
		'in a poll (%s) is borne in silence, without a sleep, and leaves the state as it was',
		async (kind) => {
			const { sandbox, trigger } = await published(onBriefs);
			const id = finished(sandbox);
			sandbox.faults.add({ kind, retryAfter: 20, operation: 'list_briefs' });
			sandbox.faults.add({ kind, retryAfter: 20, operation: 'get_brief' });
			const { saved } = trigger;
			const started = Date.now();
			expect(await trigger.poll()).toBeNull();
			passed += 21_000;
			expect(await trigger.poll()).toBeNull();
			passed += 21_000;
			expect(trigger.saved).toBe(saved);
			expect(await ids(trigger.poll())).toEqual([id]);
			expect(Date.now() - started - passed).toBeLessThan(3_000);
		},
	);

	describe('that lasts', () => {
		/** One poll a minute; gives the minutes at which one failed, and for what. */
		async function failuresOf(trigger: Poller, minutes: number): Promise<unknown[]> {
			const failures: unknown[] = [];
			for (let minute = 0; minute < minutes; minute += 1) {
				const failed = await trigger.poll().then(
					() => null,
					(thrown: unknown) => (thrown as { failure: unknown }).failure,
				);
				if (failed !== null) failures.push([minute, failed]);
				pass(1);
			}
			return failures;
		}

		it('for an hour is one failed execution, and each poll that goes well begins again', async () => {
			const { sandbox, trigger } = await published(onBriefs);
			sandbox.faults.add({ kind: '5xx', times: 60 });
			const told = [15, { cause: 'temporarily-unavailable' }];
			expect(await failuresOf(trigger, 60)).toEqual([told]);
			const id = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([id]);
			sandbox.faults.add({ kind: '5xx', times: 20 });
			expect(await failuresOf(trigger, 20)).toEqual([told]);
		}, 20_000);

		it('because the credential cannot be used is told once, and once more when it changes', async () => {
			const { sandbox, trigger } = await published(onBriefs);
			const { url: baseUrl, key: apiKey } = targetOf(sandbox, 'revoked');
			const read = jest.spyOn(OneCredential.prototype, 'getDecrypted');
			read.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
			read.mockResolvedValue({ baseUrl: 'http://example.com/v1', apiKey });
			expect(await failuresOf(trigger, 5)).toHaveLength(0);
			read.mockResolvedValue({ baseUrl, apiKey });
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
			read.mockRestore();
			const id = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([id]);
			jest.spyOn(OneCredential.prototype, 'getDecrypted').mockRejectedValue(new Error('gone'));
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
		});

		it('because parameters are not valid is told once', async () => {
			const sandbox = await stillSandbox();
			const limit = `={{ $now.toMillis() < ${Date.now() + 600_000} ? 30 : 999 }}`;
			const trigger = onHooks(sandbox, { options: { limit } });
			await trigger.activate();
			expect(await failuresOf(trigger, 60)).toHaveLength(1);
		});
	});

	it.each([
		['5xx', { cause: 'temporarily-unavailable' }],
		['html', { cause: 'temporarily-unavailable' }],
		['429', { cause: 'rate-limited', retryAfterMs: expect.any(Number) as number }],
	] as const)(
		'under the durable schedule of polls (%s) is told each time, for that has a back-off',
		async (kind, failure) => {
			const { sandbox, trigger } = await published(onBriefs);
			sandbox.faults.add({ kind, retryAfter: 20, times: 2 });
			for (let poll = 0; poll < 2; poll += 1) {
				await expect(trigger.pollDurably()).rejects.toMatchObject({ failure });
				pass(1);
			}
			expect(await trigger.pollDurably()).toBeNull();
		},
	);

	it('with a list that is suddenly empty is not taken for a new workspace', async () => {
		const sandbox = await stillSandbox();
		await createdAndFinished(sandbox);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		sandbox.options.listLagMs = 10 * DAY;
		expect(await trigger.poll()).toBeNull();
		sandbox.options.listLagMs = 0;
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a test in the editor', () => {
	it('gets one item, for what follows may cost something, and changes nothing', async () => {
		const { sandbox, trigger } = await published(onHooks);
		const { saved } = trigger;
		expect(await trigger.test()).toHaveLength(1);
		expect(await trigger.test()).toHaveLength(1);
		expect(trigger.saved).toBe(saved);
		const digest = await onHooks(sandbox, { output: 'refresh' }).test();
		expect(digest!.map(({ json }) => json['count'])).toEqual([3]);
	});

	it('gets briefs simplified, unless that is switched off', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const simple = new Poller(targetOf(sandbox), { triggerOn: 'briefFinished' });
		const [item] = (await simple.test())!;
		expect(item!.json).toMatchObject({ status: 'ready', markdown: expect.any(String) as string });
		expect(Object.keys(item!.json)).toHaveLength(10);
		expect((await onBriefs(sandbox).test())![0]!.json).toHaveProperty('document');
	});

	it('gets the brief that ended last, whole', async () => {
		const sandbox = await stillSandbox();
		const briefs = Array.from({ length: 5 }, () => {
			sandbox.advance(60_000);
			return finished(sandbox);
		});
		const items = await onBriefs(sandbox).test();
		expect(items!.map(({ json }) => json['id'])).toEqual([briefs[4]]);
		expect(items![0]!.json['markdown']).toEqual(expect.any(String));
	});

	it('says what to do where there is nothing yet', async () => {
		const sandbox = await stillSandbox();
		await expect(onBriefs(sandbox).test()).rejects.toMatchObject({
			message: 'The workspace has no finished brief yet',
			description: expect.stringMatching(/Create one first/) as string,
		});
		const none = onHooks(sandbox, { options: { q: 'no such words anywhere' } });
		await expect(none.test()).rejects.toThrow('There are no hooks for these settings');
	});
});
