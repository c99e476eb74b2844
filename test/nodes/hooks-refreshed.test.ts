import type { INode, IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../../core/api/client';
import type { ListHooksQuery } from '../../core/api/operations';
import type { Hook, HookCategory, Timestamp } from '../../core/api/types';
import {
	readHooksRefreshed,
	type HooksState,
} from '../../nodes/CreatorBriefingTrigger/hooks-refreshed';
import { HOUR, MINUTE } from '../support/time';
import { VirtualClock } from '../support/virtual-clock';

const YESTERDAY = '2026-11-13T06:00:00Z';
const TODAY = '2026-11-14T06:00:00Z';
const TOMORROW = '2026-11-15T06:00:00Z';

const settings = {
	categories: [] as HookCategory[],
	options: { sort: 'score', q: '', limit: 30 },
	output: 'hooks',
	onlyNewHooks: false,
	simplify: false,
};
const onlyNew = { ...settings, onlyNewHooks: true };

/** Polls once with these parameters. */
async function poll(
	client: ApiClient,
	state: HooksState | undefined,
	parameters: typeof settings = settings,
) {
	const context = {
		getNodeParameter: (name: keyof typeof settings) => parameters[name],
		getNode: () => ({}) as INode,
	};
	const event = readHooksRefreshed(context as unknown as IPollFunctions);
	const result = await event.find(client, state);
	const items = result.items.map(({ json }) => json as Partial<Hook>);
	return { items, ids: items.map(({ id }) => id), state: result.state as HooksState };
}

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));
afterEach(() => clock.stop());

interface Listed {
	readonly refreshed_at: Timestamp | null;
	readonly data: object[];
}

/** A service with these lists, at a time of its clock. */
function makeService(listOf: (query: ListHooksQuery) => Listed, time: number, latencyMs = 0) {
	const requests: Array<{ query: ListHooksQuery; at: number }> = [];
	const client = new ApiClient(async ({ query }) => {
		requests.push({ query, at: clock.now() });
		if (latencyMs > 0) await clock.sleep(latencyMs);
		const headers = { date: new Date(time).toUTCString() };
		return { status: 200, headers, body: JSON.stringify(listOf(query)) };
	}, clock);
	return { client, requests };
}

/** Lists videos, each with a hook of the same ID, half an hour after today's refresh unless a time is given. */
function listVideos(
	refreshed_at: Timestamp | null,
	videos: string[],
	time = Date.parse(TODAY) + 30 * MINUTE,
): ApiClient {
	const data = videos.map((id) => ({ id, video_id: id }));
	return makeService(() => ({ refreshed_at, data }), time).client;
}

/** The state after a list of video a, refreshed yesterday. */
async function startYesterday(parameters = settings): Promise<HooksState> {
	const { items, state } = await poll(listVideos(YESTERDAY, ['a']), undefined, parameters);
	expect(items).toEqual([]);
	return state;
}

describe('a refresh whose hooks appear after refreshed_at has moved', () => {
	it.each([
		['all hooks', settings, ['b', 'a']],
		['with Only New Hooks, the new hook', onlyNew, ['b']],
	])('is passed on once, when its hooks appear: %s', async (_, parameters, expected) => {
		const start = await startYesterday(parameters);
		const waiting = await poll(listVideos(TODAY, ['a']), start, parameters);
		expect(waiting).toEqual({ items: [], ids: [], state: start });
		const found = await poll(listVideos(TODAY, ['b', 'a']), waiting.state, parameters);
		expect(found.ids).toEqual(expected);
		const quiet = await poll(listVideos(TODAY, ['b', 'a']), found.state, parameters);
		expect(quiet).toEqual({ items: [], ids: [], state: found.state });
	});

	it('returns hooks that appear after more than an hour with the next refresh', async () => {
		const late = Date.parse(TODAY) + HOUR;
		const handled = await poll(listVideos(TODAY, ['a'], late), await startYesterday(), onlyNew);
		expect(handled).toMatchObject({ items: [], state: { refreshedAt: TODAY } });
		const same = await poll(listVideos(TODAY, ['b', 'a'], late + HOUR), handled.state, onlyNew);
		expect(same.items).toEqual([]);
		const next = await poll(listVideos(TOMORROW, ['c', 'b', 'a']), same.state, onlyNew);
		expect(next.ids).toEqual(['c', 'b']);
	});
});

describe('a refresh with the same videos', () => {
	it.each(['hooks', 'refresh'] as const)(
		'is passed on after an hour, and with Only New Hooks it is not, as %s',
		async (output) => {
			const start = await startYesterday();
			const late = listVideos(TODAY, ['a'], Date.parse(TODAY) + HOUR);
			const found = await poll(late, start, { ...settings, output });
			expect(found.items).toHaveLength(1);
			expect(found.state.refreshedAt).toBe(TODAY);
			const quiet = await poll(late, start, { ...onlyNew, output });
			expect(quiet.items).toEqual([]);
			expect(quiet.state.refreshedAt).toBe(TODAY);
		},
	);

	it('is passed on at once if the refresh before it was not passed on either', async () => {
		const start = await startYesterday();
		const soon = Date.parse(TOMORROW) + MINUTE;
		expect((await poll(listVideos(TOMORROW, ['a'], soon), start)).ids).toEqual(['a']);
	});
});

