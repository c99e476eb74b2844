import type { INode, IPollFunctions } from 'n8n-workflow';
import { hooksRefreshed } from '../../nodes/CreatorBriefingTrigger/hooks-refreshed';
import type { HooksState } from '../../nodes/CreatorBriefingTrigger/state';
import type { ListHooksQuery } from '../../service/api/operations';
import type { Hook, HookCategory, Timestamp } from '../../service/api/resources';
import { BriefingService } from '../../service/api/service';
import { HOUR } from '../support/time';
import { VirtualClock } from '../support/virtual-clock';
import { VirtualSandbox } from '../support/virtual-sandbox';

const settings = {
	categories: [] as HookCategory[],
	options: { sort: 'score', q: '', limit: 30 },
	output: 'hooks',
	onlyNewHooks: false,
	simplify: false,
};

/** Polls once with these parameters. */
async function findRefresh(
	service: BriefingService,
	parameters: typeof settings,
	state: HooksState | undefined,
) {
	const context = {
		getNodeParameter: (name: keyof typeof settings) => parameters[name],
		getNode: () => ({}) as INode,
	};
	const event = hooksRefreshed(context as unknown as IPollFunctions);
	const { items, ...found } = await event.find(service, state);
	return { items: items.map(({ json }) => json), state: found.state as HooksState };
}

function serviceAt(refreshed_at: Timestamp | null, ...ids: string[]): BriefingService {
	return serviceWith(
		refreshed_at,
		ids.map((id) => ({ id }) as Hook),
	);
}

function serviceWith(refreshed_at: Timestamp | null, data: Hook[]): BriefingService {
	return serviceThatShows(() => ({ data, refreshed_at })).service;
}

/** A service whose lists of hooks are these, and what was asked of it. */
function serviceThatShows(list: (query: ListHooksQuery) => object, latency = 0) {
	const sandbox = new VirtualSandbox(clock, { latency });
	sandbox.intercept = ({ query }) => ({
		answer: { status: 200, body: JSON.stringify(list(query)) },
	});
	return { service: new BriefingService(sandbox.send, clock), sandbox };
}

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));
afterEach(() => clock.stop());

const state: HooksState = {
	since: 0,
	query: '[[],"score","",30]',
	times: { all: '2026-11-13T06:00:00Z' },
	seenVideos: ['a'],
};

it.each([
	['an earlier time, from a copy that lags behind', '2026-11-12T06:00:00Z', state.times?.all],
	['the same time in another form', Date.UTC(2026, 10, 13, 6), state.times?.all],
	['no time any more', null, null],
])('%s is no refresh', async (_, time, all) => {
	const found = await findRefresh(serviceAt(time, 'a'), settings, state);
	expect(found).toMatchObject({ items: [], state: { times: { all } } });
});

it('no time any more is a refresh if there are hooks that were not there before', async () => {
	expect((await findRefresh(serviceAt(null, 'a', 'b'), settings, state)).items).toHaveLength(2);
});

it.each(['hooks', 'refresh'] as const)(
	'a refresh without new videos is passed on, and with Only New Hooks it is not, with %s',
	async (output) => {
		const same = serviceAt('2026-11-14T06:00:00Z', 'a');
		const passed = await findRefresh(same, { ...settings, output }, state);
		expect(passed.items).toHaveLength(1);
		const quiet = await findRefresh(same, { ...settings, output, onlyNewHooks: true }, state);
		expect(quiet.items).toEqual([]);
		expect(quiet.state.times).toEqual({ all: '2026-11-14T06:00:00Z' });
	},
);

it('a time that cannot be read is a refresh when it changes', async () => {
	const odd = { ...state, times: { all: 'yesterday' } };
	expect((await findRefresh(serviceAt('yesterday', 'a'), settings, odd)).items).toEqual([]);
	expect((await findRefresh(serviceAt('today', 'a'), settings, odd)).items).toHaveLength(1);
});

describe('Only New Hooks', () => {
	const onlyNew = { ...settings, onlyNewHooks: true };
	const at = (day: number, ...data: Array<[id: string, video: string]>) =>
		serviceWith(
			`2026-11-${day}T06:00:00Z`,
			data.map(([id, video_id]) => ({ id, video_id }) as Hook),
		);

	it('knows a video again by another entry of it', async () => {
		const { state: first } = await findRefresh(at(14, ['w1', 'v']), onlyNew, state);
		const second = await findRefresh(at(15, ['p1', 'v'], ['w2', 'other']), onlyNew, first);
		expect(second.items).toEqual([expect.objectContaining({ id: 'w2' })]);
		expect(second.state.seenVideos).toEqual(['a', 'v', 'other']);
	});

	it.each<Partial<typeof settings>>([
		{ categories: ['Wellness'] },
		{ options: { ...settings.options, sort: 'newest' } },
		{ options: { ...settings.options, q: 'other words' } },
		{ options: { ...settings.options, limit: 80 } },
	])('takes the list as the beginning where the settings have changed: %j', async (change) => {
		const changed = { ...onlyNew, ...change };
		// With a refresh at the same time, and without one.
		for (const day of [14, 13]) {
			const first = await findRefresh(at(day, ['b', 'b'], ['c', 'c']), changed, state);
			expect(first.items).toEqual([]);
			const second = await findRefresh(at(15, ['b', 'b'], ['d', 'd']), changed, first.state);
			expect(second.items).toEqual([expect.objectContaining({ id: 'd' })]);
		}
	});
});

