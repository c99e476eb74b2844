import { readHooks, type HookQuery } from '../../nodes/shared/hooks';
import type { Hook, HookList, HookSort } from '../../service/resources';
import type { ListHooksQuery } from '../../service/operations';

function hook(id: string, more: Partial<Hook> = {}): Hook {
	return {
		id,
		category: 'Wellness',
		video_id: `video of ${id}`,
		video_url: null,
		hook: id,
		angle: null,
		why_it_works: null,
		evidence: null,
		views: null,
		units_sold: null,
		gmv_usd: null,
		metric_window_days: null,
		is_ad: null,
		observed_at: null,
		...more,
	};
}

function serviceWith(lists: Partial<Record<string, Partial<HookList>>>) {
	const asked: ListHooksQuery[] = [];
	return {
		asked,
		hooks: (query: ListHooksQuery = {}) => {
			asked.push(query);
			return Promise.resolve({ data: [], refreshed_at: null, ...lists[query.category ?? 'all'] });
		},
	};
}

function query(sort: HookSort, more: Partial<HookQuery> = {}): HookQuery {
	return { categories: ['Wellness', 'Fashion'], sort, q: '', limit: 80, ...more };
}

const idsOf = ({ data }: HookList) => data.map(({ id }) => id);

it('a single list keeps the order of the service', async () => {
	const data = [hook('b', { views: 1 }), hook('a', { views: 9 })];
	const service = serviceWith({ all: { data } });
	const list = await readHooks(service, query('views', { categories: [] }));
	expect(idsOf(list)).toEqual(['b', 'a']);
	expect(service.asked).toEqual([{ category: undefined, sort: 'views', q: '', limit: 80 }]);
});

it('lists of several categories are sorted as one, with unknown values last', async () => {
	const service = serviceWith({
		Wellness: { data: [hook('w1', { views: 50 }), hook('w2', { views: 10 }), hook('w3')] },
		Fashion: { data: [hook('f1', { views: 40 }), hook('f2')] },
	});
	expect(idsOf(await readHooks(service, query('views')))).toEqual(['w1', 'f1', 'w2', 'f2', 'w3']);
});

it('by score the categories take turns', async () => {
	const service = serviceWith({
		Wellness: { data: [hook('w1'), hook('w2'), hook('w3')] },
		Fashion: { data: [hook('f1')] },
	});
	expect(idsOf(await readHooks(service, query('score')))).toEqual(['w1', 'f1', 'w2', 'w3']);
});

it('a video in two categories is given once, by either of its entries', async () => {
	const service = serviceWith({
		Wellness: { data: [hook('w1', { video_id: 'v' })] },
		Fashion: {
			data: [
				hook('f1', { video_id: 'v' }),
				hook('f2', { video_id: '' }),
				hook('f3', { video_id: '' }),
			],
		},
	});
	expect(idsOf(await readHooks(service, query('score')))).toEqual(['w1', 'f2', 'f3']);
});

it('the limit counts for all categories together', async () => {
	const service = serviceWith({
		Wellness: { data: [hook('w1'), hook('w2')] },
		Fashion: { data: [hook('f1'), hook('f2')] },
	});
	expect(idsOf(await readHooks(service, query('score', { limit: 3 })))).toEqual(['w1', 'f1', 'w2']);
	expect(service.asked.map(({ limit }) => limit)).toEqual([3, 3]);
});

it('the newest refresh of all counts', async () => {
	const service = serviceWith({
		Wellness: { refreshed_at: '2026-11-12T06:00:00Z' },
		Fashion: { refreshed_at: '2026-11-13T06:00:00Z' },
	});
	expect((await readHooks(service, query('score'))).refreshed_at).toBe('2026-11-13T06:00:00Z');
});
