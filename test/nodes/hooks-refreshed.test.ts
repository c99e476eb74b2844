import {
	findRefresh,
	type HooksRefreshed,
} from '../../nodes/CreatorBriefingTrigger/hooks-refreshed';
import type { HooksState } from '../../nodes/CreatorBriefingTrigger/state';
import type { Hook, Timestamp } from '../../service/resources';
import type { BriefingService } from '../../service/service';

const settings: HooksRefreshed = {
	query: { categories: [], sort: 'score', q: '', limit: 30 },
	output: 'hooks',
	onlyNewHooks: false,
	isSimple: false,
};

function serviceAt(refreshed_at: Timestamp | null, ...ids: string[]): BriefingService {
	return serviceWith(
		refreshed_at,
		ids.map((id) => ({ id }) as Hook),
	);
}

function serviceWith(refreshed_at: Timestamp | null, data: Hook[]): BriefingService {
	return {
		now: () => 1000,
		hooks: () => Promise.resolve({ data, refreshed_at }),
	} as unknown as BriefingService;
}

const state: HooksState = { since: 0, refreshedAt: '2026-11-13T06:00:00Z', seen: ['a'] };

it('an earlier time, from a copy that lags behind, is no refresh', async () => {
	const found = await findRefresh(serviceAt('2026-11-12T06:00:00Z', 'old'), settings, state);
	expect(found).toEqual({ items: [], state });
	expect(found.state).toBe(state);
});

it('the same time in another form is no refresh', async () => {
	const found = await findRefresh(serviceAt(Date.UTC(2026, 10, 13, 6), 'a'), settings, state);
	expect(found.items).toEqual([]);
});

it.each(['hooks', 'refresh'] as const)(
	'a refresh without new videos is passed on, and with Only New Hooks it is not, with %s',
	async (output) => {
		const same = serviceAt('2026-11-14T06:00:00Z', 'a');
		const passed = await findRefresh(same, { ...settings, output }, state);
		expect(passed.items).toHaveLength(1);
		const quiet = await findRefresh(same, { ...settings, output, onlyNewHooks: true }, state);
		expect(quiet.items).toEqual([]);
		expect(quiet.state.refreshedAt).toBe('2026-11-14T06:00:00Z');
	},
);

it('a time that cannot be read is a refresh when it changes', async () => {
	const odd = { ...state, refreshedAt: 'yesterday' };
	expect((await findRefresh(serviceAt('yesterday', 'a'), settings, odd)).items).toEqual([]);
	expect((await findRefresh(serviceAt('today', 'a'), settings, odd)).items).toHaveLength(1);
});

it('a time that is no longer given is a refresh only with hooks that were not there before', async () => {
	expect((await findRefresh(serviceAt(null, 'a'), settings, state)).items).toEqual([]);
	expect((await findRefresh(serviceAt(null, 'a', 'b'), settings, state)).items).toHaveLength(2);
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
		expect(second.state.seen).toEqual(['a', 'v', 'other']);
	});

	it('knows the hooks that an older version has remembered by their IDs', async () => {
		const older: HooksState = { ...state, seen: ['w1', 'w2'] };
		const { items, state: next } = await findRefresh(at(14, ['w1', 'v']), onlyNew, older);
		expect(items).toEqual([]);
		expect(next.seen).toEqual(['w2', 'v']);
		expect((await findRefresh(at(15, ['p1', 'v']), onlyNew, next)).items).toEqual([]);
	});
});

it('no more than two thousand hooks are remembered, the latest', async () => {
	const many = Array.from({ length: 2500 }, (_none, index) => `old ${index}`);
	const found = await findRefresh(serviceAt('2026-11-14T06:00:00Z', 'new', 'a'), settings, {
		...state,
		seen: many,
	});
	expect(found.state).toMatchObject({ refreshedAt: '2026-11-14T06:00:00Z' });
	const { seen } = found.state;
	expect(seen).toHaveLength(2000);
	expect(seen!.slice(-2)).toEqual(['new', 'a']);
});
