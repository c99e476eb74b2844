import type { INode } from 'n8n-workflow';
import { HOOKS_LIMIT, HOOKS_QUERY_MAX_LENGTH } from '../../core/api/limits';
import {
	HOOK_CATEGORIES,
	HOOK_SORTS,
	type Hook,
	type HookCategory,
	type HookList,
	type HookSort,
} from '../../core/api/types';
import type { ListHooksQuery } from '../../core/api/operations';
import { parseTimestamp } from '../../core/api/timestamps';
import { makeOperationError } from './node-errors';
import { readWholeNumber } from './properties';

const SHOWN_LIMIT = 50;

export interface HookQuery {
	/** An empty list means all categories. */
	categories: HookCategory[];
	sort: HookSort;
	q: string;
	limit: number;
}

/**
 * Reads the query from the parameters, and checks it before anything is sent (docs/api.md section 4.5).
 * @throws {NodeOperationError} that names the parameter
 */
export function hookQuery(
	node: INode,
	parameters: { categories?: unknown; sort?: unknown; q?: unknown; limit?: unknown },
	itemIndex?: number,
): HookQuery {
	const limitParameter = { name: 'Limit', value: parameters.limit ?? SHOWN_LIMIT, ...HOOKS_LIMIT };
	const limit = readWholeNumber(node, limitParameter, itemIndex);
	const q = asText(parameters.q ?? '').trim();
	const sort = HOOK_SORTS.find((one) => one === (parameters.sort ?? 'score'));
	// An expression may give one category as a text instead of a list.
	const names = [parameters.categories ?? []]
		.flat()
		.map(asText)
		.filter((name) => name !== '');
	const categoryNames = new Set(names.map(inOneCase));
	const categories = HOOK_CATEGORIES.filter((one) => categoryNames.has(inOneCase(one)));
	const knownNames = new Set(categories.map(inOneCase));
	const unknownName = names.find((name) => !knownNames.has(inOneCase(name)));
	const problem = (message: string, description: string) =>
		makeOperationError(node, { message, description }, itemIndex);

	if (Array.from(q).length > HOOKS_QUERY_MAX_LENGTH) {
		throw problem(
			`'Search' has more than ${HOOKS_QUERY_MAX_LENGTH} characters`,
			'Shorten it to the words to find in the hook or angle.',
		);
	}
	if (sort === undefined) {
		throw problem("'Sort' has an unknown value", `Use one of: ${HOOK_SORTS.join(', ')}.`);
	}
	if (unknownName !== undefined) {
		throw problem(
			`'Categories' contains “${unknownName}”, which is not a category`,
			`Use one or more of: ${HOOK_CATEGORIES.join(', ')}. Leave it empty for all.`,
		);
	}
	return { categories, sort, q, limit };
}

/** People and sheets write "Beauty & Skincare", as the form does, or all in small letters. */
function inOneCase(category: string): string {
	return category.trim().toLowerCase();
}

function asText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Sends one request for hooks. */
type ListHooks = (query: ListHooksQuery) => Promise<HookList>;

/**
 * Reads the hooks of several categories as one list. The service takes one category per request, or none for all.
 * @param returnsAll true to return all that the service lists of each category
 */
export async function readHooks(
	listHooks: ListHooks,
	query: HookQuery,
	returnsAll = false,
): Promise<HookList> {
	const { sort, q, limit } = query;
	const lists: HookList[] = [];
	// Without a category, the limit of one request holds for all categories together.
	const isEach = returnsAll && query.categories.length === 0;
	for (const category of isEach ? HOOK_CATEGORIES : listCategories(query))
		lists.push(await listHooks({ category, sort, q, limit }));
	return mergeHooks(lists, returnsAll ? { ...query, limit: Infinity } : query);
}

/** Returns the category of each request; undefined for all. */
export function listCategories({ categories }: HookQuery): Array<HookCategory | undefined> {
	return categories.length === 0 ? [undefined] : categories;
}

/** Makes one list of several, with one entry per video. */
export function mergeHooks(lists: HookList[], { sort, limit }: HookQuery): HookList {
	const hooks = merge(
		lists.map(({ data }) => data),
		sort,
	);
	return { data: hooks.slice(0, limit), refreshed_at: newestTime(lists) };
}

/** Identifies a video: its entries in several lists have different IDs. */
export function videoOf(hook: Hook): string {
	return hook.video_id || hook.id;
}

/** Keeps the order of a single list, which is the service's own. */
function merge(lists: Hook[][], sort: HookSort): Hook[] {
	if (lists.length === 1) return lists[0] ?? [];
	const byVideo = new Map<string, Hook>();
	for (const hook of alternating(lists)) {
		const video = videoOf(hook);
		if (!byVideo.has(video)) byVideo.set(video, hook);
	}
	const hooks = [...byVideo.values()];
	// The score itself is not in the answer: only the rank in each category is known. So the lists take turns: the first
	// of each, the second of each.
	if (sort === 'score') return hooks;
	return hooks.sort((a, b) => compare(strength(b, sort), strength(a, sort)));
}

/** Compares two numbers. The difference of two infinities is no number. */
function compare(a: number, b: number): number {
	return a === b ? 0 : a - b;
}

function strength(hook: Hook, sort: Exclude<HookSort, 'score'>): number {
	const value = sort === 'newest' ? parseTimestamp(hook.observed_at) : hook[sort];
	return value ?? -Infinity;
}

function* alternating<T>(lists: T[][]): Generator<T> {
	const longest = Math.max(...lists.map((list) => list.length));
	for (let rank = 0; rank < longest; rank += 1) {
		for (const list of lists) if (rank < list.length) yield list[rank] as T;
	}
}

function newestTime(lists: HookList[]): HookList['refreshed_at'] {
	const times = lists.map(({ refreshed_at }) => refreshed_at).filter((time) => time !== null);
	const [first = null] = times.sort((a, b) => (parseTimestamp(b) ?? 0) - (parseTimestamp(a) ?? 0));
	return first;
}
