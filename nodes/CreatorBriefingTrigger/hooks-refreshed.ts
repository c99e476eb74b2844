import type { IPollFunctions } from 'n8n-workflow';
import type { ApiClient } from '../../core/api/client';
import { parseTimestamp } from '../../core/api/timestamps';
import type { Hook, HookList, Timestamp } from '../../core/api/types';
import { DAY_MS } from '../../core/assumptions';
import { getVideoId, mergeHooks, readHookQuery, toRequests, type HookQuery } from '../shared/hooks';
import { simplifyRefreshedHook } from '../shared/simplify';
import type { PolledEvent, PollResult, SavedState } from './polled-event';

/**
 * Starts the workflow once for each daily refresh of the hooks (docs/api.md 2.3 and 4.5). The service can move
 * `refreshed_at` before its list shows the hooks of that refresh. So a refresh is passed on, and counts as handled, when
 * the list shows a video that was not in the list before:
 *
 *     05:50   refreshed yesterday 06:00   videos a, b   nothing new
 *     06:05   refreshed today 06:00       videos a, b   waits for the hooks
 *     06:20   refreshed today 06:00       videos b, c   passes on b and c; with Only New Hooks, c
 *     06:35   refreshed today 06:00       videos b, c   nothing new
 *
 * A refresh can also bring the same videos with new figures. An hour after the refresh, or if the refresh before it was
 * not passed on either, the list is passed on as it is; with Only New Hooks, nothing is. Videos that appear even later
 * are new in the next refresh. If the service named no time at publishing, the first time that it names is a refresh.
 */
export interface HooksState extends SavedState {
	/** The query of the other fields. */
	readonly query?: string;
	/** The refresh that was passed on last. */
	readonly refreshedAt?: Timestamp | null;
	/** The videos that were in the list, newest last. */
	readonly seenVideos?: readonly string[];
}

/** How long after a refresh its hooks can be missing from the list. */
const HOOKS_LAG_MS = 60 * 60_000;
/** The hooks are refreshed daily, so a longer time between two refreshes means another refresh between them. */
const MAX_REFRESH_INTERVAL_MS = 1.5 * DAY_MS;
/** Twenty-five full lists. A video that is listed again after that counts as new. */
const MAX_SEEN_VIDEOS = 2000;
const MAX_TEST_HOOKS = 3;
/** A request can use the allowance of ContentIQ, and the hooks change once a day. */
const CHECK_INTERVAL_MS = 15 * 60_000;

interface RefreshSettings {
	readonly query: HookQuery;
	readonly output: 'hooks' | 'refresh';
	readonly onlyNewHooks: boolean;
	readonly isSimple: boolean;
}

/** Reads the parameters of the event. */
export function readHooksRefreshed(context: IPollFunctions): PolledEvent {
	const parameters = {
		...(context.getNodeParameter('options') as object),
		...(context.getNodeParameter('sort', {}) as object),
		categories: context.getNodeParameter('categories'),
	};
	const settings: RefreshSettings = {
		query: readHookQuery(context.getNode(), parameters),
		output: context.getNodeParameter('output') as 'hooks' | 'refresh',
		onlyNewHooks: context.getNodeParameter('onlyNewHooks') === true,
		isSimple: context.getNodeParameter('simplify') === true,
	};
	return {
		name: 'hooksRefreshed',
		find: async (client, state) => {
			const { items, ...rest } = await findRefresh(client, settings, state);
			return { ...rest, items: items.map((json) => ({ json })) };
		},
		findRecent: async (client) => {
			const query = { ...settings.query, limit: Math.min(settings.query.limit, MAX_TEST_HOOKS) };
			const list = mergeHooks(await readLists(client, query, () => true), query);
			return toItems(list, settings)
				.slice(0, 1)
				.map((json) => ({ json }));
		},
		nothingFound: {
			message: 'There are no hooks for these settings',
			description: "Remove 'Search' or some of the 'Categories', and test again.",
		},
		intervalMs: CHECK_INTERVAL_MS,
	};
}

