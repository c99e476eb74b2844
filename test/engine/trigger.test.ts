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

/** One of the workspace's own, which a slow list may hide. */
async function createdAndFinished(sandbox: Sandbox): Promise<string> {
	const answer = await fetch(`${sandbox.url}/briefs`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.keys.allScopes}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({ product_name: 'Glow Serum' }),
	});
	const { id } = (await answer.json()) as { id: string };
	sandbox.finish(id);
	return id;
}

async function ids(items: ReturnType<Poller['poll']>): Promise<unknown[]> {
	return ((await items) ?? []).map(({ json }) => json['id']);
}

describe('Hooks Refreshed', () => {
	it('takes the list as it is at activation, and fires when it is refreshed', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox);
		expect(await trigger.activate()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(DAY);
		const items = await trigger.poll();
		expect(items!.length).toBeGreaterThan(0);
		expect(items![0]!.json).toMatchObject({
			hook: expect.any(String) as string,
			refreshed_at: expect.any(String) as string,
		});
		expect(await trigger.poll()).toBeNull();
	});

	it('costs one small request while nothing has changed, whatever the categories', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { categories: ['Wellness', 'Fashion'] });
		await trigger.activate();
		const before = sandbox.requests.length;
		await trigger.poll();
		expect(sandbox.requests.slice(before).map(({ query }) => query)).toEqual([
			{ category: 'Wellness', limit: '1' },
		]);
	});

	it('passes on all hooks of a refresh, or leaves out those that were there before', async () => {
		const sandbox = await stillSandbox();
		const all = onHooks(sandbox);
		const news = onHooks(sandbox, { onlyNewHooks: true });
		await news.activate();
		await all.activate();
		sandbox.advance(DAY);
		const before = await ids(all.poll());
		await news.poll();
		sandbox.advance(DAY);
		const fresh = await ids(news.poll());
		expect(before).toHaveLength(30);
		expect(await ids(all.poll())).toHaveLength(30);
		expect(fresh.length).toBeGreaterThan(0);
		expect(fresh.filter((id) => before.includes(id))).toEqual([]);
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
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { output: 'refresh' });
		await trigger.activate();
		sandbox.advance(DAY);
		const items = await trigger.poll();
		expect(items).toHaveLength(1);
		const { count, hooks, refreshed_at } = items![0]!.json as Record<string, unknown>;
		expect(hooks).toHaveLength(count as number);
		expect(refreshed_at).toEqual(expect.any(String));
	});

	it('fires for a refresh while n8n was down, once, and not again after the next start', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox);
		await trigger.activate();
		await trigger.poll();
		sandbox.advance(DAY);
		expect(await trigger.activate()).not.toBeNull();
		expect(await trigger.activate()).toBeNull();
		expect(await trigger.poll()).toBeNull();
	});

	it('never gives a hook twice over many refreshes and restarts', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { onlyNewHooks: true });
		await trigger.activate();
		const given: unknown[] = [];
		for (let day = 0; day < 12; day += 1) {
			sandbox.advance(DAY);
			given.push(...(await ids(day % 3 === 0 ? trigger.activate() : trigger.poll())));
			given.push(...(await ids(trigger.poll())));
		}
		expect(given.length).toBeGreaterThan(12);
		expect(new Set(given).size).toBe(given.length);
	});

	it('fires by the list itself where the service names no time', async () => {
		const sandbox = await stillSandbox({ refreshedAt: 'null' });
		const trigger = onHooks(sandbox);
		expect(await trigger.activate()).toBeNull();
		const before = sandbox.requests.length;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests.length - before).toBe(1);
		sandbox.advance(DAY);
		expect(await trigger.poll()).not.toBeNull();
		expect(await trigger.poll()).toBeNull();
	});

	it.each(['epoch-seconds', 'epoch-ms-string', 'rfc1123', 'iso-offset'] as const)(
		'reads refreshed_at as %s',
		async (timestamps) => {
			const sandbox = await stillSandbox({ timestamps });
			const trigger = onHooks(sandbox);
			await trigger.activate();
			expect(await trigger.poll()).toBeNull();
			sandbox.advance(DAY);
			expect(await trigger.poll()).not.toBeNull();
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('does not fire again for a refresh after a copy that lags behind has answered', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox);
		await trigger.activate();
		sandbox.advance(DAY);
		const [first] = (await trigger.poll())!;
		const before = new Date(START - DAY).toISOString();
		const hooks = jest.spyOn(BriefingService.prototype, 'hooks');
		hooks.mockResolvedValueOnce({ data: [], refreshed_at: null });
		hooks.mockResolvedValueOnce({ data: [], refreshed_at: before });
		expect(first!.json['refreshed_at']).not.toBe(before);
		expect(await trigger.poll()).toBeNull();
		hooks.mockRestore();
		expect(await trigger.poll()).toBeNull();
	});

	it('names a parameter that is not valid, before anything is sent', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { categories: ['Cars'] });
		await expect(trigger.activate()).rejects.toThrow("'Categories' contains “Cars”");
		expect(sandbox.requests).toHaveLength(0);
	});
});

