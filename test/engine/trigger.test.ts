import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox';
import type { BriefSummary } from '../../service/api/resources';
import { BriefingService } from '../../service/api/service';
import { OneCredential } from '../support/engine/credentials';
import { type Fault, requestsOf, sandboxWith, says, targetOf } from '../support/engine/fixtures';
import { laggingTarget, type Lag } from '../support/engine/lagging';
import { Poller } from '../support/engine/poller';
import { DAY, MINUTE } from '../support/time';

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
	passed += minutes * MINUTE;
}

/** Time moves only if a test moves it. */
async function stillSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	return await sandboxWith({ clock: { now: () => START }, ...options });
}

function onHooks(sandbox: Sandbox, parameters: INodeParameters = {}): Poller {
	const options = { limit: 30, checkInterval: 0 };
	const given = { triggerOn: 'hooksRefreshed', categories: [], output: 'hooks', options };
	return new Poller(targetOf(sandbox), { ...given, ...parameters });
}

function onBriefs(sandbox: Sandbox, parameters: INodeParameters = {}): Poller {
	const given = { triggerOn: 'briefFinished', simplify: false };
	return new Poller(targetOf(sandbox), { ...given, ...parameters });
}

const bothEvents = [
	['hooks', onHooks, () => Array<unknown>(30).fill(expect.any(String))],
	['briefs', onBriefs, (finishedId: string): unknown[] => [finishedId]],
] as const;

/** Changes key and address for the next activation. */
function withKey(trigger: Poller, sandbox: Sandbox, key: keyof Sandbox['keys']): Poller {
	Object.assign(trigger.target, targetOf(sandbox, key));
	return trigger;
}

const running = (sandbox: Sandbox): string => sandbox.addBrief({ durationMs: 999_000_000 }).id;

/** A brief that ends now. */
function finished(sandbox: Sandbox, outcome: 'ready' | 'failed' = 'ready'): string {
	const id = running(sandbox);
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
	return (await (await fetch(`${sandbox.url}/${path}`, { headers, ...create })).json()) as Answer;
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
	parameters: INodeParameters = {},
	options: SandboxOptions = {},
) {
	const sandbox = await stillSandbox(options);
	finished(sandbox);
	const trigger = on(sandbox, parameters);
	expect(await trigger.activate()).toBeNull();
	let counted = sandbox.requests.length;
	/** How often the service was asked since this was called before. */
	const asked = () => -counted + (counted = sandbox.requests.length);
	return { sandbox, trigger, asked };
}

