import { isJsonObject } from './error-details';
import type { Brief, BriefPage, BriefSummary, Hook, HookList, Licence } from './resources';

/**
 * Readers of the success bodies of docs/api.md section 4. They require only what the work cannot go on without, make up
 * nothing for missing nullable fields, and pass unknown fields on (P9). Each throws an Error that says what is missing.
 */

export function readLicences(body: unknown): Licence[] {
	return listIn(body).map((item) => ({
		...item,
		product: requiredText(item, 'product'),
		name: optionalText(item.name) ?? requiredText(item, 'product'),
		channels: Array.isArray(item.channels) ? item.channels.map(String) : [],
		monthly_allowance: optionalNumber(item.monthly_allowance),
		used_this_month: typeof item.used_this_month === 'number' ? item.used_this_month : 0,
		renews_or_ends_at: timestamp(item.renews_or_ends_at),
	}));
}

export function readBriefPage(body: unknown): BriefPage {
	const cursor = recordOf(body, 'answer').next_cursor;
	return {
		data: listIn(body).map(readSummary),
		next_cursor: typeof cursor === 'string' && cursor !== '' ? cursor : null,
	};
}

export function readBrief(body: unknown): Brief {
	const item = recordOf(body, 'brief');
	return {
		...item,
		...readSummary(item),
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
	const { refreshed_at } = recordOf(body, 'answer');
	return { data: listIn(body).map(readHook), refreshed_at: timestamp(refreshed_at) };
}

function readSummary(item: Record<string, unknown>): BriefSummary {
	return {
		...item,
		id: idOf(item),
		status: requiredText(item, 'status'),
		product_name: optionalText(item.product_name) ?? '',
		title: optionalText(item.title),
		created_at: timestamp(item.created_at) ?? '',
		updated_at: timestamp(item.updated_at) ?? '',
		finished_at: timestamp(item.finished_at),
		url: optionalText(item.url) ?? '',
	};
}

function readHook(item: Record<string, unknown>): Hook {
	return {
		...item,
		id: requiredText(item, 'id'),
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

function listIn(body: unknown): Array<Record<string, unknown>> {
	const { data } = recordOf(body, 'answer');
	if (!Array.isArray(data)) throw new Error('it has no list “data”');
	return data.map((item) => recordOf(item, 'item of “data”'));
}

function recordOf(value: unknown, what: string): Record<string, unknown> {
	if (!isJsonObject(value)) throw new Error(`the ${what} is not an object`);
	return value;
}

function requiredText(item: Record<string, unknown>, field: string): string {
	const value = item[field];
	if (typeof value === 'string' && value !== '') return value;
	throw new Error(`“${field}” is missing`);
}

/**
 * The service promises UUIDs. Other IDs are accepted unless they could lead elsewhere, because an ID becomes part of
 * paths and file names.
 */
function idOf(item: Record<string, unknown>): string {
	const id = requiredText(item, 'id');
	if (/^[\w-][\w.:~-]{0,127}$/.test(id)) return id;
	throw new Error('“id” is not the ID of a brief');
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
