import { ApiClient } from '../../core/api/client';
import type { BriefSummary } from '../../core/api/types';
import { startLaggingProxy, type Lag } from '../support/engine/lagging-proxy';
import {
	addFinished,
	addRunning,
	getIds,
	makeBriefsTrigger,
	openStillSandbox,
	publish,
} from '../support/engine/triggers';
import type { Service } from '../support/engine/fixtures';
import { DAY, HOUR, MINUTE } from '../support/time';
import { matchText } from '../support/values';

/** Orders a brief, which finishes now. Only briefs that were ordered through the API are listed late. */
async function orderFinished(sandbox: Service): Promise<string> {
	const created = await fetch(`${sandbox.url}/briefs`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${sandbox.keys.allScopes}`,
			'content-type': 'application/json',
		},
		body: JSON.stringify({ product_name: 'Glow Serum' }),
	});
	const { id } = (await created.json()) as { id: string };
	sandbox.finish(id);
	return id;
}

describe('Brief Finished', () => {
	test('starts once for each brief that becomes ready or fails', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const running = addRunning(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(MINUTE);
		const failed = addFinished(sandbox, 'failed');
		sandbox.advance(MINUTE);
		sandbox.finish(running);
		const document = expect.any(Object) as object;
		expect((await trigger.poll())!.map(({ json }) => json)).toMatchObject([
			{ id: failed, status: 'failed' },
			{ id: running, status: 'ready', markdown: matchText(/^# /), document },
		]);
		expect(await trigger.poll()).toBeNull();
	});

	test('sends one request per poll while no brief finishes, also with running briefs', async () => {
		const { sandbox, trigger, countNewRequests } = await publish(makeBriefsTrigger);
		for (let count = 0; count < 150; count += 1) sandbox.addBrief({ status: 'ready' });
		addRunning(sandbox);
		await trigger.activate();
		addRunning(sandbox);
		countNewRequests();
		expect(await trigger.poll()).toBeNull();
		expect(countNewRequests()).toBe(1);
	});

	test('returns hundreds of briefs that finished between two polls in the sequence in which they finished', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const expected = Array.from({ length: 210 }, () => {
			sandbox.advance(1000);
			return addFinished(sandbox);
		});
		expect(await getIds(trigger.poll())).toEqual(expected);
		expect(await trigger.poll()).toBeNull();
	});

	test('returns each brief once over restarts that lose the state of quiet polls', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger, {}, { slots: 50 });
		const [expected, found]: [string[], unknown[]] = [[], []];
		let running: string[] = [];
		for (let step = 0; step < 60; step += 1) {
			sandbox.advance(10_000);
			running.push(addRunning(sandbox));
			found.push(...(await getIds(trigger.poll())));
			if (step % 3 === 2) {
				// Younger briefs finish first.
				for (const id of running.filter((_id, index) => (step + index) % 2 === 0).reverse()) {
					sandbox.finish(id);
					expected.push(id);
				}
				running = running.filter((id) => !expected.includes(id));
			}
			if (step % 5 === 4) found.push(...(await getIds(trigger.activate())));
		}
		found.push(...(await getIds(trigger.poll())));
		expect([...found].sort()).toEqual([...expected].sort());
	});

	test('starts for briefs that are on the second page when they finish', async () => {
		const sandbox = await openStillSandbox({ thirdBrief: 'queue' });
		const queued = Array.from({ length: 130 }, () => {
			sandbox.advance(1000);
			return addRunning(sandbox);
		});
		const trigger = makeBriefsTrigger(sandbox);
		await trigger.activate();
		for (const indexes of [[0, 129], [1], []]) {
			const finished = indexes.map((index) => queued[index]!);
			for (const id of finished) sandbox.finish(id);
			expect(new Set(await getIds(trigger.poll()))).toEqual(new Set(finished));
		}
	});

	test.each([
		['alone', () => []],
		['after a younger brief', (sandbox: Service) => [addFinished(sandbox)]],
	])(
		'starts for the first brief of a workspace that the list shows nine minutes late, %s',
		async (_, addYounger: (sandbox: Service) => string[]) => {
			const sandbox = await openStillSandbox({ listLagMs: 9 * MINUTE });
			const trigger = makeBriefsTrigger(sandbox);
			await trigger.activate();
			const id = await orderFinished(sandbox);
			sandbox.advance(1000);
			const younger = addYounger(sandbox);
			const found: unknown[] = [];
			for (let minute = 0; minute < 30; minute += 1) {
				found.push(...(await getIds(trigger.poll())));
				sandbox.advance(MINUTE);
			}
			expect(found).toEqual([...younger, id]);
		},
	);

	test.each([
		['alone', () => null],
		['after an older brief', addFinished],
	])(
		'starts once for a brief that finished just before publishing and is listed nine minutes late, %s',
		async (_, addOlder: (sandbox: Service) => unknown) => {
			const sandbox = await openStillSandbox({ listLagMs: 9 * MINUTE });
			addOlder(sandbox);
			const late = await orderFinished(sandbox);
			sandbox.advance(MINUTE);
			const trigger = makeBriefsTrigger(sandbox);
			expect(await trigger.activate()).toBeNull();
			const found: unknown[] = [];
			for (let minute = 0; minute < 30; minute += 1) {
				sandbox.advance(MINUTE);
				found.push(...(await getIds(minute % 10 === 9 ? trigger.activate() : trigger.poll())));
			}
			expect(found).toEqual([late]);
		},
	);

	test('does not start for a brief that finished long before publishing', async () => {
		const sandbox = await openStillSandbox({ listLagMs: 9 * MINUTE });
		await orderFinished(sandbox);
		sandbox.advance(13 * MINUTE);
		const trigger = makeBriefsTrigger(sandbox);
		for (let minute = 0; minute < 30; minute += 1) {
			expect(await (minute === 0 ? trigger.activate() : trigger.poll())).toBeNull();
			sandbox.advance(MINUTE);
		}
	});

	test.each([
		['omits', () => []],
		[
			'shows as running',
			(brief: BriefSummary) => [{ ...brief, status: 'queued', finished_at: null }],
		],
	] as const)(
		'returns no brief again that a lagging list %s',
		async (_, showLate: (brief: BriefSummary) => BriefSummary[]) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger);
			const slow = addRunning(sandbox);
			const quick = addFinished(sandbox);
			expect(await getIds(trigger.poll())).toEqual([quick]);
			sandbox.finish(slow);
			const listBriefs = Reflect.get(ApiClient.prototype, 'listBriefs');
			const lagging = jest
				.spyOn(ApiClient.prototype, 'listBriefs')
				.mockImplementation(async function (this: ApiClient, ...query) {
					const { data, next_cursor } = await listBriefs.apply(this, query);
					const shown = data.flatMap((brief) => (brief.id === quick ? showLate(brief) : [brief]));
					return { data: shown, next_cursor };
				});
			expect(await getIds(trigger.poll())).toEqual([slow]);
			lagging.mockRestore();
			expect(await trigger.poll()).toBeNull();
		},
	);

	test('stops reading briefs at a rate limit and returns the others at the next poll', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const expected = Array.from({ length: 90 }, () => addFinished(sandbox));
		sandbox.faults.add({ kind: '429', operation: 'get_brief', skip: 10, retryAfter: 30 });
		const first = await getIds(trigger.poll());
		expect(sandbox.countRequests('get_brief')).toBeLessThan(90);
		expect(first.length).toBeLessThan(90);
		expect([...first, ...(await getIds(trigger.activate()))].sort()).toEqual([...expected].sort());
		expect(await trigger.poll()).toBeNull();
	});

	test('starts for new briefs only when the key is of another workspace', async () => {
		const { sandbox, trigger, countNewRequests } = await publish(makeBriefsTrigger);
		const key = 'otherWorkspace';
		sandbox.addBrief({ key, status: 'ready', createdAt: sandbox.now() - HOUR });
		trigger.target = sandbox.getTarget(key);
		sandbox.advance(MINUTE);
		expect(await trigger.activate()).toBeNull();
		countNewRequests();
		const { id } = sandbox.addBrief({ key });
		sandbox.finish(id);
		expect(await getIds(trigger.poll())).toEqual([id]);
		// The list and the brief.
		expect(countNewRequests()).toBe(2);
	});

	test('starts for briefs since the last poll, and not for older briefs, after an empty list', async () => {
		const sandbox = await openStillSandbox();
		for (let count = 0; count < 250; count += 1) sandbox.addBrief({ status: 'ready' });
		sandbox.advance(HOUR);
		const trigger = makeBriefsTrigger(sandbox);
		trigger.target = sandbox.getTarget('otherWorkspace');
		await trigger.activate();
		trigger.target = sandbox.getTarget();
		sandbox.advance(MINUTE);
		const id = addFinished(sandbox);
		const before = sandbox.countRequests('list_briefs');
		expect(await getIds(trigger.activate())).toEqual([id]);
		expect(sandbox.countRequests('list_briefs') - before).toBe(2);
		expect(await trigger.poll()).toBeNull();
	});

	test.each(['ready', 'failed'] as const)(
		'starts only for %s briefs when Briefs is set to them',
		async (outcome) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger, { outcome });
			const ids = { ready: addFinished(sandbox), failed: addFinished(sandbox, 'failed') };
			expect(await getIds(trigger.poll())).toEqual([ids[outcome]]);
			addFinished(sandbox, outcome === 'ready' ? 'failed' : 'ready');
			expect(await trigger.poll()).toBeNull();
			expect((await trigger.test())!.map(({ json }) => json['status'])).toEqual([outcome]);
		},
	);

	test('adds the text as a file when Markdown as File is on', async () => {
		const options = { markdownFile: true, outputDataFieldName: 'brief' };
		const { sandbox, trigger } = await publish(makeBriefsTrigger, { options });
		addFinished(sandbox, 'failed');
		sandbox.advance(MINUTE);
		addFinished(sandbox);
		const [failed, ready] = (await trigger.poll())!;
		expect(failed).not.toHaveProperty('binary');
		const { data, mimeType, fileName } = ready!.binary!['brief']!;
		expect(Buffer.from(data, 'base64').toString()).toBe(ready!.json['markdown']);
		expect([mimeType, fileName]).toEqual(['text/markdown', matchText(/^.+-[0-9a-f]{8}\.md$/)]);
	});
});

describe('Brief Finished, published again', () => {
	test('starts on Monday for the brief that finished on Friday, and not again', async () => {
		const { sandbox, trigger } = await publish(makeBriefsTrigger);
		const running = addRunning(sandbox);
		expect(await trigger.poll()).toBeNull();
		sandbox.advance(HOUR);
		sandbox.finish(running);
		const friday = addFinished(sandbox);
		sandbox.advance(3 * DAY);
		expect(new Set(await getIds(trigger.activate()))).toEqual(new Set([running, friday]));
		expect(await trigger.activate()).toBeNull();
		expect(await trigger.poll()).toBeNull();
	});

	test.each(['activate', 'pollDurably'] as const)(
		'does not start for briefs that finished more than seven days before: %s',
		async (publishAgain) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger, {}, { slots: 50 });
			const [early, recent, running] = [1, 2, 3].map(() => addRunning(sandbox));
			addFinished(sandbox);
			expect(await trigger.poll()).not.toBeNull();
			sandbox.advance(HOUR);
			sandbox.finish(early!);
			addFinished(sandbox);
			sandbox.advance(3 * DAY);
			sandbox.finish(recent!);
			const other = addFinished(sandbox);
			sandbox.advance(6 * DAY);
			const found = await getIds(trigger[publishAgain]('activate'));
			expect(new Set(found)).toEqual(new Set([recent, other]));
			sandbox.finish(running!);
			expect(await getIds(trigger.poll())).toEqual([running]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	test.each(['init', 'update'] as const)(
		'starts for all briefs since its last poll with %s, also after nine days',
		async (mode) => {
			const { sandbox, trigger } = await publish(makeBriefsTrigger);
			const id = addFinished(sandbox);
			sandbox.advance(9 * DAY);
			expect(await getIds(trigger.activate(mode))).toEqual([id]);
		},
	);
});

describe('Brief Finished, when the full brief lags behind the list', () => {
	/** Publishes a trigger in a workspace with a brief that finishes now. `lag.value` is the lag of the full brief. */
	async function publishLagging(value: Lag) {
		const sandbox = await openStillSandbox();
		const lag: { value: Lag | undefined } = { value };
		const id = addRunning(sandbox);
		const trigger = makeBriefsTrigger(sandbox);
		trigger.target = await startLaggingProxy(sandbox, (each) =>
			each === id ? lag.value : undefined,
		);
		await trigger.activate();
		sandbox.finish(id);
		const find = async (items = trigger.poll()) => ((await items) ?? []).map(({ json }) => json);
		return { sandbox, trigger, lag, find, id };
	}
	const whole = { status: 'ready', markdown: matchText(/^# /) };

	describe.each<Lag>(['unfinished', 'unknown'])('and is %s', (lagging) => {
		test('starts once, when the full brief is complete, and for other briefs before that', async () => {
			const { sandbox, lag, find, id } = await publishLagging(lagging);
			const other = addFinished(sandbox);
			expect(await find()).toMatchObject([{ id: other }]);
			sandbox.advance(MINUTE);
			expect(await find()).toEqual([]);
			lag.value = undefined;
			expect(await find()).toMatchObject([{ id, ...whole }]);
			expect(await find()).toEqual([]);
		});

		test('returns the brief after a restart, although a quiet poll saves nothing', async () => {
			const { trigger, lag, find, id } = await publishLagging(lagging);
			expect(await find()).toEqual([]);
			expect(await find(trigger.activate())).toEqual([]);
			lag.value = undefined;
			expect(await find(trigger.activate())).toMatchObject([{ id, ...whole }]);
			expect(await find(trigger.activate())).toEqual([]);
		});

		test('returns the fields of the list once after an hour', async () => {
			const { sandbox, lag, find, id } = await publishLagging(lagging);
			sandbox.advance(HOUR - MINUTE);
			expect(await find()).toEqual([]);
			sandbox.advance(2 * MINUTE);
			const listed = { id, status: 'ready', title: matchText(/./), markdown: null, document: null };
			expect(await find()).toMatchObject([listed]);
			lag.value = undefined;
			expect(await find()).toEqual([]);
		});
	});

	test('finds no brief in a test in the editor', async () => {
		const { trigger } = await publishLagging('unfinished');
		await expect(trigger.test()).rejects.toThrow('The workspace has no finished brief yet');
	});
});
