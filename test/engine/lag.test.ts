import { create, products, sandboxWith, wait } from '../support/engine/fixtures';
import { runNode } from '../support/engine/engine';
import { laggingTarget, type Lag } from '../support/engine/lagging';
import { Poller } from '../support/engine/poller';

const MINUTE = 60_000;

/** Lags in this way for so many gets of each brief. */
function lagsFor(gets: number, lag: Lag): (id: string) => Lag | undefined {
	const counts = new Map<string, number>();
	return (id) => {
		const before = counts.get(id) ?? 0;
		counts.set(id, before + 1);
		return before < gets ? lag : undefined;
	};
}

describe('where a get lags behind the list', () => {
	it.each(['unfinished', 'unknown'] as const)(
		'Wait Until Ready gives the brief once the get shows its end: %s',
		async (lag) => {
			const sandbox = await sandboxWith();
			const briefs = [1, 2].map(() => sandbox.addBrief({ status: 'ready' }));
			const target = await laggingTarget(sandbox, lagsFor(4, lag));
			const items = briefs.map(({ id }) => ({ id }));
			const done = await runNode(target, items, wait());
			const text = expect.any(String) as string;
			expect(done.json('Wait', 0)).toMatchObject(
				briefs.map(({ id }) => ({ id, status: 'ready', markdown: text })),
			);
		},
	);

	it('Create with Wait Until Ready gives the brief once the get shows its end', async () => {
		const sandbox = await sandboxWith();
		const done: string[] = [];
		const lagging = lagsFor(4, 'unfinished');
		const target = await laggingTarget(sandbox, (id) => {
			const brief = sandbox.briefs().find((one) => one.id === id);
			if (brief?.status !== 'ready') return undefined;
			done.push(id);
			return lagging(id);
		});
		const finished = await runNode(target, products(2), create({ waitUntilReady: true }));
		const text = expect.any(String) as string;
		expect(finished.json('Create')).toMatchObject([
			{ status: 'ready', markdown: text },
			{ status: 'ready', markdown: text },
		]);
		expect(done.length).toBeGreaterThan(2);
	});

	it.each(['unfinished', 'unknown'] as const)(
		'and never shows the end, Wait Until Ready says that the brief is paid, and how to go on: %s',
		async (lag) => {
			const sandbox = await sandboxWith();
			const [late, whole] = [1, 2].map(() => sandbox.addBrief({ status: 'ready' }));
			const target = await laggingTarget(sandbox, (id) => (id === late!.id ? lag : undefined));
			const items = [{ id: late!.id }, { id: whole!.id }];
			const done = await runNode(target, items, wait({ onError: 'continueErrorOutput' }));
			expect(done.json('Wait', 0)).toMatchObject([{ id: whole!.id, status: 'ready' }]);
			expect(done.json('Wait', 2)).toMatchObject([
				{
					id: late!.id,
					error: expect.stringContaining(
						'is ready, but the service does not return it in full yet [item 0]',
					) as string,
				},
			]);
			const stopped = await runNode(target, items, wait());
			expect(stopped.error.message).toContain(late!.id);
			expect(stopped.error.description).toMatch(/is paid for.*costs nothing.*a second brief/);
		},
	);

	it('Wait Until Ready does not wait for it beyond its timeout', async () => {
		const sandbox = await sandboxWith();
		const briefs = [1, 2].map(() => sandbox.addBrief({ status: 'ready' }));
		let gets = 0;
		const target = await laggingTarget(sandbox, () => ((gets += 1), 'unfinished'));
		const items = briefs.map(({ id }) => ({ id }));
		const done = await runNode(target, items, wait({ options: { timeout: 0.001 } }));
		expect(done.error.message).toMatch(/does not return it in full yet/);
		expect(gets).toBeLessThan(8);
	});
});

describe('Brief Finished, where a get lags behind the list', () => {
	/** A trigger on a sandbox whose time a test moves, with a lag that a test sets. */
	async function lateTrigger() {
		const sandbox = await sandboxWith({ speed: 0.001, startAt: Date.UTC(2026, 10, 12, 12) });
		const gets: { lag: Lag | undefined } = { lag: undefined };
		const target = await laggingTarget(sandbox, () => gets.lag);
		const trigger = new Poller(target, { triggerOn: 'briefFinished', simplify: false });
		const finished = () => {
			const { id } = sandbox.addBrief({ durationMs: 999_000_000 });
			sandbox.finish(id);
			return id;
		};
		const found = async (items = trigger.poll()) => ((await items) ?? []).map(({ json }) => json);
		await trigger.activate();
		return { sandbox, gets, trigger, finished, found };
	}

	const whole = (id: string) => ({
		id,
		status: 'ready',
		markdown: expect.any(String) as string,
	});

	it.each(['unfinished', 'unknown'] as const)(
		'keeps a brief for a later poll, and fires once with the whole of it: %s',
		async (lag) => {
			const { sandbox, gets, finished, found } = await lateTrigger();
			const id = finished();
			gets.lag = lag;
			expect(await found()).toEqual([]);
			sandbox.advance(MINUTE);
			expect(await found()).toEqual([]);
			gets.lag = undefined;
			expect(await found()).toMatchObject([whole(id)]);
			expect(await found()).toEqual([]);
		},
	);

	it.each(['unfinished', 'unknown'] as const)(
		'loses none over a restart, though nothing was saved in a quiet poll: %s',
		async (lag) => {
			const { gets, trigger, finished, found } = await lateTrigger();
			const id = finished();
			gets.lag = lag;
			expect(await found()).toEqual([]);
			expect(await found(trigger.activate())).toEqual([]);
			gets.lag = undefined;
			expect(await found(trigger.activate())).toMatchObject([whole(id)]);
			expect(await found(trigger.activate())).toEqual([]);
		},
	);

	it('passes the others on meanwhile', async () => {
		const sandbox = await sandboxWith({ speed: 0.001, startAt: Date.UTC(2026, 10, 12, 12) });
		const late = new Set<string>();
		const target = await laggingTarget(sandbox, (id) => (late.has(id) ? 'unknown' : undefined));
		const trigger = new Poller(target, { triggerOn: 'briefFinished', simplify: false });
		await trigger.activate();
		const [a, b] = [1, 2].map(() => {
			const { id } = sandbox.addBrief({ durationMs: 999_000_000 });
			sandbox.finish(id);
			return id;
		});
		late.add(a!);
		expect(await trigger.poll()).toMatchObject([{ json: { id: b } }]);
		late.clear();
		expect(await trigger.activate()).toMatchObject([{ json: { id: a } }]);
		expect(await trigger.poll()).toBeNull();
	});

	it.each(['unfinished', 'unknown'] as const)(
		'fires after an hour with what the list shows, and not a second time: %s',
		async (lag) => {
			const { sandbox, gets, finished, found } = await lateTrigger();
			const id = finished();
			gets.lag = lag;
			expect(await found()).toEqual([]);
			sandbox.advance(59 * MINUTE);
			expect(await found()).toEqual([]);
			sandbox.advance(2 * MINUTE);
			const title = expect.any(String) as string;
			expect(await found()).toMatchObject([
				{ id, status: 'ready', title, markdown: null, document: null },
			]);
			gets.lag = undefined;
			expect(await found()).toEqual([]);
		},
	);

	it('gives no unfinished brief in a test in the editor either', async () => {
		const { gets, trigger, finished } = await lateTrigger();
		finished();
		gets.lag = 'unfinished';
		await expect(trigger.test()).rejects.toThrow('The workspace has no finished brief yet');
	});
});
