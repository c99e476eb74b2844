import { isJsonObject, isText } from './error-details';
import type { WireResponse } from './ports';
import type { Brief, BriefPage, BriefSummary, Hook, HookList, Licence } from './types';

/**
 * Readers of response bodies (docs/api.md 4 and 7). They require only the fields that the work needs, fill nullable fields
 * that are missing with null, and keep unknown fields (P9). Each throws an error that says what is missing.
 */

/** A body that no operation of the service returns. */
export class UnexpectedBody extends Error {}

export function readLicences(body: unknown): Licence[] {
	return readList(body, 'licences', (item, label) => ({
		...item,
		product: requireText(item, 'product', label),
		name: optionalText(item.name) ?? requireText(item, 'product', label),
		channels: Array.isArray(item.channels) ? item.channels.map(String) : [],
		monthly_allowance: optionalNumber(item.monthly_allowance),
		used_this_month: typeof item.used_this_month === 'number' ? item.used_this_month : 0,
		renews_or_ends_at: readTimestamp(item.renews_or_ends_at),
	}));
}

export function readBriefPage(body: unknown): BriefPage {
	const cursor = requireObject(body).next_cursor;
	return {
		data: readList(body, 'briefs', readSummary),
		next_cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
	};
}

export function readBrief(body: unknown): Brief {
	const item = requireObject(body);
	return {
		...item,
		...readSummary(item, 'it'),
		input: isJsonObject(item.input) ? item.input : {},
		markdown: optionalText(item.markdown),
		document: isJsonObject(item.document) ? item.document : null,
		sources: Array.isArray(item.sources) ? item.sources : [],
		warnings: Array.isArray(item.warnings) ? item.warnings : [],
		error_code: optionalText(item.error_code),
		revision: typeof item.revision === 'number' ? item.revision : 0,
	};
}

/** Reads the brief with this ID. */
export function readBriefWithId(id: string, body: unknown): Brief {
	const brief = readBrief(body);
	if (id.toLowerCase() === brief.id) return brief;
	throw new Error(`it is brief ${brief.id}, not ${id}`);
}

export function readHookList(body: unknown): HookList {
	const { refreshed_at } = requireObject(body);
	return { data: readList(body, 'hooks', readHook), refreshed_at: readTimestamp(refreshed_at) };
}

/** @param label the brief as the subject of a sentence */
function readSummary(item: Record<string, unknown>, label: string): BriefSummary {
	return {
		...item,
		id: readId(item, label),
		status: requireText(item, 'status', label),
		product_name: optionalText(item.product_name) ?? '',
		title: optionalText(item.title),
		created_at: readTimestamp(item.created_at) ?? '',
		updated_at: readTimestamp(item.updated_at) ?? '',
		finished_at: readTimestamp(item.finished_at),
		url: optionalText(item.url) ?? '',
	};
}

function readHook(item: Record<string, unknown>, label: string): Hook {
	return {
		...item,
		id: requireText(item, 'id', label),
		category: optionalText(item.category) ?? '',
		video_id: optionalText(item.video_id) ?? '',
		video_url: optionalText(item.video_url),
		hook: optionalText(item.hook) ?? '',
		angle: optionalText(item.angle),
		why_it_works: optionalText(item.why_it_works),
		evidence: optionalText(item.evidence),
		views: optionalNumber(item.views),
		units_sold: optionalNumber(item.units_sold),
		gmv_usd: optionalNumber(item.gmv_usd),
		metric_window_days: optionalNumber(item.metric_window_days),
		is_ad: typeof item.is_ad === 'boolean' ? item.is_ad : null,
		observed_at: readTimestamp(item.observed_at),
	};
}

function readList<T>(
	body: unknown,
	name: string,
	read: (item: Record<string, unknown>, label: string) => T,
): T[] {
	const { data } = requireObject(body);
	if (!Array.isArray(data)) throw new UnexpectedBody('it has no list “data”');
	return data.map((item, index) => {
		const label = `item ${index + 1} of the list of ${name}`;
		if (!isJsonObject(item)) throw new Error(`${label} is not an object`);
		return read(item, label);
	});
}

function requireObject(body: unknown): Record<string, unknown> {
	if (!isJsonObject(body)) throw new UnexpectedBody('it is not an object');
	return body;
}

function requireText(item: Record<string, unknown>, field: string, label: string): string {
	const value = item[field];
	if (isText(value)) return value;
	throw new Error(`${label} has no ${field === 'id' ? 'ID' : field}`);
}

/**
 * docs/api.md 2.2 promises UUIDs. An ID becomes part of paths and file names, so other IDs are accepted only if they cannot
 * lead elsewhere.
 */
function readId(item: Record<string, unknown>, label: string): string {
	if (Number.isSafeInteger(item.id)) return String(item.id);
	const id = requireText(item, 'id', label);
	// UUIDs can be written in both cases.
	if (/^[\w-][\w.:~-]{0,127}$/.test(id)) return id.toLowerCase();
	throw new Error(`${label} has an ID that no brief can have`);
}

function optionalText(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

function optionalNumber(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function readTimestamp(value: unknown): string | number | null {
	return isText(value) || typeof value === 'number' ? value : null;
}

/** Returns the service's error in a body (docs/api.md 7), or null if the body is not from the service. */
export function readServiceError(body: string): Record<string, unknown> | null {
	const json = parseJson(body);
	if (!isJsonObject(json)) return null;
	if (isJsonObject(json.error)) return json.error;
	return isText(json.code) && isText(json.message) ? json : null;
}

/** The title of a page is near its start. */
const MAX_PAGE_START = 100_000;
const HEADINGS = [/<title[^>]{0,200}>([^<]+)</i, /<h1[^>]{0,200}>([^<]+)</i];

/** Returns the text of an answer that is not from the service: the title of a page, or a plain text. */
export function readPageTitle({ status, headers, body }: WireResponse): string {
	if (status >= 300 && status < 400) return `redirect to ${readHost(headers.location)}`;
	const json = parseJson(body);
	if (isJsonObject(json)) return [json.message, json.error].find(isText) ?? '';
	const start = (typeof json === 'string' ? json : body).slice(0, MAX_PAGE_START);
	const titles = HEADINGS.map((heading) => heading.exec(start)?.[1]?.trim() ?? '');
	const isMarkup = /^\s*[<[{]/.test(start);
	const title = titles.find(isText) ?? (isMarkup ? '' : start);
	return title.replace(/\s+/g, ' ').trim();
}

/** Returns only the host, because the rest of an address can contain secrets. */
function readHost(location = ''): string {
	return URL.canParse(location) ? new URL(location).host : 'another address';
}

function parseJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}
