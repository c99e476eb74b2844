import type { INode } from 'n8n-workflow';
import { HOOKS_LIMIT, HOOKS_QUERY_MAX_LENGTH } from '../../core/api/limits';
import type { ListHooksQuery } from '../../core/api/operations';
import { parseTimestamp } from '../../core/api/timestamps';
import {
	HOOK_CATEGORIES,
	HOOK_SORTS,
	type Hook,
	type HookCategory,
	type HookList,
	type HookSort,
	type Timestamp,
} from '../../core/api/types';
import { makeOperationError } from './node-errors';
import { readWholeNumber, toText } from './properties';

/**
 * The hooks of several categories as one list. The service takes one category per request, and does not show the score
 * by which it sorts. So the lists of a query by score take turns; any other query is sorted again:
 *
 *     Wellness   a (50 views), b (10 views)
 *     Fashion    c (90 views), a (50 views)
 *
 *     score      a, c, b        views      c, a, b
 */

const DEFAULT_LIMIT = 50;

export interface HookQuery {
	/** An empty list means all categories. */
	readonly categories: readonly HookCategory[];
	readonly sort: HookSort;
	readonly q: string;
	/** The length of the merged list. Infinity for everything that the service lists. */
	readonly limit: number;
}

/**
 * Reads the query from the parameters, and checks it before anything is sent (docs/api.md 4.5).
 * @throws {NodeOperationError} that names the parameter
 */
export function readHookQuery(
	node: INode,
	parameters: { categories?: unknown; sortBy?: unknown; q?: unknown; limit?: unknown },
	itemIndex?: number,
): HookQuery {
	const limit = { name: 'Limit', value: parameters.limit ?? DEFAULT_LIMIT, ...HOOKS_LIMIT };
	const query = {
		q: toText(parameters.q ?? '').trim(),
		limit: readWholeNumber(node, limit, itemIndex),
	};
	const fail = (message: string, description: string) =>
		makeOperationError(node, { message, description }, itemIndex);

	if (Array.from(query.q).length > HOOKS_QUERY_MAX_LENGTH)
		throw fail(
			`'Search' has more than ${HOOKS_QUERY_MAX_LENGTH} characters`,
			'Shorten it to the words to find in the hook or angle.',
		);
	const sort = HOOK_SORTS.find((known) => known === (parameters.sortBy ?? 'score'));
	if (sort === undefined)
		throw fail("'Sort By' has an unknown value", `Use one of: ${HOOK_SORTS.join(', ')}.`);
	// An expression can return one category as a text instead of a list.
	const names = [parameters.categories ?? []]
		.flat()
		.map(toText)
		.filter((name) => name !== '');
	const unknown = names.find((name) => findCategory(name) === undefined);
	if (unknown !== undefined)
		throw fail(
			`'Categories' contains “${unknown}”, which is not a category`,
			`Use one or more of: ${HOOK_CATEGORIES.join(', ')}. Leave it empty for all.`,
		);
	const chosen = new Set(names.map(findCategory));
	return { ...query, sort, categories: HOOK_CATEGORIES.filter((known) => chosen.has(known)) };
}

/** The form shows “Beauty & Skincare”, the service “Beauty & skincare”, and a sheet can have either. */
function findCategory(name: string): HookCategory | undefined {
	const text = name.trim().toLowerCase();
	return HOOK_CATEGORIES.find((known) => known.toLowerCase() === text);
}

/** Returns the requests of a query, one for each category. */
export function toRequests({ categories, sort, q, limit }: HookQuery): ListHooksQuery[] {
	const request = { sort, q, limit: Math.min(limit, HOOKS_LIMIT.max) };
	if (categories.length === 0) return [{ category: undefined, ...request }];
	return categories.map((category) => ({ category, ...request }));
}

/** Reads the lists of a query, one after the other, and merges them. */
export async function readHooks(
	listHooks: (request: ListHooksQuery) => Promise<HookList>,
	query: HookQuery,
): Promise<HookList> {
	const lists: HookList[] = [];
	for (const request of toRequests(query)) lists.push(await listHooks(request));
	return mergeHooks(lists, query);
}

/** Returns several lists as one list, in which each video is once. A single list keeps its sequence. */
export function mergeHooks(lists: readonly HookList[], { sort, limit }: HookQuery): HookList {
	const hooks = interleave(lists.map(({ data }) => data));
	if (lists.length > 1 && sort !== 'score')
		hooks.sort((a, b) => getSortValue(b, sort) - getSortValue(a, sort));
	return { data: hooks.slice(0, limit), refreshed_at: findNewestTime(lists) };
}

/** Identifies a video: its hooks in several lists have different IDs. */
export function getVideoId(hook: Hook): string {
	return hook.video_id || hook.id;
}

/** Returns the first hook of each list, then the second of each, and so on, without videos that come again. */
function interleave(lists: ReadonlyArray<readonly Hook[]>): Hook[] {
	const longest = Math.max(...lists.map(({ length }) => length));
	const byVideo = new Map<string, Hook>();
	for (let rank = 0; rank < longest; rank += 1) {
		for (const hook of lists.flatMap((list) => list[rank] ?? [])) {
			const video = getVideoId(hook);
			if (!byVideo.has(video)) byVideo.set(video, hook);
		}
	}
	return [...byVideo.values()];
}

/** Unlike that of infinities, the difference of two unknown values is a number. */
const UNKNOWN = -Number.MAX_VALUE;

function getSortValue(hook: Hook, sort: Exclude<HookSort, 'score'>): number {
	return (sort === 'newest' ? parseTimestamp(hook.observed_at) : hook[sort]) ?? UNKNOWN;
}

function findNewestTime(lists: readonly HookList[]): Timestamp | null {
	const times = lists.map(({ refreshed_at }) => refreshed_at).filter((time) => time !== null);
	const [newest = null] = times.sort((a, b) => (parseTimestamp(b) ?? 0) - (parseTimestamp(a) ?? 0));
	return newest;
}
