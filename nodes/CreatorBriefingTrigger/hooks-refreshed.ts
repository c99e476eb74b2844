import type { IPollFunctions } from 'n8n-workflow';
import type { Hook, HookCategory, HookList, Timestamp } from '../../service/api/resources';
import type { BriefingService } from '../../service/api/service';
import { instantOf } from '../../service/api/timestamps';
import { askedCategories, hookQuery, mergeHooks, videoOf, type HookQuery } from '../shared/hooks';
import { simpleRefreshedHook } from '../shared/simplify';
import type { HooksState, ListTimes, PolledEvent, PollResult } from './state';

interface HooksRefreshed {
	query: HookQuery;
	output: 'hooks' | 'refresh';
	/** Leaves out hooks that were there before. */
	onlyNewHooks: boolean;
	isSimple: boolean;
}

/** Twenty-five full lists. A hook that comes back after that counts as new. */
const REMEMBERED_HOOKS = 2000;
/** The rest of the workflow runs for each of them, and may cost something. */
const SHOWN_IN_A_TEST = 3;
/** A request may use the allowance of ContentIQ, and the hooks change once a day. */
const CHECK_MINUTES = 15;

export function hooksRefreshed(context: IPollFunctions): PolledEvent {
	const options = context.getNodeParameter('options') as { checkInterval?: unknown };
	const minutes = Number(options.checkInterval ?? CHECK_MINUTES);
	const categories = context.getNodeParameter('categories');
	const settings: HooksRefreshed = {
		query: hookQuery(context.getNode(), { ...options, categories }),
		output: context.getNodeParameter('output') as 'hooks' | 'refresh',
		onlyNewHooks: context.getNodeParameter('onlyNewHooks') === true,
		isSimple: context.getNodeParameter('simplify') === true,
	};
	return {
		name: 'hooksRefreshed',
		find: async (service, state) => {
			const { items, ...rest } = await findRefresh(service, settings, state);
			return { ...rest, items: items.map((json) => ({ json })) };
		},
		findRecent: async (service) => (await recentHooks(service, settings)).map((json) => ({ json })),
		nothing: {
			message: 'There are no hooks for these settings',
			description: "Remove 'Search' or some of the 'Categories', and test again.",
		},
		interval: (minutes >= 0 ? minutes : CHECK_MINUTES) * 60_000,
		startsFromNow: false,
	};
}

/**
 * One category’s list, with a time of its own: it is open whether categories are refreshed together (docs/service.md),
 * and one of several answers may come from a copy of the service that lags behind.
 */
interface CategoryList extends HookList {
	/** Undefined for the list of all categories. */
	category: HookCategory | undefined;
}

/**
 * Fires when lists have been refreshed since the last time, with the hooks of those lists. While none has, this is one
 * request for one hook, of each category in turn.
 * @param state undefined at the first poll, which only takes the lists as the point to start from
 */
async function findRefresh(
	service: BriefingService,
	settings: HooksRefreshed,
	state: HooksState | undefined,
): Promise<PollResult<HooksState>> {
	const { query } = settings;
	const categories = askedCategories(query);
	if (state?.query === keyOf(query)) {
		const turn = (state.turn ?? 0) % categories.length;
		if (!(await mayBeRefreshed(service, categories[turn], state))) {
			return { items: [], state: categories.length === 1 ? state : { ...state, turn: turn + 1 } };
		}
	}
	return refreshIn(await readLists(service, query), settings, state, service.now());
}

