import { says } from '../support/engine/fixtures';
import { Poller } from '../support/engine/poller';
import {
	getIds,
	onHooks,
	openStillSandbox,
	publish,
	requestJson,
} from '../support/engine/triggers';
import { startFront } from '../support/front';
import { DAY } from '../support/time';

describe('Hooks Refreshed', () => {
	it('starts once after a refresh, also if n8n was down', async () => {
		const { sandbox, trigger, countNewRequests } = await publish(onHooks);
		expect([await trigger.poll(), countNewRequests()]).toEqual([null, 1]);
		for (const pollOnce of [() => trigger.poll(), () => trigger.activate()]) {
			sandbox.advance(DAY);
			expect(await pollOnce()).toHaveLength(30);
			expect(await pollOnce()).toBeNull();
		}
		expect(await trigger.poll()).toBeNull();
	});

	it('starts when the hooks of a refresh appear in the list after refreshed_at has moved', async () => {
		const sandbox = await openStillSandbox();
		let data: unknown = null;
		const url = await startFront(sandbox, async ({ path }, pass) => {
			const answer = await pass(path);
			const list = JSON.parse(answer.body) as { data: unknown };
			return data === null ? answer : { status: 200, body: JSON.stringify({ ...list, data }) };
		});
		const { parameters, target } = onHooks(sandbox, { onlyNewHooks: true });
		const trigger = new Poller({ ...target, url }, parameters);
		await trigger.activate();
		({ data } = await requestJson<{ data: unknown }>(sandbox, 'content-iq/hooks'));
		sandbox.refreshHooks();
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.activate('init')).toBeNull();
		data = null;
		expect(await trigger.poll()).not.toBeNull();
		expect(await trigger.poll()).toBeNull();
	});

	it('returns no hook twice with Only New Hooks over many refreshes and restarts', async () => {
		const { sandbox, trigger } = await publish(onHooks, { onlyNewHooks: true });
		const { data } = await requestJson<{ data: Array<{ id: string }> }>(
			sandbox,
			'content-iq/hooks',
		);
		const given: unknown[] = data.map(({ id }) => id);
		for (let day = 0; day < 12; day += 1) {
			sandbox.advance(DAY);
			given.push(...(await getIds(day % 3 === 0 ? trigger.activate() : trigger.poll())));
			given.push(...(await getIds(trigger.poll())));
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
		'returns the useful fields, and every field with Simplify off: %j',
		async (parameters, fields) => {
			const [item] = (await onHooks(await openStillSandbox(), parameters).test())!;
			expect(Object.keys(item!.json)).toEqual(fields);
		},
	);

	it('returns one item with all hooks when Output is One Item per Refresh', async () => {
		const { sandbox, trigger } = await publish(onHooks, { output: 'refresh' });
		sandbox.advance(DAY);
		const items = await trigger.poll();
		const { count, hooks, refreshed_at } = items![0]!.json;
		expect([items!.length, count]).toEqual([1, (hooks as unknown[]).length]);
		expect(refreshed_at).toEqual(says(/^20/));
	});

	it('names an invalid parameter and sends no request', async () => {
		const sandbox = await openStillSandbox();
		const trigger = onHooks(sandbox, { categories: ['Cars'] });
		await expect(trigger.activate()).rejects.toThrow("'Categories' contains “Cars”");
		expect(sandbox.requests).toEqual([]);
	});
});
