import type { INode, IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../../core/api/client';
import type { ListHooksQuery } from '../../core/api/operations';
import type { Hook, HookCategory, Timestamp } from '../../core/api/types';
import {
	readHooksRefreshed,
	type HooksState,
} from '../../nodes/CreatorBriefingTrigger/hooks-refreshed';
import { MINUTE } from '../support/time';
import { VirtualClock } from '../support/virtual-clock';

const EARLIER = '2026-11-12T06:00:00Z';
const YESTERDAY = '2026-11-13T06:00:00Z';
const TODAY = '2026-11-14T06:00:00Z';
const TOMORROW = '2026-11-15T06:00:00Z';
const DAY_AFTER = '2026-11-16T06:00:00Z';

const ALL_HOOKS = {
	categories: [] as HookCategory[],
	options: { q: '', limit: 30 },
	sort: { sortBy: 'score' },
	output: 'hooks',
	onlyNewHooks: false,
	simplify: false,
};
const ONLY_NEW = { ...ALL_HOOKS, onlyNewHooks: true };

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));
afterEach(() => clock.stop());

interface Listed {
	readonly refreshed_at: Timestamp | null;
	readonly data: object[];
}

/** Returns a service with these lists, at a time of its clock. */
function makeService(findList: (query: ListHooksQuery) => Listed, time: number, latencyMs = 0) {
	const requests: Array<{ query: ListHooksQuery; at: number }> = [];
	const client = new ApiClient(async ({ query }) => {
		requests.push({ query, at: clock.now() });
		if (latencyMs > 0) await clock.sleep(latencyMs);
		const headers = { date: new Date(time).toUTCString() };
		return { status: 200, headers, body: JSON.stringify(findList(query)) };
	}, clock);
	return { client, requests };
}

/** Lists videos, each with a hook of the same ID, some minutes after today's refresh. */
function listVideos(refreshed_at: Timestamp | null, videos: string, minutes = 30): ApiClient {
	const data = videos.split(' ').map((id) => ({ id, video_id: id }));
	const time = Date.parse(TODAY) + minutes * MINUTE;
	return makeService(() => ({ refreshed_at, data }), time).client;
}

/** Polls once with these parameters. */
async function poll(client: ApiClient, state: HooksState | undefined, parameters = ALL_HOOKS) {
	const context = {
		getNodeParameter: (name: keyof typeof parameters) => parameters[name],
		getNode: () => ({}) as INode,
	};
	const event = readHooksRefreshed(context as unknown as IPollFunctions);
	const result = await event.find(client, state, false);
	const items = result.items.map(({ json }) => json as Partial<Hook>);
	return { items, ids: items.map(({ id }) => id).join(' '), state: result.state as HooksState };
}

/** Returns the state after a first poll, which returns nothing. */
async function start(parameters: typeof ALL_HOOKS, refreshedAt: Timestamp | null = YESTERDAY) {
	const { items, state } = await poll(listVideos(refreshedAt, 'a'), undefined, parameters);
	expect(items).toEqual([]);
	return state;
}

/** A list, and the hooks that the trigger returns: all of them, and with Only New Hooks. */
interface Poll {
	readonly refreshed: Timestamp | null;
	/** Minutes after today's refresh. */
	readonly at?: number;
	readonly videos: string;
	readonly all: string;
	readonly onlyNew: string;
}

const nothing = { all: '', onlyNew: '' };

test.each<[string, Timestamp | null, Poll[]]>([
	[
		'passes a refresh on once, when the list shows its hooks',
		YESTERDAY,
		[
			{ refreshed: TODAY, videos: 'a', ...nothing },
			{ refreshed: TODAY, videos: 'b a', all: 'b a', onlyNew: 'b' },
			{ refreshed: TODAY, videos: 'b a', ...nothing },
		],
	],
	[
		'passes the same videos on after an hour, and later hooks with the next refresh',
		YESTERDAY,
		[
			{ refreshed: TODAY, at: 59, videos: 'a', ...nothing },
			{ refreshed: TODAY, at: 60, videos: 'a', all: 'a', onlyNew: '' },
			{ refreshed: TODAY, at: 120, videos: 'b a', ...nothing },
			{ refreshed: TOMORROW, videos: 'c b a', all: 'c b a', onlyNew: 'c b' },
		],
	],
	[
		'passes the same videos on at once if the refresh before was not passed on',
		YESTERDAY,
		[{ refreshed: TOMORROW, at: 24 * 60 + 1, videos: 'a', all: 'a', onlyNew: '' }],
	],
	[
		'returns no new video without a refresh',
		YESTERDAY,
		[
			{ refreshed: EARLIER, videos: 'b a', ...nothing },
			{ refreshed: Date.parse(YESTERDAY), videos: 'b a', ...nothing },
		],
	],
	[
		'takes a new video for a refresh if the service names no time',
		YESTERDAY,
		[
			{ refreshed: null, videos: 'a', ...nothing },
			{ refreshed: null, videos: 'a b', all: 'a b', onlyNew: 'b' },
			{ refreshed: null, videos: 'a b', ...nothing },
			{ refreshed: YESTERDAY, videos: 'a b c', all: 'a b c', onlyNew: 'c' },
		],
	],
	[
		'passes each refresh on, also without a new video, if the service named no time at publishing',
		null,
		[
			{ refreshed: null, videos: 'a', ...nothing },
			{ refreshed: TODAY, at: 59, videos: 'a', ...nothing },
			{ refreshed: TODAY, at: 60, videos: 'a', all: 'a', onlyNew: '' },
			{ refreshed: TODAY, at: 120, videos: 'a', ...nothing },
			{ refreshed: TOMORROW, at: 25 * 60, videos: 'a', all: 'a', onlyNew: '' },
			{ refreshed: DAY_AFTER, at: 49 * 60, videos: 'a', all: 'a', onlyNew: '' },
		],
	],
	[
		'waits two days at most for the hooks of a first refresh, with polls half an hour after it',
		null,
		[
			{ refreshed: TODAY, at: 30, videos: 'a', ...nothing },
			{ refreshed: TOMORROW, at: 24 * 60 + 30, videos: 'a', ...nothing },
			{ refreshed: DAY_AFTER, at: 48 * 60 + 30, videos: 'a', all: 'a', onlyNew: '' },
		],
	],
	[
		'takes a change of a time that cannot be read for a refresh',
		'yesterday',
		[
			{ refreshed: 'yesterday', videos: 'a b', ...nothing },
			{ refreshed: 'today', videos: 'a', all: 'a', onlyNew: '' },
		],
	],
])('%s', async (_title, refreshedAt, polls) => {
	for (const [parameters, expected] of [
		[ALL_HOOKS, 'all'],
		[ONLY_NEW, 'onlyNew'],
	] as const) {
		let state = await start(parameters, refreshedAt);
		for (const { refreshed, at, videos, all, [expected]: returned } of polls) {
			const found = await poll(listVideos(refreshed, videos, at), state, parameters);
			expect(found.ids).toBe(returned);
			if (all === '') expect(found.state).toBe(state);
			state = found.state;
		}
	}
});