/** Gives what lists that were read bring, and what to remember of them. */
function refreshIn(
	lists: CategoryList[],
	settings: HooksRefreshed,
	state: HooksState | undefined,
	now: number,
): PollResult<HooksState> {
	const { query, onlyNewHooks } = settings;
	// The videos that another query saw do not say what is new to this one, which begins with its lists as they are.
	const seenVideos = state?.query === keyOf(query) ? (state.seenVideos ?? []) : null;
	const videosBefore = new Set(seenVideos);
	const isUnseen = (hook: Hook) => seenVideos !== null && !videosBefore.has(videoOf(hook));
	const all = mergeHooks(lists, query);
	const hasUnseen = all.data.some(isUnseen);
	// A list without a time counts as refreshed with the others.
	const timedLists = lists.map((list) => ({
		...list,
		refreshed_at: list.refreshed_at ?? all.refreshed_at,
	}));
	const refreshedLists =
		state === undefined ? [] : timedLists.filter((list) => isRefreshed(list, hasUnseen, state));
	const news = refreshedLists.length === 0 ? all : mergeHooks(refreshedLists, query);
	const nextState: HooksState = {
		since: now,
		query: keyOf(query),
		...timesAfter(timedLists, state),
		seenVideos:
			seenVideos === null ? videosToKeep([], all.data) : videosToKeep(seenVideos, news.data),
	};
	if (refreshedLists.length === 0) return { items: [], state: nextState };
	const data = onlyNewHooks ? news.data.filter(isUnseen) : news.data;
	return { items: itemsOf({ ...news, data }, settings), state: nextState };
}

/** Gets the first hooks as they are now, as a refresh would give them. */
async function recentHooks(service: BriefingService, settings: HooksRefreshed): Promise<object[]> {
	const limit = Math.min(settings.query.limit, SHOWN_IN_A_TEST);
	const query = { ...settings.query, limit };
	return itemsOf(mergeHooks(await readLists(service, query), query), settings).slice(0, 1);
}

function itemsOf({ data, refreshed_at }: HookList, { output, isSimple }: HooksRefreshed): object[] {
	const hooks = isSimple ? data.map(simpleRefreshedHook) : data;
	if (output === 'hooks') return hooks.map((hook) => ({ ...hook, refreshed_at }));
	return hooks.length === 0 ? [] : [{ refreshed_at, count: hooks.length, hooks }];
}

/** Reads all lists at once: a poll has a limited time. */
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
	// If refreshed_at is null (docs/api.md section 2.3 allows it), only the list itself shows a refresh.
	if (before === null || before === undefined) return true;
	const { refreshed_at } = await service.hooks({ category, limit: 1 });
	return refreshed_at === null || isLater(refreshed_at, before);
}

/** @param hasUnseen whether there are hooks that were not there before: the only sign if no time is given */
function isRefreshed(
	{ category, refreshed_at: now }: CategoryList,
	hasUnseen: boolean,
	state: HooksState,
): boolean {
	const before = knownTime(state, category);
	if (before === undefined) return now !== null && (instantOf(now) ?? 0) > state.since;
	if (before === null || now === null) return hasUnseen;
	return isLater(now, before);
}

/**
 * Gives the last refresh that was passed on; undefined for a category that was not read before, and if nothing could be
 * read at activation.
 */
function knownTime(
	{ times }: HooksState,
	category: HookCategory | undefined,
): Timestamp | null | undefined {
	return times?.[category ?? 'all'];
}

/** A copy of the service that lags behind may give an earlier time than the last one. */
function isLater(now: Timestamp, before: Timestamp): boolean {
	const [a, b] = [instantOf(now), instantOf(before)];
	return a === null || b === null ? now !== before : a > b;
}

/** Gives the times to remember, once these lists are read. */
function timesAfter(
	lists: CategoryList[],
	state: HooksState | undefined,
): { times: ListTimes; turn: number } {
	const times: ListTimes = {};
	for (const { category, refreshed_at } of lists) {
		times[category ?? 'all'] = timeToKeep(refreshed_at, state && knownTime(state, category));
	}
	// A list that lags behind is looked at first.
	const instants = Object.values(times).map((time) => instantOf(time) ?? 0);
	const turn = instants.indexOf(Math.min(...instants));
	return { times, turn };
}

/** Gives the time to remember, not that of a copy that lags behind: the one passed on would fire again. */
function timeToKeep(now: Timestamp | null, before: Timestamp | null | undefined): Timestamp | null {
	if (now === null || before === null || before === undefined) return now;
	return isLater(now, before) ? now : before;
}

function videosToKeep(before: string[], list: Hook[]): string[] {
	const now = new Set(list.map(videoOf));
	return [...before.filter((video) => !now.has(video)), ...now].slice(-REMEMBERED_HOOKS);
}

function keyOf({ categories, sort, q, limit }: HookQuery): string {
	return JSON.stringify([categories, sort, q, limit]);
}