describe('refreshed_at', () => {
	it.each([
		['an earlier time', '2026-11-12T06:00:00Z'],
		['the same time in another form', Date.parse(YESTERDAY)],
	])('is no refresh with %s, even if there is a new video', async (_, time) => {
		const start = await startYesterday();
		expect((await poll(listVideos(time, ['a', 'b']), start)).items).toEqual([]);
	});

	it('is null: a new video is a refresh', async () => {
		const start = await startYesterday();
		expect((await poll(listVideos(null, ['a']), start)).items).toEqual([]);
		const found = await poll(listVideos(null, ['a', 'b']), start);
		expect(found.ids).toEqual(['a', 'b']);
		expect((await poll(listVideos(null, ['a', 'b']), found.state)).items).toEqual([]);
	});

	it('cannot be read: it is a refresh when it changes', async () => {
		const { state } = await poll(listVideos('yesterday', ['a']), undefined);
		expect((await poll(listVideos('yesterday', ['a']), state)).items).toEqual([]);
		expect((await poll(listVideos('today', ['a']), state)).items).toHaveLength(1);
	});
});

describe('Only New Hooks', () => {
	const listHooks = (refreshed_at: string, ...hooks: Array<[id: string, video: string]>) => {
		const data = hooks.map(([id, video_id]) => ({ id, video_id }));
		return makeService(() => ({ refreshed_at, data }), Date.parse(refreshed_at)).client;
	};

	it('recognizes a video by another entry of it', async () => {
		const start = await startYesterday();
		const first = await poll(listHooks(TODAY, ['w1', 'v']), start, onlyNew);
		const second = await poll(
			listHooks(TOMORROW, ['p1', 'v'], ['w2', 'other']),
			first.state,
			onlyNew,
		);
		expect(second.ids).toEqual(['w2']);
		expect(second.state.seenVideos).toEqual(['a', 'v', 'other']);
	});

	it.each<Partial<typeof settings>>([
		{ categories: ['Wellness'] },
		{ options: { ...settings.options, sort: 'newest' } },
		{ options: { ...settings.options, q: 'other words' } },
		{ options: { ...settings.options, limit: 80 } },
	])('counts the videos of the list as known after a change of settings: %j', async (change) => {
		const changed = { ...onlyNew, ...change };
		for (const time of [TODAY, YESTERDAY]) {
			const first = await poll(listVideos(time, ['b', 'c']), await startYesterday(), changed);
			expect(first.items).toEqual([]);
			const second = await poll(listVideos(TOMORROW, ['b', 'd']), first.state, changed);
			expect(second.ids).toEqual(['d']);
		}
	});

	it('remembers the newest two thousand videos', async () => {
		const seenVideos = Array.from({ length: 2500 }, (_none, index) => `old ${index}`);
		const start = { ...(await startYesterday()), seenVideos };
		const { state } = await poll(listVideos(TODAY, ['new', 'a']), start);
		expect(state.seenVideos).toHaveLength(2000);
		expect(state.seenVideos?.slice(-2)).toEqual(['new', 'a']);
	});
});

describe('with several categories', () => {
	const categories: HookCategory[] = ['Wellness', 'Home & kitchen', 'Fashion'];
	const several = { ...settings, categories };

	/** Each category has one hook, which names category and refresh. */
	function listCategories(refreshed_at: string, latencyMs?: number) {
		const listOf = ({ category }: ListHooksQuery) => ({
			refreshed_at,
			data: [{ id: `${category} ${refreshed_at}`, category }],
		});
		return makeService(listOf, Date.parse(refreshed_at), latencyMs);
	}

	it('sends one request in a quiet poll, and reads all lists after a refresh', async () => {
		const first = listCategories(TODAY);
		const start = await poll(first.client, undefined, several);
		expect(first.requests.splice(0)).toHaveLength(3);
		expect((await poll(first.client, start.state, several)).items).toEqual([]);
		expect(first.requests.map(({ query }) => query.category)).toEqual(['Wellness']);
		const next = await poll(listCategories(TOMORROW).client, start.state, several);
		expect(next.items.map(({ category }) => category)).toEqual(categories);
	});

	it('reads the other lists at the same time when the service is slow', async () => {
		const { client, requests } = listCategories(TODAY, 10_000);
		await poll(client, undefined, several);
		const [first, ...others] = requests.map(({ at }) => at);
		expect(others).toEqual([first! + 10_000, first! + 10_000]);
	});
});