describe('with several categories', () => {
	const categories: HookCategory[] = ['Wellness', 'Home & kitchen', 'Fashion'];
	const several = { ...settings, categories };
	const START = Date.UTC(2026, 10, 14);

	/** A service whose categories are refreshed at these times, each with one hook that names category and time. */
	function serviceWithTimes(timeOf: (category: HookCategory) => number, latency?: number) {
		const asked: ListHooksQuery[] = [];
		const { service, sandbox } = serviceThatShows((query) => {
			asked.push(query);
			const refreshed_at = new Date(timeOf(query.category!)).toISOString();
			const id = `${query.category} ${refreshed_at}`;
			return { data: [{ id, category: query.category }], refreshed_at };
		}, latency);
		return { asked, service, sandbox };
	}

	const categoriesOf = (items: object[]) =>
		items.map((item) => (item as { category: HookCategory }).category);

	it('looks at one in turn, with one small request', async () => {
		const { asked, service } = serviceWithTimes(() => START);
		let { state: next } = await findRefresh(service, several, undefined);
		expect(asked.splice(0)).toHaveLength(3);
		for (let poll = 0; poll < 4; poll += 1) {
			next = (await findRefresh(service, several, next)).state;
		}
		expect(asked).toEqual(
			[...categories, 'Wellness'].map((category) => ({ category, limit: '1' })),
		);
	});

	it('reads them at the same time, so that a slow service does not make a poll longer', async () => {
		const { service, sandbox } = serviceWithTimes(() => START, 10_000);
		const { state: next } = await findRefresh(service, several, undefined);
		expect(next.times).toHaveProperty('Fashion');
		expect(sandbox.requests.map(({ at }) => at)).toEqual(Array(3).fill(sandbox.requests[0]?.at));
	});

	it('with changed settings knows the hooks of those too that are not refreshed yet', async () => {
		let [wellness, others] = [START, START];
		const { service } = serviceWithTimes((category) =>
			category === 'Wellness' ? wellness : others,
		);
		const onlyNew = { ...several, onlyNewHooks: true };
		const first = (await findRefresh(service, onlyNew, undefined)).state;
		wellness += 24 * HOUR;
		const changed = { ...onlyNew, options: { ...settings.options, limit: 80 } };
		const second = await findRefresh(service, changed, first);
		expect(second.items).toEqual([]);
		expect(second.state.seenVideos).toHaveLength(3);
		others += 24 * HOUR;
		const third = await findRefresh(service, changed, second.state);
		expect(categoriesOf(third.items)).toEqual(['Home & kitchen', 'Fashion']);
	});

	it('passes on what a copy that lags behind has left out once the copy has caught up', async () => {
		let fashion = START;
		const { asked, service } = serviceWithTimes((category) =>
			category === 'Fashion' ? fashion : START + 24 * HOUR,
		);
		const before = serviceWithTimes(() => START).service;
		const first = (await findRefresh(before, several, undefined)).state;
		const second = await findRefresh(service, several, first);
		expect(categoriesOf(second.items)).toEqual(['Wellness', 'Home & kitchen']);
		asked.length = 0;
		fashion = START + 24 * HOUR;
		const third = await findRefresh(service, several, second.state);
		expect(asked[0]).toEqual({ category: 'Fashion', limit: '1' });
		expect(categoriesOf(third.items)).toEqual(['Fashion']);
		expect((await findRefresh(service, several, third.state)).items).toEqual([]);
	});

	it.each([
		['at one time', 0, 1],
		['at a time of its own', 7, 1],
		['at one time, with copies that lag behind', 0, 3],
		['at a time of its own, with copies that lag behind', 7, 3],
	])(
		'passes each refresh of each on once, refreshed %s, over restarts',
		async (_name, hoursApart, copies) => {
			let hour = 0;
			let answers = 0;
			const { service } = serviceWithTimes((category) => {
				// Each copy is an hour behind the one before.
				const seen = hour - (answers++ % copies);
				const own = hoursApart * categories.indexOf(category);
				return START + (Math.floor((seen - own) / 24) * 24 + own) * HOUR;
			});
			let { state: inMemory } = await findRefresh(service, several, undefined);
			let saved = inMemory;
			const given: unknown[] = [];
			for (; hour < 10 * 24; hour += 1) {
				// A restart loses what quiet polls have learnt.
				const found = await findRefresh(service, several, hour % 30 === 29 ? saved : inMemory);
				inMemory = found.state;
				if (found.items.length > 0) saved = found.state;
				given.push(...found.items.map((item) => (item as Hook).id));
			}
			expect(new Set(given).size).toBe(given.length);
			for (const category of categories) {
				const own = given.filter((id) => String(id).startsWith(category));
				expect(own.length).toBeGreaterThanOrEqual(9);
			}
		},
	);
});

it('no more than two thousand hooks are remembered, the latest', async () => {
	const many = Array.from({ length: 2500 }, (_none, index) => `old ${index}`);
	const found = await findRefresh(serviceAt('2026-11-14T06:00:00Z', 'new', 'a'), settings, {
		...state,
		seenVideos: many,
	});
	expect(found.state.times).toEqual({ all: '2026-11-14T06:00:00Z' });
	const { seenVideos: seen } = found.state;
	expect(seen).toHaveLength(2000);
	expect(seen!.slice(-2)).toEqual(['new', 'a']);
});
