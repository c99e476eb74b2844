import { ApiClient } from '../../core/api/client';
import type { BriefSummary } from '../../core/api/types';
import { countRequests, says } from '../support/engine/fixtures';
import { startLagging, type Lag } from '../support/engine/lagging';
import { Poller } from '../support/engine/poller';
import {
	addFinished,
	addRunning,
	createFinished,
	getIds,
	onBriefs,
	openStillSandbox,
	publish,
	setKey,
} from '../support/engine/triggers';
import { MINUTE } from '../support/time';

describe('Brief Finished', () => {
	it('starts once for each brief that becomes ready or fails', async () => {
		const { sandbox, trigger } = await publish(onBriefs);
		const open = addRunning(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
		sandbox.finish(open);
		const failed = addFinished(sandbox, 'failed');
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

	it('sends one request while no brief finishes, also with running briefs', async () => {
		const { sandbox, trigger } = await publish(onBriefs);
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		addRunning(sandbox);
		await trigger.activate();
		addRunning(sandbox);
		const before = sandbox.requests.length;
		expect(await trigger.poll()).toBeNull();
		expect(sandbox.requests.length - before).toBe(1);
	});

	it('returns hundreds of briefs that finished between two polls in the sequence in which they finished', async () => {
		const { sandbox, trigger } = await publish(onBriefs);
		const expected = Array.from({ length: 210 }, () => {
			sandbox.advance(1000);
			return addFinished(sandbox);
		});
		expect(await getIds(trigger.poll())).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	it('returns each brief once over restarts that lose the state of quiet polls', async () => {
		const { sandbox, trigger } = await publish(onBriefs, {}, { slots: 50 });
		const [expected, given]: [string[], unknown[]] = [[], []];
		let open: string[] = [];
		for (let step = 0; step < 60; step += 1) {
			sandbox.advance(10_000);
			open.push(addRunning(sandbox));
			given.push(...(await getIds(trigger.poll())));
			if (step % 3 === 2) {
				// Younger briefs finish first.
				for (const id of open.filter((_id, place) => (step + place) % 2 === 0).reverse()) {
					sandbox.finish(id);
					expected.push(id);
				}
				open = open.filter((id) => !expected.includes(id));
			}
			if (step % 5 === 4) given.push(...(await getIds(trigger.activate())));
		}
		given.push(...(await getIds(trigger.poll())));
		expect([...given].sort()).toEqual([...expected].sort());
	});

	it('starts for briefs that are on the second page when they finish', async () => {
		const sandbox = await openStillSandbox({ thirdBrief: 'queue' });
		const queued = Array.from({ length: 130 }, () => {
			sandbox.advance(1000);
			return addRunning(sandbox);
		});
		const trigger = onBriefs(sandbox);
		await trigger.activate();
		for (const [first, ...others] of [[0, 129], [1], []]) {
			const ended = first === undefined ? [] : [first, ...others].map((at) => queued[at]!);
			for (const id of ended) sandbox.finish(id);
			expect(new Set(await getIds(trigger.poll()))).toEqual(new Set(ended));
		}
	});

	it('starts for a brief that the list shows a minute late', async () => {
		const { sandbox, trigger } = await publish(onBriefs, {}, { listLagMs: MINUTE });
		const late = await createFinished(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE + 1000);
		expect(await getIds(trigger.poll())).toEqual([late]);
	});

	it.each([
		['does not show', () => []],
		[
			'shows as running',
			(brief: BriefSummary) => [{ ...brief, status: 'queued', finished_at: null }],
		],
	] as const)(
		'returns no brief again that a lagging list %s',
		async (_how, behind: (brief: BriefSummary) => BriefSummary[]) => {
			const { sandbox, trigger } = await publish(onBriefs);
			const slow = addRunning(sandbox);
			const quick = addFinished(sandbox);
			expect(await getIds(trigger.poll())).toEqual([quick]);
			sandbox.finish(slow);
			const briefs = Reflect.get(ApiClient.prototype, 'listBriefs');
			const lagging = jest
				.spyOn(ApiClient.prototype, 'listBriefs')
				.mockImplementation(async function (this: ApiClient, ...query) {
					const { data, next_cursor } = await briefs.apply(this, query);
					const shown = data.flatMap((brief) => (brief.id === quick ? behind(brief) : [brief]));
					return { data: shown, next_cursor };
				});
			expect(await getIds(trigger.poll())).toEqual([slow]);
			lagging.mockRestore();
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('stops reading briefs at a rate limit and returns the others at the next poll', async () => {
		const { sandbox, trigger } = await publish(onBriefs);
		const expected = Array.from({ length: 90 }, () => addFinished(sandbox));
		sandbox.faults.add({ kind: '429', operation: 'get_brief', skip: 10, retryAfter: 30 });
		const first = await getIds(trigger.poll());
		expect(countRequests(sandbox, 'get_brief')).toBeLessThan(90);
		expect(first.length).toBeLessThan(90);
		expect([...first, ...(await getIds(trigger.activate()))].sort()).toEqual([...expected].sort());
		expect(await trigger.poll()).toBeNull();
	});

	it('starts for new briefs only when the key is of another workspace', async () => {
		const { sandbox, trigger, countNewRequests } = await publish(onBriefs);
		sandbox.addBrief({ key: 'otherWorkspace', status: 'ready' });
		setKey(trigger, sandbox, 'otherWorkspace');
		sandbox.advance(MINUTE);
		expect(await trigger.activate()).toBeNull();
		countNewRequests();
		const { id } = sandbox.addBrief({ key: 'otherWorkspace' });
		sandbox.finish(id);
		expect(await getIds(trigger.poll())).toEqual([id]);
		// The list and the brief.
		expect(countNewRequests()).toBe(2);
	});

	it('starts for briefs since the last poll, and not for older briefs, after an empty list', async () => {
		const sandbox = await openStillSandbox();
		for (let count = 0; count < 250; count += 1) sandbox.addBrief({ status: 'ready' });
		sandbox.advance(MINUTE);
		const trigger = setKey(onBriefs(sandbox), sandbox, 'otherWorkspace');
		await trigger.activate();
		setKey(trigger, sandbox, 'allScopes');
		sandbox.advance(MINUTE);
		const id = addFinished(sandbox);
		const before = countRequests(sandbox, 'list_briefs');
		expect(await getIds(trigger.activate())).toEqual([id]);
		expect(countRequests(sandbox, 'list_briefs') - before).toBe(2);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('Brief Finished, when the full brief lags behind the list', () => {
	/** Publishes a trigger whose full briefs lag as `lags` says. */
	async function publishLagging() {
		const sandbox = await openStillSandbox();
		const lags = new Map<string, Lag>();
		const target = await startLagging(sandbox, (id) => lags.get(id));
		const trigger = new Poller(target, { triggerOn: 'briefFinished', simplify: false });
		await trigger.activate();
		const found = async (items = trigger.poll()) => ((await items) ?? []).map(({ json }) => json);
		return { sandbox, trigger, lags, found, id: addFinished(sandbox) };
	}
	const whole = { status: 'ready', markdown: says(/^# /) };

	describe.each<Lag>(['unfinished', 'unknown'])('and is %s', (lag) => {
		it('starts once, when the full brief is complete', async () => {
			const { sandbox, lags, found, id } = await publishLagging();
			lags.set(id, lag);
			expect(await found()).toEqual([]);
			sandbox.advance(MINUTE);
			expect(await found()).toEqual([]);
			lags.clear();
			expect(await found()).toMatchObject([{ id, ...whole }]);
			expect(await found()).toEqual([]);
		});

		it('returns the brief after a restart, although a quiet poll saves nothing', async () => {
			const { trigger, lags, found, id } = await publishLagging();
			lags.set(id, lag);
			expect(await found()).toEqual([]);
			expect(await found(trigger.activate())).toEqual([]);
			lags.clear();
			expect(await found(trigger.activate())).toMatchObject([{ id, ...whole }]);
			expect(await found(trigger.activate())).toEqual([]);
		});

		it('returns the fields of the list once after an hour', async () => {
			const { sandbox, lags, found, id } = await publishLagging();
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

	it('returns the other briefs meanwhile', async () => {
		const { sandbox, trigger, lags, found, id } = await publishLagging();
		lags.set(id, 'unknown');
		const other = addFinished(sandbox);
		expect(await found()).toMatchObject([{ id: other }]);
		lags.clear();
		expect(await found(trigger.activate())).toMatchObject([{ id }]);
		expect(await found()).toEqual([]);
	});

	it('finds no brief in a test in the editor', async () => {
		const { trigger, lags, id } = await publishLagging();
		lags.set(id, 'unfinished');
		await expect(trigger.test()).rejects.toThrow('The workspace has no finished brief yet');
	});
});