test('returns no item for a refresh without new hooks with Only New Hooks', async () => {
	const parameters = { ...ONLY_NEW, output: 'refresh' };
	const { items } = await poll(listVideos(TODAY, 'a', 60), await start(parameters), parameters);
	expect(items).toEqual([]);
});

describe('Only New Hooks', () => {
	test('recognizes a video by another hook of it, and a hook without a video by its ID', async () => {
		const listHooks = (refreshed_at: string, ...hooks: Array<[id: string, video: string]>) => {
			const data = hooks.map(([id, video_id]) => ({ id, video_id }));
			return makeService(() => ({ refreshed_at, data }), Date.parse(refreshed_at)).client;
		};
		const today = listHooks(TODAY, ['w1', 'v'], ['x', '']);
		const first = await poll(today, await start(ONLY_NEW), ONLY_NEW);
		const tomorrow = listHooks(TOMORROW, ['p1', 'v'], ['x', ''], ['y', ''], ['w2', 'other']);
		const second = await poll(tomorrow, first.state, ONLY_NEW);
		expect(second.ids).toBe('y w2');
		expect(second.state.seenVideos).toEqual(['a', 'v', 'x', 'y', 'other']);
	});

	test.each<Partial<typeof ALL_HOOKS>>([
		{ categories: ['Wellness'] },
		{ sort: { sortBy: 'newest' } },
		{ options: { ...ALL_HOOKS.options, q: 'other words' } },
		{ options: { ...ALL_HOOKS.options, limit: 80 } },
	])('counts the videos of the list as known after a change of settings: %j', async (change) => {
		const changed = { ...ONLY_NEW, ...change };
		for (const refreshed of [TODAY, YESTERDAY]) {
			const first = await poll(listVideos(refreshed, 'b c'), await start(ONLY_NEW), changed);
			expect(first.items).toEqual([]);
			// The trigger returns today's refresh when its hooks appear.
			const second = await poll(listVideos(TODAY, 'b d'), first.state, changed);
			expect(second.ids).toBe('d');
		}
	});

	test('remembers the newest two thousand videos', async () => {
		const seenVideos = ['a', ...Array.from({ length: 2500 }, (_none, index) => `old ${index}`)];
		const state = { ...(await start(ONLY_NEW)), seenVideos };
		const next = await poll(listVideos(TODAY, 'new a'), state, ONLY_NEW);
		expect(next.state.seenVideos).toHaveLength(2000);
		expect(next.state.seenVideos?.slice(-3)).toEqual(['old 2499', 'new', 'a']);
	});
});

describe('with several categories', () => {
	const categories: HookCategory[] = ['Wellness', 'Home & kitchen', 'Fashion'];
	const several = { ...ALL_HOOKS, categories };

	/** Lists one hook for each category. */
	function listCategories(refreshed_at: string | null, latencyMs?: number) {
		const findList = ({ category }: ListHooksQuery) => ({
			refreshed_at,
			data: [{ id: `${category} ${refreshed_at}`, category }],
		});
		return makeService(findList, Date.parse(refreshed_at ?? TODAY), latencyMs);
	}

	test('sends one request in a quiet poll, and reads the other lists at once after a refresh', async () => {
		const first = listCategories(TODAY, 10_000);
		const { state } = await poll(first.client, undefined, several);
		const [begin = 0, ...others] = first.requests.splice(0).map(({ at }) => at);
		expect(others).toEqual([begin + 10_000, begin + 10_000]);
		expect((await poll(first.client, state, several)).items).toEqual([]);
		expect(first.requests.map(({ query }) => query.category)).toEqual(['Wellness']);
		const next = await poll(listCategories(TOMORROW).client, state, several);
		expect(next.items.map(({ category }) => category)).toEqual(categories);
	});

	test.each([
		['after a change of settings', TODAY, { ...several, options: { ...several.options, q: 'x' } }],
		['if the service names no time', null, several],
	])('reads all lists %s', async (_title, refreshedAt, parameters) => {
		const { client, requests } = listCategories(refreshedAt);
		const { state } = await poll(client, undefined, several);
		await poll(client, state, parameters);
		expect(requests).toHaveLength(2 * categories.length);
	});
});