async function findRefresh(
	client: ApiClient,
	settings: RefreshSettings,
	state: HooksState | undefined,
): Promise<PollResult<HooksState, object>> {
	const { query, onlyNewHooks } = settings;
	const key = JSON.stringify(query);
	// The videos that another query has listed do not show what is new to this query.
	const seenVideos = state?.query === key ? state.seenVideos : undefined;
	const handled = state === undefined ? null : getHandledRefresh(state);
	const canBeRefreshed = (time: Timestamp | null) =>
		seenVideos === undefined || isLater(time, handled) !== false;
	const lists = await readLists(client, query, canBeRefreshed);
	const list = mergeHooks(lists, query);
	const seen = new Set(seenVideos);
	const isUnseen = (hook: Hook) => seenVideos !== undefined && !seen.has(getVideoId(hook));
	const hasUnseen = list.data.some(isUnseen);
	const isDue = state !== undefined && shouldPassOn(list, state, hasUnseen, client.now());
	if (state?.query === key && !isDue) return { items: [], state };
	const nextState: HooksState = {
		since: client.now(),
		query: key,
		refreshedAt: isDue || state === undefined ? list.refreshed_at : handled,
		seenVideos: addVideos(seenVideos ?? [], list.data),
	};
	const data = onlyNewHooks ? list.data.filter(isUnseen) : list.data;
	return { items: isDue ? toItems({ ...list, data }, settings) : [], state: nextState };
}

/**
 * Reads the list of each category. A quiet poll is one request: the other lists are read, at the same time, only if the
 * first list can be refreshed.
 */
async function readLists(
	client: ApiClient,
	query: HookQuery,
	canBeRefreshed: (time: Timestamp | null) => boolean,
): Promise<HookList[]> {
	const [firstRequest, ...others] = toRequests(query);
	const first = await client.listHooks(firstRequest);
	if (!canBeRefreshed(first.refreshed_at)) return [first];
	return [first, ...(await Promise.all(others.map((request) => client.listHooks(request))))];
}

/** @param now the service's clock */
function shouldPassOn(
	{ refreshed_at }: HookList,
	state: HooksState,
	hasUnseen: boolean,
	now: number,
): boolean {
	const handled = getHandledRefresh(state);
	const isRefreshed = isLater(refreshed_at, handled);
	if (hasUnseen) return isRefreshed !== false;
	if (isRefreshed !== true) return false;
	const time = parseTimestamp(refreshed_at);
	const before = parseTimestamp(handled) ?? state.since;
	const isSecondRefresh = (time ?? 0) - before > MAX_REFRESH_INTERVAL_MS;
	return time === null || now - time >= HOOKS_LAG_MS || isSecondRefresh;
}

/** If the service could not be read at activation, earlier refreshes count as handled. */
function getHandledRefresh({ refreshedAt, since }: HooksState): Timestamp | null {
	return refreshedAt === undefined ? since : refreshedAt;
}

/** Returns null if the service names no time (docs/api.md 2.3 allows it): then only the videos show a refresh. */
function isLater(time: Timestamp | null, before: Timestamp | null): boolean | null {
	if (time === null) return null;
	if (before === null) return true;
	const [a, b] = [parseTimestamp(time), parseTimestamp(before)];
	return a === null || b === null ? time !== before : a > b;
}

function toItems(
	{ data, refreshed_at }: HookList,
	{ output, isSimple }: RefreshSettings,
): object[] {
	const hooks = isSimple ? data.map(simplifyRefreshedHook) : data;
	if (output === 'hooks') return hooks.map((hook) => ({ ...hook, refreshed_at }));
	return hooks.length === 0 ? [] : [{ refreshed_at, count: hooks.length, hooks }];
}

function addVideos(before: readonly string[], hooks: Hook[]): string[] {
	const videos = new Set(hooks.map(getVideoId));
	return [...before.filter((video) => !videos.has(video)), ...videos].slice(-MAX_SEEN_VIDEOS);
}
