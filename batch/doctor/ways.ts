import { INPUT_FIELDS } from '../../service/input';
import { isJsonObject } from '../../service/json';
import { BRIEF_STATUSES, type Brief, type Hook, type Licence } from '../../service/resources';
import { NO_CURSOR } from './ask-service';
import type { Exchange } from './exchanges';
import { distinct, formOfTime, formOfValue, listed } from './forms';

/** How the service does something that its specification leaves open. */
export interface Way {
	/** As docs/service.md section 10 names it. */
	open: string;
	/** Null where no answer showed it. */
	seen: string | null;
}

type Fields = Record<string, unknown>;

const SUMMARY_FIELDS = [
	...(['id', 'status', 'product_name', 'title', 'created_at', 'updated_at'] as const),
	...(['finished_at', 'url'] as const),
] satisfies Array<keyof Brief>;

/** docs/service.md section 2. */
const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
	'a licence': [
		...(['product', 'name', 'channels', 'monthly_allowance', 'used_this_month'] as const),
		'renews_or_ends_at',
	] satisfies Array<keyof Licence>,
	'a brief in the list': SUMMARY_FIELDS,
	'a whole brief': [
		...SUMMARY_FIELDS,
		...(['input', 'markdown', 'document', 'sources', 'warnings', 'error_code'] as const),
		'revision',
	] satisfies Array<keyof Brief>,
	'a hook': [
		...(['id', 'category', 'video_id', 'video_url', 'hook', 'angle', 'why_it_works'] as const),
		...(['evidence', 'views', 'units_sold', 'gmv_usd', 'metric_window_days', 'is_ad'] as const),
		'observed_at',
	] satisfies Array<keyof Hook>,
};

/**
 * What free requests have shown of docs/service.md section 10: forms, names of fields, codes and headers, to be attached
 * to a question to the vendor. Nothing of what a brief, a hook or a product says is among it.
 * @param counted the briefs of this month, as the list shows them; null where it was not read
 */
export function waysOf(exchanges: readonly Exchange[], counted: number | null): Way[] {
	const seen = shownIn(exchanges);
	const ways: Array<[string, string[]]> = [
		['The form of times', formsOfTimes(seen)],
		['The form of `renews_or_ends_at`', seen['a licence'].map(timeAt('renews_or_ends_at'))],
		['`refreshed_at` that is null, or goes back', seen.hookLists.map(timeAt('refreshed_at'))],
		['`used_this_month` of Creator Briefs', use(seen['a licence'], counted)],
		['A cursor that is stale or not valid', cursors(exchanges)],
		['A status beyond the six', statuses(seen['a brief in the list'])],
		['Fields beyond those listed', fieldsBeyond(seen)],
		['Fields that are missing', fieldsMissing(seen)],
		['How `input` is arranged', seen['a whole brief'].map(({ input }) => formOfInput(input))],
		['The keys of `document`', formsOf(seen['a whole brief'], 'document')],
		['Items of `sources`', formsOf(seen['a whole brief'], 'sources')],
		['Items of `warnings`', formsOf(seen['a whole brief'], 'warnings')],
		['Values of `error_code`', seen['a whole brief'].flatMap(errorCodes)],
		['Error codes, and their statuses', refusals(exchanges).map(codeOf)],
		['The form of `details`', refusals(exchanges).map(({ error }) => formOfValue(error.details))],
		["Where the request's ID is", placesOfId(exchanges)],
		['The form of `Retry-After`', headers(exchanges, /^retry-after$/)],
		['The form of `RateLimit-*`', headers(exchanges, /ratelimit|^x-rate-limit/)],
		['Whether answers carry a Date header', dates(exchanges)],
		['How the end of a version is announced', headers(exchanges, /^(deprecation|sunset|warning)$/)],
	];
	return ways.map(([open, found]) => {
		const all = distinct(found);
		return { open, seen: all.length === 0 ? null : all.join('; ') };
	});
}

type Seen = ReturnType<typeof shownIn>;

function shownIn(exchanges: readonly Exchange[]) {
	const bodies = (operation: Exchange['operation']) =>
		exchanges
			.filter((one) => one.operation === operation && isSuccess(one))
			.map(({ body }) => body)
			.filter(isJsonObject);
	const items = (operation: Exchange['operation']) =>
		bodies(operation).flatMap(({ data }) => (Array.isArray(data) ? data.filter(isJsonObject) : []));
	return {
		'a licence': items('list_licences'),
		'a brief in the list': items('list_briefs'),
		'a whole brief': bodies('get_brief'),
		'a hook': items('list_hooks'),
		hookLists: bodies('list_hooks'),
	};
}

function isSuccess({ status }: Exchange): boolean {
	return status !== null && status >= 200 && status < 300;
}

function timeAt(field: string): (item: Fields) => string {
	return (item) => formOfTime(item[field]);
}

function formsOfTimes(seen: Seen): string[] {
	const forms = ['created_at', 'updated_at', 'finished_at'].map(
		(field) => [field, seen['a brief in the list'].map(timeAt(field))] as const,
	);
	const all = [...forms, ['observed_at', seen['a hook'].map(timeAt('observed_at'))] as const];
	return all.flatMap(([field, found]) =>
		found.length === 0 ? [] : [`${field}: ${distinct(found).join(' or ')}`],
	);
}

