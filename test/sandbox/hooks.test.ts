import { markets } from '../../sandbox/market/categories';
import { benches, DAY, START, type Bench } from '../support/sandbox/bench';

const start = benches();

async function hooks(bench: Bench, query = ''): Promise<Record<string, unknown>[]> {
	return (await bench.get(`/content-iq/hooks?${query}`)).body.data;
}

const numbers = (list: Record<string, unknown>[], field: string) =>
	list.map((hook) => Number(hook[field] ?? -1));

describe('list_hooks', () => {
	it('gives 30, and up to 80, one entry per video', async () => {
		const bench = await start();
		expect(await hooks(bench)).toHaveLength(30);
		const most = await hooks(bench, 'limit=80');
		expect(most).toHaveLength(80);
		expect(new Set(most.map((hook) => hook['video_id'])).size).toBe(80);
	});

	it.each(markets.map(({ category }) => category))('knows hooks of %s', async (category) => {
		const bench = await start();
		const found = await hooks(bench, `limit=80&category=${encodeURIComponent(category)}`);
		expect(found.length).toBeGreaterThan(25);
		expect(found.every((hook) => hook['category'] === category)).toBe(true);
		expect(new Set(found.map((hook) => hook['hook'])).size).toBe(found.length);
	});

	it.each(['views', 'units_sold'])('sorts by %s, strongest first', async (sort) => {
		const bench = await start();
		const found = numbers(await hooks(bench, `sort=${sort}&limit=80`), sort);
		expect(found).toEqual([...found].sort((one, other) => other - one));
	});

	it('sorts by newest, and by score when nothing is said', async () => {
		const bench = await start();
		const newest = (await bench.get('/content-iq/hooks?sort=newest&limit=80')).body.data;
		const times = newest.map(({ observed_at: time }) =>
			typeof time === 'string' ? Date.parse(time) : 0,
		);
		expect(times).toEqual([...times].sort((one, other) => other - one));
		expect(await hooks(bench)).toEqual(await hooks(bench, 'sort=score'));
		expect(await hooks(bench)).not.toEqual(await hooks(bench, 'sort=views'));
	});

	it('finds words in hook and angle', async () => {
		const bench = await start();
		const found = await hooks(bench, 'q=CONFESSION+grown&limit=80');
		expect(found.length).toBeGreaterThan(0);
		for (const hook of found) {
			expect(`${String(hook['hook'])} ${String(hook['angle'])}`.toLowerCase()).toMatch(
				/confession/,
			);
		}
		expect(await hooks(bench, 'q=zebra')).toEqual([]);
	});

	it.each(['limit=81', 'limit=0', 'sort=best', 'category=Toys', `q=${'a'.repeat(81)}`, 'cursor=a'])(
		'refuses %s',
		async (query) => {
			const bench = await start();
			expect((await bench.get(`/content-iq/hooks?${query}`)).status).toBe(400);
		},
	);

	it('is the same all day and another at six the next morning', async () => {
		const bench = await start();
		const before = await bench.get('/content-iq/hooks?limit=80&sort=newest');
		expect(before.body.refreshed_at).toBe('2026-01-12T06:00:00.000Z');
		bench.setTime(Date.UTC(2026, 0, 13, 6) - 1);
		expect((await bench.get('/content-iq/hooks?limit=80&sort=newest')).body).toEqual(before.body);
		bench.pass(1);
		const after = await bench.get('/content-iq/hooks?limit=80&sort=newest');
		expect(after.body.refreshed_at).toBe('2026-01-13T06:00:00.000Z');
		const known = new Set(before.body.data.map((hook) => hook['id']));
		const fresh = after.body.data.filter((hook) => !known.has(hook['id']));
		expect(fresh.length).toBeGreaterThan(0);
	});

	it('keeps most videos over a refresh, with higher numbers', async () => {
		const bench = await start();
		const before = new Map((await hooks(bench, 'limit=80')).map((hook) => [hook['id'], hook]));
		bench.pass(DAY);
		const kept = (await hooks(bench, 'limit=80')).filter((hook) => before.has(hook['id']));
		expect(kept.length).toBeGreaterThan(55);
		const grown = kept.filter(
			(hook) => Number(hook['views']) > Number(before.get(hook['id'])?.['views']),
		);
		expect(grown.length).toBeGreaterThan(50);
	});

	it('refreshes when an option says so', async () => {
		const bench = await start();
		bench.sandbox.refreshHooks();
		const { body } = await bench.get('/content-iq/hooks');
		expect(body.refreshed_at).toBe(new Date(START).toISOString());
		bench.pass(DAY);
		expect((await bench.get('/content-iq/hooks')).body.refreshed_at).toBe(
			'2026-01-13T06:00:00.000Z',
		);
	});
});
