import { readHooks, type HookQuery } from '../../nodes/shared/hooks';
import type { Hook, HookList, HookSort } from '../../core/api/types';
import type { ListHooksQuery } from '../../core/api/operations';

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
		listHooks: (query: ListHooksQuery) => {
			asked.push(query);
			return Promise.resolve({ data: [], refreshed_at: null, ...lists[query.category ?? 'all'] });
		},
	};
}

function query(sort: HookSort, more: Partial<HookQuery> = {}): HookQuery {
	return { categories: ['Wellness', 'Fashion'], sort, q: '', limit: 80, ...more };
}

const idsOf = ({ data }: HookList) => data.map(({ id }) => id);

it('keeps the sequence of the service in a single list', async () => {
	const data = [hook('b', { views: 1 }), hook('a', { views: 9 })];
	const service = serviceWith({ all: { data } });
	const list = await readHooks(service.listHooks, query('views', { categories: [] }));
	expect(idsOf(list)).toEqual(['b', 'a']);
	expect(service.asked).toEqual([{ category: undefined, sort: 'views', q: '', limit: 80 }]);
});

const w = [hook('w1', { views: 50 }), hook('w2', { views: 10 }), hook('w3')];
const f = [hook('f1', { views: 40 }), hook('f2')];
/** One video in two categories, and two entries that name none. */
const doubled = [hook('w1', { video_id: 'v' })];
const others = [['f1', 'v'] as const, ['f2', ''] as const, ['f3', ''] as const].map(([id, video]) =>
	hook(id, { video_id: video }),
);

it.each([
	['sorts as one list, with unknown values last', w, f, query('views'), 'w1 f1 w2 f2 w3'],
	['takes hooks in turn by score', w, f.slice(0, 1), query('score'), 'w1 f1 w2 w3'],
	['returns a video of two lists once', doubled, others, query('score'), 'w1 f2 f3'],
	['applies one limit to all', w, f, query('score', { limit: 3 }), 'w1 f1 w2'],
])('%s: lists of several categories', async (_, wellness, fashion, asked, ids) => {
	const service = serviceWith({ Wellness: { data: wellness }, Fashion: { data: fashion } });
	expect(idsOf(await readHooks(service.listHooks, asked)).join(' ')).toBe(ids);
	expect(service.asked.map(({ limit }) => limit)).toEqual([asked.limit, asked.limit]);
});

it('returns the newest refreshed_at of several lists', async () => {
	const service = serviceWith({
		Wellness: { refreshed_at: '2026-11-12T06:00:00Z' },
		Fashion: { refreshed_at: '2026-11-13T06:00:00Z' },
	});
	expect((await readHooks(service.listHooks, query('score'))).refreshed_at).toBe(
		'2026-11-13T06:00:00Z',
	);
});
