import {
	getIds,
	makeHooksTrigger,
	openStillSandbox,
	pass,
	publish,
} from '../support/engine/triggers';
import { DAY } from '../support/time';
import { matchText } from '../support/values';

describe('Hooks Refreshed', () => {
	test('starts once after a refresh, even if n8n was down', async () => {
		const { sandbox, trigger, countNewRequests } = await publish(makeHooksTrigger);
		pass(15);
		expect([await trigger.poll(), countNewRequests()]).toEqual([null, 1]);
		for (const pollOnce of [() => trigger.poll(), () => trigger.activate()]) {
			sandbox.advance(DAY);
			expect(await pollOnce()).toHaveLength(30);
			pass(15);
			expect(await pollOnce()).toBeNull();
		}
		expect(countNewRequests()).toBe(4);
	});

	test('returns no hook twice with Only New Hooks over many refreshes and restarts', async () => {
		const { sandbox, trigger } = await publish(makeHooksTrigger, { onlyNewHooks: true });
		const ids: unknown[] = [];
		for (let day = 0; day < 12; day += 1) {
			sandbox.advance(DAY);
			ids.push(...(await getIds(day % 3 === 0 ? trigger.activate() : trigger.poll())));
			pass(15);
			ids.push(...(await getIds(trigger.poll())));
		}
		expect(ids.length).toBeGreaterThan(12);
		expect(new Set(ids).size).toBe(ids.length);
	});

	test.each([
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
		async (settings, fields) => {
			const [item] = (await makeHooksTrigger(await openStillSandbox(), settings).test())!;
			expect(Object.keys(item!.json)).toEqual(fields);
		},
	);

	test('returns one item with all hooks when Output is One Item per Refresh', async () => {
		const { sandbox, trigger } = await publish(makeHooksTrigger, { output: 'refresh' });
		sandbox.advance(DAY);
		const [refresh, ...others] = (await trigger.poll())!;
		expect(refresh!.json).toMatchObject({ count: 30, refreshed_at: matchText(/^20/) });
		expect(refresh!.json['hooks']).toHaveLength(30);
		expect(others).toEqual([]);
	});

	test('names an invalid parameter and sends no request', async () => {
		const sandbox = await openStillSandbox();
		const trigger = makeHooksTrigger(sandbox, { categories: ['Cars'] });
		await expect(trigger.activate()).rejects.toThrow("'Categories' contains “Cars”");
		expect(sandbox.requests).toEqual([]);
	});
});
