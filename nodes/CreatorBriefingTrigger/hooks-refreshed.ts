import type { Hook, HookCategory, HookList } from '../../service/resources';
import type { BriefingService } from '../../service/service';
import { askedCategories, mergeHooks, videoOf, type HookQuery } from '../shared/hooks';
import { simpleRefreshedHook } from '../shared/simplify';
import { isLater, isRefreshed, knownTime, timesAfter, type CategoryList } from './list-times';
import type { PollResult, HooksState } from './state';

export interface HooksRefreshed {
	query: HookQuery;
	output: 'hooks' | 'refresh';
	/** Leaves out hooks that were there before. */
	onlyNewHooks: boolean;
	isSimple: boolean;
}

/** Twenty-five full lists. A hook that comes back after that counts as new. */
const REMEMBERED_HOOKS = 2000;
/** What follows in the workflow is run for each of them, and may cost something. */
const SHOWN_IN_A_TEST = 3;

/**
 * Fires when lists have been refreshed since the last time, with the hooks of those lists. While none has, this is one
 * request for one hook, of each category in turn.
 * @param state undefined at the first poll, which only takes the lists as the point to start from
 */
export async function findRefresh(
	service: BriefingService,
	settings: HooksRefreshed,
	state: HooksState | undefined,
): Promise<PollResult<HooksState>> {
	const { query } = settings;
	const asked = askedCategories(query);
	if (state !== undefined) {
		const turn = (state.turn ?? 0) % asked.length;
		if (!(await mayBeRefreshed(service, asked[turn], state))) {
			return { items: [], state: asked.length === 1 ? state : { ...state, turn: turn + 1 } };
		}
	}
	return refreshIn(await readLists(service, query), settings, state, service.now());
}

/** What lists that were read give, and what to remember of them. */
function refreshIn(
	lists: CategoryList[],
	settings: HooksRefreshed,
	state: HooksState | undefined,
	now: number,
): PollResult<HooksState> {
	const { query, onlyNewHooks } = settings;
	const before = new Set(state?.seen);
	const isUnseen = (hook: Hook) => !before.has(videoOf(hook)) && !before.has(hook.id);
	const all = mergeHooks(lists, query);
	const hasUnseen = all.data.some(isUnseen);
	// A list without a time counts as refreshed with the others.
	const timed = lists.map((list) => ({
		...list,
		refreshed_at: list.refreshed_at ?? all.refreshed_at,
	}));
	const refreshed =
		state === undefined ? [] : timed.filter((list) => isRefreshed(list, hasUnseen, state));
	const passed = refreshed.length === 0 ? all : mergeHooks(refreshed, query);
	const next: HooksState = {
		since: now,
		...timesAfter(timed, all.refreshed_at, state),
		seen: remembered(state?.seen ?? [], passed.data),
	};
	if (refreshed.length === 0) return { items: [], state: next };
	const data = onlyNewHooks ? passed.data.filter(isUnseen) : passed.data;
	return { items: itemsOf({ ...passed, data }, settings), state: next };
}

/** The first hooks as they are now, as a refresh would give them. */
export async function recentHooks(
	service: BriefingService,
	settings: HooksRefreshed,
): Promise<object[]> {
	const limit = Math.min(settings.query.limit, SHOWN_IN_A_TEST);
	const query = { ...settings.query, limit };
	return itemsOf(mergeHooks(await readLists(service, query), query), settings);
}

function itemsOf({ data, refreshed_at }: HookList, { output, isSimple }: HooksRefreshed): object[] {
	const hooks = isSimple ? data.map(simpleRefreshedHook) : data;
	if (output === 'hooks') return hooks.map((hook) => ({ ...hook, refreshed_at }));
	return hooks.length === 0 ? [] : [{ refreshed_at, count: hooks.length, hooks }];
}

/** All at once: a poll has a limited time. */
async function readLists(service: BriefingService, query: HookQuery): Promise<CategoryList[]> {
	const { sort, q, limit } = query;
	return await Promise.all(
		askedCategories(query).map(async (category) => ({
			category,
			...(await service.hooks({ category, sort, q, limit })),
		})),
	);
}

async function mayBeRefreshed(
	service: BriefingService,
	category: HookCategory | undefined,
	state: HooksState,
): Promise<boolean> {
	const before = knownTime(state, category);
	// Where refreshed_at is null, as docs/service.md section 2.3 allows, only the list itself shows a refresh.
	if (before === null || before === undefined) return true;
	const { refreshed_at } = await service.hooks({ category, limit: 1 });
	return refreshed_at === null || isLater(refreshed_at, before);
}

function remembered(before: string[], list: Hook[]): string[] {
	const now = new Set(list.map(videoOf));
	const replaced = new Set([...now, ...list.map(({ id }) => id)]);
	return [...before.filter((name) => !replaced.has(name)), ...now].slice(-REMEMBERED_HOOKS);
}
