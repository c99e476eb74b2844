import type { HookCategory, HookList, Timestamp } from '../../service/resources';
import { instantOf } from '../../service/timestamps';
import type { HooksState, ListTimes } from './state';

/**
 * Whether categories are refreshed together is open (docs/service.md, section 10), and of several answers one may come
 * from a copy of the service that lags behind. So each list that is read has a time of its own.
 */
export interface CategoryList extends HookList {
	/** Undefined for the list of all categories. */
	category: HookCategory | undefined;
}

/** When a list was refreshed, as far as it was passed on. Undefined where nothing could be read at activation. */
export function knownTime(
	{ times, refreshedAt }: HooksState,
	category: HookCategory | undefined,
): Timestamp | null | undefined {
	return times?.[category ?? 'all'] ?? refreshedAt;
}

/** @param hasUnseen whether there are hooks that were not there before: all that tells where no time is given */
export function isRefreshed(
	{ category, refreshed_at: now }: CategoryList,
	hasUnseen: boolean,
	state: HooksState,
): boolean {
	const before = knownTime(state, category);
	if (before === undefined) return now !== null && (instantOf(now) ?? 0) > state.since;
	if (before === null || now === null) return hasUnseen;
	return isLater(now, before);
}

/** A copy of the service that lags behind may give an earlier time than the last one. */
export function isLater(now: Timestamp, before: Timestamp): boolean {
	const [a, b] = [instantOf(now), instantOf(before)];
	return a === null || b === null ? now !== before : a > b;
}

/** What to remember of the times, once these lists are read. */
export function timesAfter(
	lists: CategoryList[],
	newest: Timestamp | null,
	state: HooksState | undefined,
): Required<Pick<HooksState, 'refreshedAt' | 'times' | 'turn'>> {
	const times: ListTimes = {};
	for (const { category, refreshed_at } of lists) {
		times[category ?? 'all'] = latest(refreshed_at, state && knownTime(state, category));
	}
	// A list that lags behind is looked at first.
	const instants = Object.values(times).map((time) => instantOf(time) ?? 0);
	const turn = instants.indexOf(Math.min(...instants));
	return { refreshedAt: latest(newest, state?.refreshedAt), times, turn };
}

/** The time of a copy that lags behind is not remembered: the one that was passed on would be later, and fire again. */
function latest(now: Timestamp | null, before: Timestamp | null | undefined): Timestamp | null {
	if (now === null || before === null || before === undefined) return now;
	return isLater(now, before) ? now : before;
}