describe('Brief Finished for some briefs alone', () => {
	it.each(['ready', 'failed'] as const)('starts for those that are %s', async (outcome) => {
		const { sandbox, trigger } = await published(onBriefs, { outcome });
		const ended = { ready: finished(sandbox, 'ready'), failed: finished(sandbox, 'failed') };
		expect(await ids(trigger.poll())).toEqual([ended[outcome]]);
		finished(sandbox, outcome === 'ready' ? 'failed' : 'ready');
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.activate('init')).toBeNull();
		expect((await trigger.test())!.map(({ json }) => json['status'])).toEqual([outcome]);
	});

	it('has the Markdown as a file too', async () => {
		const options = { markdownFile: true, outputDataFieldName: 'brief' };
		const { sandbox, trigger } = await published(onBriefs, { options });
		finished(sandbox, 'failed');
		finished(sandbox);
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

describe('Hooks Refreshed', () => {
	it.each<SandboxOptions>([{}, { timestamps: 'rfc1123' }, { refreshedAt: 'null' }])(
		'fires once when the list is refreshed, also while n8n was down: %j',
		async (options) => {
			const { sandbox, trigger, asked } = await published(onHooks, {}, options);
			expect([await trigger.poll(), asked()]).toEqual([null, 1]);
			for (const look of [() => trigger.poll(), () => trigger.activate()]) {
				sandbox.advance(DAY);
				expect(await look()).toHaveLength(30);
				expect(await look()).toBeNull();
			}
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('with Only New Hooks never gives a hook twice over many refreshes and restarts', async () => {
		const { sandbox, trigger } = await published(onHooks, { onlyNewHooks: true });
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

	it.each([
		[
			{},
			[
				...['id', 'hook', 'angle', 'why_it_works', 'category', 'video_url', 'views', 'units_sold'],
				...['gmv_usd', 'refreshed_at'],
			],
		],
		[
			{ simplify: false },
			expect.arrayContaining(['video_id', 'evidence', 'observed_at', 'refreshed_at']),
		],
	])(
		'gives the useful fields, or hooks as the service gave them: %j',
		async (parameters, fields) => {
			const [item] = (await onHooks(await stillSandbox(), parameters).test())!;
			expect(Object.keys(item!.json)).toEqual(fields);
		},
	);

	it('gives one item for a refresh, with the hooks in a list', async () => {
		const { sandbox, trigger } = await published(onHooks, { output: 'refresh' });
		sandbox.advance(DAY);
		const items = await trigger.poll();
		const { count, hooks, refreshed_at } = items![0]!.json;
		expect([items!.length, count]).toEqual([1, (hooks as unknown[]).length]);
		expect(refreshed_at).toEqual(says(/^20/));
	});

	it('names a parameter that is not valid, before anything is sent', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { categories: ['Cars'] });
		await expect(trigger.activate()).rejects.toThrow("'Categories' contains “Cars”");
		expect(sandbox.requests).toEqual([]);
	});
});

describe('Brief Finished', () => {
	it('fires once for each brief that becomes ready or fails', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const open = running(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
		sandbox.finish(open);
		const failed = finished(sandbox, 'failed');
		const items = (await trigger.poll())!.map(({ json }) => json);
		expect(new Set(items.map(({ id }) => id))).toEqual(new Set([open, failed]));
		const whole = {
			status: 'ready',
			markdown: says(/^# /),
			document: expect.any(Object) as object,
		};
		expect(items.find(({ id }) => id === open)).toMatchObject(whole);
		expect(await trigger.poll()).toBeNull();
	});

	it('costs one request while nothing has ended, also with running briefs', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		running(sandbox);
		await trigger.activate();
		running(sandbox);
		const before = sandbox.requests.length;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests.length - before).toBe(1);
	});

	it('fires for hundreds that end between two polls, in the order in which they ended', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const expected = Array.from({ length: 210 }, () => {
			sandbox.advance(1000);
			return finished(sandbox);
		});
		expect(await ids(trigger.poll())).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	it('misses and repeats nothing over restarts that lose what quiet polls have learnt', async () => {
		const { sandbox, trigger } = await published(onBriefs, {}, { slots: 50 });
		const [expected, given]: [string[], unknown[]] = [[], []];
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
	});

	it('waits for briefs deep in the list if hundreds were queued at once', async () => {
		const sandbox = await stillSandbox({ thirdBrief: 'queue' });
		const queued = Array.from({ length: 130 }, () => {
			sandbox.advance(1000);
			return running(sandbox);
		});
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		for (const [first, ...others] of [[0, 129], [1], []]) {
			const ended = first === undefined ? [] : [first, ...others].map((at) => queued[at]!);
			for (const id of ended) sandbox.finish(id);
			expect(new Set(await ids(trigger.poll()))).toEqual(new Set(ended));
		}
	});

	it('sees briefs that appear late in the list', async () => {
		const { sandbox, trigger } = await published(onBriefs, {}, { listLagMs: MINUTE });
		const late = await createdAndFinished(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE + 1000);
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

	it('passes on later what it could not read, and asks for no more after a rate limit', async () => {
		const { sandbox, trigger } = await published(onBriefs);
		const expected = Array.from({ length: 30 }, () => finished(sandbox));
		sandbox.faults.add({ kind: '429', operation: 'get_brief', skip: 10, retryAfter: 30 });
		const first = await ids(trigger.poll());
		expect(requestsOf(sandbox, 'get_brief')).toBeLessThan(30);
		expect(first.length).toBeLessThan(30);
		expect([...first, ...(await ids(trigger.activate()))].sort()).toEqual([...expected].sort());
		expect(await trigger.poll()).toBeNull();
	});

	it('starts again with the key of another workspace', async () => {
		const { sandbox, trigger, asked } = await published(onBriefs);
		sandbox.addBrief({ key: 'otherWorkspace', status: 'ready' });
		withKey(trigger, sandbox, 'otherWorkspace');
		sandbox.advance(MINUTE);
		expect(await trigger.activate()).toBeNull();
		asked();
		const { id } = sandbox.addBrief({ key: 'otherWorkspace' });
		sandbox.finish(id);
		expect(await ids(trigger.poll())).toEqual([id]);
		// The list and the brief.
		expect(asked()).toBe(2);
	});

	it('after a list without briefs fires for what has ended since, and not for the history', async () => {
		const sandbox = await stillSandbox();
		for (let count = 0; count < 250; count += 1) sandbox.addBrief({ status: 'ready' });
		sandbox.advance(MINUTE);
		const trigger = withKey(onBriefs(sandbox), sandbox, 'otherWorkspace');
		await trigger.activate();
		withKey(trigger, sandbox, 'allScopes');
		sandbox.advance(MINUTE);
		const id = finished(sandbox);
		const before = requestsOf(sandbox, 'list_briefs');
		expect(await ids(trigger.activate())).toEqual([id]);
		expect(requestsOf(sandbox, 'list_briefs') - before).toBe(2);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('Brief Finished, if a get lags behind the list', () => {
	/** A trigger whose gets lag in a way that a test sets. */
	async function lateTrigger() {
		const sandbox = await stillSandbox();
		const lags = new Map<string, Lag>();
		const target = await laggingTarget(sandbox, (id) => lags.get(id));
		const trigger = new Poller(target, { triggerOn: 'briefFinished', simplify: false });
		await trigger.activate();
		const found = async (items = trigger.poll()) => ((await items) ?? []).map(({ json }) => json);
		return { sandbox, trigger, lags, found, id: finished(sandbox) };
	}
	const whole = { status: 'ready', markdown: says(/^# /) };

	describe.each<Lag>(['unfinished', 'unknown'])('%s', (lag) => {
		it('keeps a brief for a later poll, and fires once with the whole of it', async () => {
			const { sandbox, lags, found, id } = await lateTrigger();
			lags.set(id, lag);
			expect(await found()).toEqual([]);
			sandbox.advance(MINUTE);
			expect(await found()).toEqual([]);
			lags.clear();
			expect(await found()).toMatchObject([{ id, ...whole }]);
			expect(await found()).toEqual([]);
		});

		it('loses none over a restart, though nothing was saved in a quiet poll', async () => {
			const { trigger, lags, found, id } = await lateTrigger();
			lags.set(id, lag);
			expect(await found()).toEqual([]);
			expect(await found(trigger.activate())).toEqual([]);
			lags.clear();
			expect(await found(trigger.activate())).toMatchObject([{ id, ...whole }]);
			expect(await found(trigger.activate())).toEqual([]);
		});

		it('fires after an hour with what the list shows, and not a second time', async () => {
			const { sandbox, lags, found, id } = await lateTrigger();
			lags.set(id, lag);
			expect(await found()).toEqual([]);
			sandbox.advance(59 * MINUTE);
			expect(await found()).toEqual([]);
			sandbox.advance(2 * MINUTE);
			const listed = { id, status: 'ready', title: says(/./), markdown: null, document: null };
			expect(await found()).toMatchObject([listed]);
			lags.clear();
			expect(await found()).toEqual([]);
		});
	});

	it('passes the others on meanwhile', async () => {
		const { sandbox, trigger, lags, found, id } = await lateTrigger();
		lags.set(id, 'unknown');
		const other = finished(sandbox);
		expect(await found()).toMatchObject([{ id: other }]);
		lags.clear();
		expect(await found(trigger.activate())).toMatchObject([{ id }]);
		expect(await found()).toEqual([]);
	});

	it('gives no unfinished brief in a test in the editor either', async () => {
		const { trigger, lags, id } = await lateTrigger();
		lags.set(id, 'unfinished');
		await expect(trigger.test()).rejects.toThrow('The workspace has no finished brief yet');
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

	it('fire both if they are of two nodes', async () => {
		const sandbox = await stillSandbox();
		const triggers = [onHooks(sandbox), onHooks(sandbox)];
		for (const trigger of triggers) await trigger.activate();
		sandbox.advance(DAY);
		const both = await Promise.all(triggers.map((trigger) => trigger.poll()));
		expect(both.map((items) => items?.length)).toEqual([30, 30]);
	});
});

describe('the service is asked', () => {
	it.each([
		['every 15 minutes, however often n8n polls', 'poll', 24 * 60, 96],
		['as seldom by polls of the durable schedule, which know what was saved', 'pollDurably', 60, 4],
	] as const)('for hooks %s', async (_, poll, minutes, times) => {
		const { trigger, asked } = await published(onHooks, { options: {} });
		for (let minute = 0; minute < minutes; minute += 1) {
			pass(1);
			await trigger[poll]();
		}
		expect(asked()).toBe(times);
	});

	it('as often as Check at Most Every says, and at once by an activation and a test', async () => {
		const { trigger, asked } = await published(onHooks, { options: { checkInterval: 60 } });
		pass(50);
		expect([await trigger.poll(), asked()]).toEqual([null, 0]);
		await trigger.test();
		expect(asked()).toBe(1);
		await trigger.activate('init');
		expect(asked()).toBe(1);
		// n8n starts a poll some seconds early or late.
		pass(59.9);
		await trigger.poll();
		expect(asked()).toBe(1);
	});

	it.each([
		['hooks', onHooks, 'list_hooks'],
		['briefs', onBriefs, 'list_briefs'],
	] as const)(
		'for %s no sooner than it wants to be, though it be twenty days',
		async (_name, on, operation) => {
			const { sandbox, trigger, asked } = await published(on);
			sandbox.faults.add({ kind: '429', operation, retryAfter: 20 * 86_400 });
			await trigger.poll().catch(() => null);
			for (let poll = 0; poll < 4; poll += 1) {
				pass(24 * 60);
				expect(await trigger.poll()).toBeNull();
			}
			expect(asked()).toBe(1);
			pass(16 * 24 * 60);
			await trigger.poll();
			expect(asked()).toBe(1);
		},
	);

	it('at once by an activation, for the licence may have been raised', async () => {
		const sandbox = await stillSandbox({ contentIqAllowance: 1 });
		const trigger = onHooks(sandbox);
		await trigger.activate();
		await expect(trigger.poll()).rejects.toMatchObject({
			message: 'The month’s allowance of this tool is used up',
			description: says(/asks again after 2026-12-01 00:00 UTC, or at once .* published again/),
			failure: { cause: 'quota-exhausted', resetsAtEpochMs: Date.UTC(2026, 11, 1) },
		});
		sandbox.options.contentIqAllowance = 0;
		sandbox.advance(DAY);
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.activate()).not.toBeNull();
	});
});

describe('a trigger that is', () => {
	it.each(bothEvents)('renamed and named back goes on where it was: %s', async (_, on, newOf) => {
		const { sandbox, trigger } = await published(on);
		for (const name of ['Renamed', 'Trigger']) {
			sandbox.advance(DAY);
			const id = finished(sandbox);
			trigger.name = name;
			expect(await ids(trigger.activate())).toEqual(newOf(id));
		}
		expect(await trigger.activate()).toBeNull();
	});

	it.each([
		['catches up', 'catchUp', 'activate', true],
		['starts from now on if it is set to', 'fromNow', 'activate', false],
		['catches up after a restart, whatever is set', 'fromNow', 'init', true],
		['catches up after a change of the workflow, whatever is set', 'fromNow', 'update', true],
	] as const)('published again %s', async (_what, whenPublishedAgain, how, catchesUp) => {
		const { sandbox, trigger } = await published(onBriefs, { options: { whenPublishedAgain } });
		const meanwhile = finished(sandbox);
		expect(await ids(trigger.activate(how))).toEqual(catchesUp ? [meanwhile] : []);
		const later = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([later]);
	});

	it('starts from now on if asked to, though the service is down at that moment', async () => {
		const options = { whenPublishedAgain: 'fromNow' };
		const { sandbox, trigger } = await published(onBriefs, { options });
		finished(sandbox);
		sandbox.advance(MINUTE);
		sandbox.faults.add({ kind: '5xx' });
		expect(await trigger.activate()).toBeNull();
		sandbox.advance(MINUTE);
		const id = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([id]);
	});
});

describe('trouble', () => {
	it.each(bothEvents)(
		'at the first activation keeps nothing from being published, and nothing after it is lost: %s',
		async (_name, on, newOf) => {
			const sandbox = await stillSandbox();
			finished(sandbox);
			sandbox.advance(MINUTE);
			const trigger = on(sandbox);
			sandbox.faults.add({ kind: '5xx' });
			expect(await trigger.activate()).toBeNull();
			sandbox.advance(DAY);
			const id = finished(sandbox);
			// n8n was killed before it could see the list.
			expect(await ids(trigger.activate())).toEqual(newOf(id));
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('at the first activation loses nothing if the service was not reached', async () => {
		// The mark is then of this machine's clock.
		const sandbox = await stillSandbox({ startAt: Date.now() });
		finished(sandbox);
		sandbox.advance(MINUTE);
		const trigger = onBriefs(sandbox);
		sandbox.faults.add({ kind: 'reset' });
		await trigger.activate();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
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
	] as const)('with the key %s is reported at activation', async (key, httpCode) => {
		const sandbox = await stillSandbox();
		const failed = { httpCode, failure: { cause: 'credential-invalid' } };
		await expect(withKey(onBriefs(sandbox), sandbox, key).activate()).rejects.toMatchObject(failed);
	});

	it.each(['5xx', 'html', '429'] as const)(
		'in a poll (%s) is borne in silence, without a sleep, and leaves the state as it was',
		async (kind) => {
			const { sandbox, trigger } = await published(onBriefs);
			const id = finished(sandbox);
			for (const operation of ['list_briefs', 'get_brief'] as const) {
				sandbox.faults.add({ kind, retryAfter: 20, operation });
			}
			const { savedData } = trigger;
			const started = Date.now();
			for (let poll = 0; poll < 2; poll += 1) {
				expect(await trigger.poll()).toBeNull();
				passed += 21_000;
			}
			expect(trigger.savedData).toBe(savedData);
			expect(await ids(trigger.poll())).toEqual([id]);
			expect(Date.now() - started - passed).toBeLessThan(10_000);
		},
	);

	describe('that lasts', () => {
		/** One poll a minute; gives the minutes at which one failed, and for what. */
		async function failuresOf(trigger: Poller, minutes: number): Promise<unknown[]> {
			const failures: unknown[] = [];
			for (let minute = 0; minute < minutes; minute += 1) {
				await trigger.poll().catch((thrown: unknown) => {
					failures.push([minute, (thrown as { failure: unknown }).failure]);
				});
				pass(1);
			}
			return failures;
		}

		it('for an hour is one failed execution, and each poll that goes well begins again', async () => {
			const { sandbox, trigger } = await published(onBriefs);
			const reported = [[15, { cause: 'temporarily-unavailable' }]];
			sandbox.faults.add({ kind: '5xx', times: 60 });
			expect(await failuresOf(trigger, 60)).toEqual(reported);
			const id = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([id]);
			sandbox.faults.add({ kind: '5xx', times: 20 });
			expect(await failuresOf(trigger, 20)).toEqual(reported);
		});

		const down: Fault = { kind: '5xx', times: 20 };
		const odd: Fault = { kind: 'broken-json', times: 5 };
		const [shortly, refused, noScope] = [
			{ ...down, times: 15 },
			{ ...down, status: 401 },
			{ ...down, status: 403 },
		];
		it.each<[string, Fault[], number[]]>([
			['for a quarter of an hour is not reported', [shortly], []],
			[
				'in another way is reported once more, and not each time it changes',
				[down, odd, { ...down, times: 5 }, odd],
				[15, 20],
			],
			['because of the key is reported at once, and once', [refused], [0]],
			['because of the key after an outage too', [{ ...down, times: 3 }, noScope], [3]],
		])('%s', async (_, faults, minutes) => {
			const { sandbox, trigger } = await published(onBriefs);
			for (const fault of faults) sandbox.faults.add(fault);
			const failures = (await failuresOf(trigger, 36)) as Array<[number, object]>;
			expect(failures.map(([minute]) => minute)).toEqual(minutes);
		});

		it('because the credential cannot be used is reported once, and once more when it changes', async () => {
			const { sandbox, trigger } = await published(onBriefs);
			const { url: baseUrl, key: apiKey } = targetOf(sandbox, 'revoked');
			const read = jest.spyOn(OneCredential.prototype, 'getDecrypted');
			read.mockRejectedValue(new Error('Credential with ID "1" does not exist'));
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
			read.mockResolvedValue({ baseUrl: 'http://example.com/v1', apiKey });
			expect(await failuresOf(trigger, 5)).toHaveLength(0);
			read.mockResolvedValue({ baseUrl, apiKey });
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
			read.mockResolvedValue({ baseUrl, apiKey: sandbox.keys.allScopes });
			const id = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([id]);
			read.mockRejectedValue(new Error('gone'));
			expect(await failuresOf(trigger, 5)).toHaveLength(1);
		});

		it('because parameters are not valid is reported once', async () => {
			const limit = `={{ $now.toMillis() < ${Date.now() + 600_000} ? 30 : 999 }}`;
			const trigger = onHooks(await stillSandbox(), { options: { limit } });
			await trigger.activate();
			expect(await failuresOf(trigger, 60)).toHaveLength(1);
		});
	});

	it.each([
		['5xx', { cause: 'temporarily-unavailable' }],
		['html', { cause: 'temporarily-unavailable' }],
		['429', { cause: 'rate-limited', retryAfterMs: expect.any(Number) as number }],
	] as const)(
		'under the durable schedule of polls (%s) is reported each time, because that has a back-off',
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
		for (const listLagMs of [10 * DAY, 0]) {
			sandbox.options.listLagMs = listLagMs;
			expect(await trigger.poll()).toBeNull();
		}
	});
});

describe('a test in the editor', () => {
	it('gets one item, for what follows may cost something, and changes nothing', async () => {
		const { sandbox, trigger } = await published(onHooks);
		const { savedData } = trigger;
		expect([await trigger.test(), await trigger.test()]).toMatchObject([
			{ length: 1 },
			{ length: 1 },
		]);
		expect(trigger.savedData).toBe(savedData);
		const digest = await onHooks(sandbox, { output: 'refresh' }).test();
		expect(digest!.map(({ json }) => json['count'])).toEqual([3]);
	});

	it('gets the brief that ended last: simplified, unless that is switched off', async () => {
		const sandbox = await stillSandbox();
		const briefs = Array.from({ length: 5 }, () => {
			sandbox.advance(MINUTE);
			return finished(sandbox);
		});
		const last = { id: briefs[4], status: 'ready', markdown: says(/^# /) };
		const [simple, ...others] = (await onBriefs(sandbox, { simplify: true }).test())!;
		expect(simple!.json).toMatchObject(last);
		expect(Object.keys(simple!.json)).toHaveLength(10);
		expect(others).toEqual([]);
		const [whole] = (await onBriefs(sandbox).test())!;
		expect(whole!.json).toMatchObject({ ...last, document: expect.any(Object) as object });
	});

	it('says what to do if there is nothing yet', async () => {
		const sandbox = await stillSandbox();
		await expect(onBriefs(sandbox).test()).rejects.toMatchObject({
			message: 'The workspace has no finished brief yet',
			description: says(/Create one first/),
		});
		const none = onHooks(sandbox, { options: { q: 'no such words anywhere' } });
		await expect(none.test()).rejects.toThrow('There are no hooks for these settings');
	});
});
