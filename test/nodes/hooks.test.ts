import { mergeHooks } from '../../nodes/shared/hooks';
import type { Hook, HookList, HookSort } from '../../core/api/types';

function makeHook(id: string, more: Partial<Hook> = {}): Hook {
	return { id, video_id: `video of ${id}`, views: null, observed_at: null, ...more } as Hook;
}

function makeList(...data: Hook[]): HookList {
	return { data, refreshed_at: null };
}

/** Returns the IDs of the merged hooks. */
function merge(lists: HookList[], sort: HookSort, limit: number): string {
	const query = { categories: [], sort, q: '', limit };
	return mergeHooks(lists, query)
		.data.map(({ id }) => id)
		.join(' ');
}

const wellness = makeList(
	makeHook('w1', { views: 50, observed_at: '2026-11-01T00:00:00Z' }),
	makeHook('w2', { views: 45, observed_at: '2026-11-03T00:00:00Z' }),
	makeHook('w3'),
);
const fashion = makeList(
	makeHook('f1', { views: 40, observed_at: '2026-11-02T00:00:00Z' }),
	makeHook('f2'),
);
const doubled = makeList(makeHook('w1', { video_id: 'v' }));
const others = makeList(
	makeHook('f1', { video_id: 'v' }),
	makeHook('f2', { video_id: '' }),
	makeHook('f3', { video_id: '' }),
);

test.each<[string, HookList[], HookSort, number, string]>([
	['sort as one list, unknown values last', [wellness, fashion], 'views', 80, 'w1 w2 f1 f2 w3'],
	['sort by time', [wellness, fashion], 'newest', 80, 'w2 f1 w1 f2 w3'],
	['take turns by score', [wellness, fashion], 'score', 80, 'w1 f1 w2 f2 w3'],
	['return a video of two lists once', [doubled, others], 'score', 80, 'w1 f2 f3'],
	['have one limit', [wellness, fashion], 'score', 3, 'w1 f1 w2'],
])('lists of several categories %s', (_title, lists, sort, limit, expected) => {
	expect(merge(lists, sort, limit)).toBe(expected);
});

test('a single list keeps its sequence', () => {
	const list = makeList(makeHook('b', { views: 1 }), makeHook('a', { views: 9 }));
	expect(merge([list], 'views', 80)).toBe('b a');
});

test('several lists have the newest refreshed_at', () => {
	const lists = ['2026-11-12T06:00:00Z', '2026-11-13T06:00:00Z', null].map((refreshed_at) => ({
		data: [],
		refreshed_at,
	}));
	const query = { categories: [], sort: 'score' as const, q: '', limit: 80 };
	expect(mergeHooks(lists, query).refreshed_at).toBe('2026-11-13T06:00:00Z');
});
