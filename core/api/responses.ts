import { isJsonObject } from './error-details';
import type { Brief, BriefPage, BriefSummary, Hook, HookList, Licence } from './types';

/** Thrown for a body that has the form of no answer of the service. */
export class UnexpectedBody extends Error {}

/**
 * Readers of the success bodies of docs/api.md 4. They require only what the work cannot go on without, make up
 * nothing for missing nullable fields, and pass unknown fields on (P9). Each throws an Error that says what is missing.
 */

export function readLicences(body: unknown): Licence[] {
	return listIn(body, 'licences', (item, what) => ({
		...item,
		product: requiredText(item, 'product', what),
		name: optionalText(item.name) ?? requiredText(item, 'product', what),
		channels: Array.isArray(item.channels) ? item.channels.map(String) : [],
		monthly_allowance: optionalNumber(item.monthly_allowance),
		used_this_month: typeof item.used_this_month === 'number' ? item.used_this_month : 0,
		renews_or_ends_at: timestamp(item.renews_or_ends_at),
	}));
}

export function readBriefPage(body: unknown): BriefPage {
	const cursor = answerIn(body).next_cursor;
	return {
		data: listIn(body, 'briefs', readSummary),
		next_cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
	};
}

export function readBrief(body: unknown): Brief {
	const item = answerIn(body);
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

/** Reads the brief that was asked for. */
export function readBriefOf(id: string, body: unknown): Brief {
	const brief = readBrief(body);
	if (id === brief.id) return brief;
	throw new Error(`it is brief ${brief.id}, not ${id}`);
}

export function readHookList(body: unknown): HookList {
	const { refreshed_at } = answerIn(body);
	return { data: listIn(body, 'hooks', readHook), refreshed_at: timestamp(refreshed_at) };
}

/** @param what the brief, as the subject of a sentence */
function readSummary(item: Record<string, unknown>, what: string): BriefSummary {
	return {
		...item,
		id: idOf(item, what),
		status: requiredText(item, 'status', what),
		product_name: optionalText(item.product_name) ?? '',
		title: optionalText(item.title),
		created_at: timestamp(item.created_at) ?? '',
		updated_at: timestamp(item.updated_at) ?? '',
		finished_at: timestamp(item.finished_at),
		url: optionalText(item.url) ?? '',
	};
}

function readHook(item: Record<string, unknown>, what: string): Hook {
	return {
		...item,
		id: requiredText(item, 'id', what),
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
		observed_at: timestamp(item.observed_at),
	};
}

/** @param read gets each item, and what to call it */
function listIn<T>(
	body: unknown,
	name: string,
	read: (item: Record<string, unknown>, what: string) => T,
): T[] {
	const { data } = answerIn(body);
	if (!Array.isArray(data)) throw new UnexpectedBody('it has no list “data”');
	return data.map((item, index) => {
		const what = `item ${index + 1} of the list of ${name}`;
		if (!isJsonObject(item)) throw new Error(`${what} is not an object`);
		return read(item, what);
	});
}

function answerIn(body: unknown): Record<string, unknown> {
	if (!isJsonObject(body)) throw new UnexpectedBody('it is not an object');
	return body;
}

function requiredText(item: Record<string, unknown>, field: string, what: string): string {
	const value = item[field];
	if (typeof value === 'string' && value !== '') return value;
	throw new Error(`${what} has no ${field === 'id' ? 'ID' : field}`);
}

/**
 * The service promises UUIDs. Other IDs are accepted unless they could lead elsewhere, because an ID becomes part of
 * paths and file names. Of a number that is too large to be exact, digits are lost.
 */
function idOf(item: Record<string, unknown>, what: string): string {
	if (Number.isSafeInteger(item.id)) return String(item.id);
	const id = requiredText(item, 'id', what);
	if (/^[\w-][\w.:~-]{0,127}$/.test(id)) return id;
	throw new Error(`${what} has an ID that no brief can have`);
}

function optionalText(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

function optionalNumber(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function timestamp(value: unknown): string | number | null {
	return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : null;
}
