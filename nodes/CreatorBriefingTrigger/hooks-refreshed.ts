import type { Hook, HookList, Timestamp } from '../../service/resources';
import type { BriefingService } from '../../service/service';
import { instantOf } from '../../service/timestamps';
import { readHooks, videoOf, type HookQuery } from '../shared/hooks';
import { simpleRefreshedHook } from '../shared/simplify';
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
 * Fires when the list has been refreshed since the last time. While it has not, this is one request for one hook.
 * @param state undefined at the first poll, which only takes the list as the point to start from
 */
export async function findRefresh(
	service: BriefingService,
	settings: HooksRefreshed,
	state: HooksState | undefined,
): Promise<PollResult<HooksState>> {
	const { query, onlyNewHooks } = settings;
	if (state !== undefined && !(await mayBeRefreshed(service, query, state))) {
		return { items: [], state };
	}
	const list = await readHooks(service, query);
	const before = new Set(state?.seen);
	const unseen = list.data.filter((hook) => !before.has(videoOf(hook)) && !before.has(hook.id));
	const next: HooksState = {
		since: service.now(),
		refreshedAt: latest(list.refreshed_at, state?.refreshedAt),
		seen: remembered(state?.seen ?? [], list.data),
	};
	if (state === undefined || !isRefresh(list.refreshed_at, unseen, state)) {
		return { items: [], state: next };
	}
	const data = onlyNewHooks ? unseen : list.data;
	return { items: itemsOf({ ...list, data }, settings), state: next };
}

/** The first hooks as they are now, as a refresh would give them. */
export async function recentHooks(
	service: BriefingService,
	settings: HooksRefreshed,
): Promise<object[]> {
	const limit = Math.min(settings.query.limit, SHOWN_IN_A_TEST);
	return itemsOf(await readHooks(service, { ...settings.query, limit }), settings);
}

function itemsOf({ data, refreshed_at }: HookList, { output, isSimple }: HooksRefreshed): object[] {
	const hooks = isSimple ? data.map(simpleRefreshedHook) : data;
	if (output === 'hooks') return hooks.map((hook) => ({ ...hook, refreshed_at }));
	return hooks.length === 0 ? [] : [{ refreshed_at, count: hooks.length, hooks }];
}

async function mayBeRefreshed(
	service: BriefingService,
	{ categories: [category] }: HookQuery,
	{ refreshedAt }: HooksState,
): Promise<boolean> {
	// Where refreshed_at is null, as docs/service.md section 2.3 allows, only the list itself shows a refresh.
	if (refreshedAt === null || refreshedAt === undefined) return true;
	const { refreshed_at } = await service.hooks({ category, limit: 1 });
	return refreshed_at === null || isLater(refreshed_at, refreshedAt);
}

function isRefresh(now: Timestamp | null, unseen: Hook[], { refreshedAt, since }: HooksState) {
	if (refreshedAt === undefined) return now !== null && (instantOf(now) ?? 0) > since;
	if (refreshedAt === null || now === null) return unseen.length > 0;
	return isLater(now, refreshedAt);
}

/** A copy of the service that lags behind may give an earlier time than the last one. */
function isLater(now: Timestamp, before: Timestamp): boolean {
	const [a, b] = [instantOf(now), instantOf(before)];
	return a === null || b === null ? now !== before : a > b;
}

/** The time of a copy that lags behind is not remembered: the one that was passed on would be later, and fire again. */
function latest(now: Timestamp | null, before: Timestamp | null | undefined): Timestamp | null {
	if (now === null || before === null || before === undefined) return now;
	return isLater(now, before) ? now : before;
}

function remembered(before: string[], list: Hook[]): string[] {
	const now = new Set(list.map(videoOf));
	const replaced = new Set([...now, ...list.map(({ id }) => id)]);
	return [...before.filter((name) => !replaced.has(name)), ...now].slice(-REMEMBERED_HOOKS);
}