function use(licences: readonly Fields[], counted: number | null): string[] {
	const own = licences.filter(({ product }) => product === 'creator-briefs');
	const list = counted === null ? '' : `, and the list shows ${counted} of this month`;
	return own.map(({ used_this_month }) =>
		typeof used_this_month === 'number'
			? `${used_this_month}${list}`
			: formOfValue(used_this_month),
	);
}

function cursors(exchanges: readonly Exchange[]): string[] {
	const lists = exchanges.filter(({ operation }) => operation === 'list_briefs');
	const own = lists.flatMap(({ body }) => {
		const cursor = isJsonObject(body) ? body.next_cursor : null;
		return typeof cursor === 'string' ? [`its own have ${cursor.length} characters`] : [];
	});
	const wrong = lists.find(({ query, status }) => query.cursor === NO_CURSOR && status !== null);
	if (wrong === undefined) return own;
	const isEmpty = isJsonObject(wrong.body) && formOfValue(wrong.body.data) === 'an empty list';
	const answer = isEmpty ? 'an empty page' : 'a page with briefs';
	return [...own, `a wrong one gives ${isSuccess(wrong) ? answer : `status ${wrong.status}`}`];
}

function statuses(briefs: readonly Fields[]): string[] {
	const known: readonly string[] = BRIEF_STATUSES;
	const found = distinct(briefs.map(({ status }) => String(status)));
	const beyond = found.filter((status) => !known.includes(status));
	if (beyond.length > 0) return [listed(beyond)];
	return briefs.length === 0 ? [] : [`none in ${briefs.length} listed`];
}

function fieldsBeyond(seen: Seen): string[] {
	return byResource(seen, (items, known) =>
		items.flatMap(Object.keys).filter((name) => !known.includes(name)),
	);
}

function fieldsMissing(seen: Seen): string[] {
	return byResource(seen, (items, known) =>
		known.filter((name) => items.some((item) => !(name in item))),
	);
}

function byResource(
	seen: Seen,
	find: (items: Fields[], known: readonly string[]) => string[],
): string[] {
	const all = Object.entries(KNOWN_FIELDS).map(([resource, known]) => {
		const items = seen[resource as keyof Seen];
		return { resource, isSeen: items.length > 0, names: distinct(find(items, known)) };
	});
	const found = all.filter(({ names }) => names.length > 0);
	if (found.length === 0) {
		const looked = all.filter(({ isSeen }) => isSeen).map(({ resource }) => resource);
		return looked.length === 0 ? [] : [`none in ${looked.join(', ')}`];
	}
	return found.map(({ resource, names }) => `${resource}: ${listed(names)}`);
}

function formOfInput(input: unknown): string {
	if (!isJsonObject(input)) return formOfValue(input);
	const known: readonly string[] = [...INPUT_FIELDS, 'idempotency_key'];
	const names = Object.keys(input);
	if (names.length === 0) return 'without any field';
	const isAsOrdered = names.every((name) => known.includes(name));
	return isAsOrdered ? `as ordered: ${listed(names)}` : formOfValue(input);
}

function formsOf(briefs: readonly Fields[], field: string): string[] {
	return briefs
		.filter(({ status }) => status === 'ready')
		.map((brief) => formOfValue(brief[field]));
}

function errorCodes({ status, error_code: code }: Fields): string[] {
	if (status !== 'failed') return [];
	return [typeof code === 'string' ? listed([code]) : formOfValue(code)];
}

function refusals(exchanges: readonly Exchange[]): Array<{ status: number; error: Fields }> {
	return exchanges.flatMap(({ status, body }) => {
		if (status === null || status < 300) return [];
		const error: unknown = isJsonObject(body) ? (body.error ?? body) : undefined;
		return [{ status, error: isJsonObject(error) ? error : {} }];
	});
}

function codeOf({ status, error }: { status: number; error: Fields }): string {
	return `${status} ${typeof error.code === 'string' ? listed([error.code]) : 'without a code'}`;
}

function placesOfId(exchanges: readonly Exchange[]): string[] {
	const inBody = refusals(exchanges).some(({ error }) => 'request_id' in error);
	const inHeader = headers(exchanges, /^(x-)?request-id$/).length > 0;
	return [...(inBody ? ['in the body of an error'] : []), ...(inHeader ? ['in a header'] : [])];
}

/** Header values are short and say nothing of a product; the longest of the same name is enough. */
function headers(exchanges: readonly Exchange[], wanted: RegExp): string[] {
	const found = new Map<string, string>();
	for (const { headers: all } of exchanges)
		for (const [name, value] of Object.entries(all))
			if (wanted.test(name)) found.set(name, value.slice(0, 100));
	return [...found].map(([name, value]) => `${name}: ${value}`);
}

function dates(exchanges: readonly Exchange[]): string[] {
	const answered = exchanges.filter(({ status }) => status !== null);
	const dated = answered.filter(({ headers: { date } }) => date !== undefined);
	if (answered.length === 0) return [];
	return [dated.length === answered.length ? 'all do' : `${dated.length} of ${answered.length} do`];
}