describe('Brief Finished', () => {
	it('knows a brief again whose ID the service writes in capitals now', async () => {
		const sandbox = await sandboxWith();
		finished(sandbox);
		const running = sandbox.addBrief({ durationMs: 999_000_000 }).id;
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		sandbox.options.briefIds = 'capitals';
		sandbox.finish(running, 'ready');
		const ids = (await trigger.poll())?.map(({ json }) => json['id']);
		expect(ids).toEqual([running.toUpperCase()]);
		expect(await trigger.poll()).toBeNull();
	});

	it('fires once for each brief that becomes ready or fails, with the whole brief', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const running = sandbox.addBrief({ durationMs: 999_000_000 });
		const trigger = onBriefs(sandbox);
		expect(await trigger.activate()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(60_000);
		sandbox.finish(running.id);
		const failed = finished(sandbox, 'failed');
		const items = await trigger.poll();
		expect(new Set(items!.map(({ json }) => json['id']))).toEqual(new Set([running.id, failed]));
		expect(items!.find(({ json }) => json['id'] === running.id)!.json).toMatchObject({
			status: 'ready',
			markdown: expect.any(String) as string,
			document: expect.any(Object) as object,
		});
		expect(await trigger.poll()).toBeNull();
	});

	it('costs one request while nothing has ended, also with running briefs', async () => {
		const sandbox = await stillSandbox();
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		sandbox.addBrief({ durationMs: 999_000_000 });
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		sandbox.addBrief({ durationMs: 999_000_000 });
		const before = sandbox.requests.length;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests.length - before).toBe(1);
	});

	it('fires for hundreds that end between two polls, in the order in which they ended', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		const expected: string[] = [];
		for (let count = 0; count < 350; count += 1) {
			sandbox.advance(1000);
			expected.push(finished(sandbox));
		}
		expect(await ids(trigger.poll())).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	}, 30_000);

	it('is not misled by briefs that end in another order than they were created', async () => {
		const sandbox = await stillSandbox({ slots: 50 });
		const briefs = Array.from({ length: 20 }, () => {
			sandbox.advance(1000);
			return sandbox.addBrief({ durationMs: 999_000_000 }).id;
		});
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		const given: unknown[] = [];
		for (const id of [...briefs].reverse()) {
			sandbox.advance(1000);
			sandbox.finish(id);
			given.push(...(await ids(trigger.poll())));
		}
		expect(given).toEqual([...briefs].reverse());
	});

	it('misses and repeats nothing over restarts that lose what quiet polls have learnt', async () => {
		const sandbox = await stillSandbox({ slots: 50 });
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		const expected: string[] = [];
		const given: unknown[] = [];
		let open: string[] = [];
		for (let step = 0; step < 60; step += 1) {
			sandbox.advance(10_000);
			open.push(sandbox.addBrief({ durationMs: 999_000_000 }).id);
			given.push(...(await ids(trigger.poll())));
			if (step % 3 === 2) {
				for (const id of open.filter((_id, place) => (step + place) % 2 === 0)) {
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
			return sandbox.addBrief({ durationMs: 999_000_000 }).id;
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
			const sandbox = await stillSandbox();
			const slow = sandbox.addBrief({ durationMs: 999_000_000 });
			finished(sandbox);
			const trigger = onBriefs(sandbox);
			await trigger.activate();
			const quick = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([quick]);
			sandbox.finish(slow.id);
			const briefs = Reflect.get(BriefingService.prototype, 'briefs');
			const lagging = jest
				.spyOn(BriefingService.prototype, 'briefs')
				.mockImplementation(async function (this: BriefingService, ...query) {
					const { data, next_cursor } = await briefs.apply(this, query);
					const shown = data.flatMap((brief) => (brief.id === quick ? behind(brief) : [brief]));
					return { data: shown, next_cursor };
				});
			expect(await ids(trigger.poll())).toEqual([slow.id]);
			lagging.mockRestore();
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('passes on in the next poll what the first could not read', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		const expected = Array.from({ length: 30 }, () => finished(sandbox));
		sandbox.faults.add({ kind: '429', operation: 'get_brief', skip: 10, retryAfter: 30 });
		const started = Date.now();
		const first = await ids(trigger.poll());
		expect(first.length).toBeLessThan(30);
		const rest = await ids(trigger.activate());
		expect(Date.now() - started).toBeLessThan(5_000);
		expect([...first, ...rest].sort()).toEqual([...expected].sort());
		expect(await trigger.poll()).toBeNull();
	});

	it('starts anew with the key of another workspace', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		sandbox.addBrief({ key: 'otherWorkspace', status: 'ready' });
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		withKey(trigger, sandbox, 'otherWorkspace');
		sandbox.advance(60_000);
		expect(await trigger.activate()).toBeNull();
		const before = requestsOf(sandbox, 'list_briefs');
		const { id } = sandbox.addBrief({ key: 'otherWorkspace' });
		sandbox.finish(id);
		expect(await ids(trigger.poll())).toEqual([id]);
		expect(requestsOf(sandbox, 'list_briefs') - before).toBe(1);
	});

	it('fires for the first brief of a workspace', async () => {
		const sandbox = await stillSandbox();
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		sandbox.advance(60_000);
		const id = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([id]);
		expect(await trigger.poll()).toBeNull();
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
	it.each([
		['hooks', onHooks],
		['briefs', onBriefs],
	] as const)('fire once for %s: the second gives nothing', async (_name, on) => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const trigger = on(sandbox);
		await trigger.activate();
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
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { options: {} });
		await trigger.activate();
		requests(sandbox);
		for (let minute = 0; minute < 24 * 60; minute += 1) {
			pass(1);
			await trigger.poll();
		}
		expect(requests(sandbox)).toBe(96);
	});

	it('as often as Check at Most Every says, and at once by an activation and a test', async () => {
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { options: { checkInterval: 60 } });
		await trigger.activate();
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
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox, { options: {} });
		await trigger.activate();
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
			const sandbox = await stillSandbox();
			const trigger = on(sandbox);
			await trigger.activate();
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
	it.each([
		['hooks', onHooks],
		['briefs', onBriefs],
	] as const)(
		'renamed goes on where it was, and so when it is named back: %s',
		async (_name, on) => {
			const sandbox = await stillSandbox();
			finished(sandbox);
			const trigger = on(sandbox);
			await trigger.activate();
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

	it('published again catches up, and starts from now on where it is told to', async () => {
		const sandbox = await stillSandbox();
		const catchesUp = onBriefs(sandbox);
		const startsAnew = onBriefs(sandbox, { options: { whenPublishedAgain: 'fromNow' } });
		for (const trigger of [catchesUp, startsAnew]) await trigger.activate();
		const meanwhile = finished(sandbox);
		expect(await ids(catchesUp.activate())).toEqual([meanwhile]);
		expect(await ids(startsAnew.activate())).toEqual([]);
		const later = finished(sandbox);
		expect(await ids(startsAnew.poll())).toEqual([later]);
	});

	it.each(['init', 'update'] as const)(
		'told to start from now on does so where it was not published before, and not at: %s',
		async (how) => {
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox, { options: { whenPublishedAgain: 'fromNow' } });
			await trigger.activate();
			const id = finished(sandbox);
			expect(await ids(trigger.activate(how))).toEqual([id]);
		},
	);

	it('told to start from now on does so though the service is down at that moment', async () => {
		const sandbox = await stillSandbox();
		finished(sandbox);
		const trigger = onBriefs(sandbox, { options: { whenPublishedAgain: 'fromNow' } });
		await trigger.activate();
		finished(sandbox);
		sandbox.advance(60_000);
		sandbox.faults.add({ kind: '5xx' });
		expect(await trigger.activate()).toBeNull();
		sandbox.advance(60_000);
		const id = finished(sandbox);
		expect(await ids(trigger.poll())).toEqual([id]);
	});

	it('changed in its settings takes the list as the beginning, with Only New Hooks', async () => {
		const sandbox = await stillSandbox();
		const parameters = { onlyNewHooks: true, categories: ['Wellness'] };
		const trigger = onHooks(sandbox, parameters);
		await trigger.activate();
		sandbox.advance(DAY);
		trigger.parameters['categories'] = ['Fashion'];
		expect(await trigger.activate()).toBeNull();
		const all = await ids(onHooks(sandbox, { ...parameters, categories: ['Fashion'] }).test());
		sandbox.advance(DAY);
		const fresh = await ids(trigger.poll());
		expect(fresh.length).toBeGreaterThan(0);
		expect(fresh).not.toContain(all[0]);
	});
});

describe('trouble', () => {
	it.each([
		['hooks', onHooks],
		['briefs', onBriefs],
	] as const)(
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
		const sandbox = await stillSandbox();
		const trigger = onBriefs(sandbox);
		await trigger.activate();
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
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox);
			await trigger.activate();
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

		it('for an hour is one failed execution, and each poll that goes well begins anew', async () => {
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox);
			await trigger.activate();
			sandbox.faults.add({ kind: '5xx', times: 60 });
			const told = [15, { cause: 'temporarily-unavailable' }];
			expect(await failuresOf(trigger, 60)).toEqual([told]);
			const id = finished(sandbox);
			expect(await ids(trigger.poll())).toEqual([id]);
			sandbox.faults.add({ kind: '5xx', times: 20 });
			expect(await failuresOf(trigger, 20)).toEqual([told]);
		}, 20_000);

		it('because of a refused key is told at once, and once', async () => {
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox);
			await trigger.activate();
			sandbox.revoke('allScopes');
			expect(await failuresOf(trigger, 5)).toEqual([[0, { cause: 'credential-invalid' }]]);
		});

		it('because the credential cannot be used is told once, and once more when it changes', async () => {
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox);
			await trigger.activate();
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
			const sandbox = await stillSandbox();
			const trigger = onBriefs(sandbox);
			await trigger.activate();
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
		const sandbox = await stillSandbox();
		const trigger = onHooks(sandbox);
		await trigger.activate();
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
