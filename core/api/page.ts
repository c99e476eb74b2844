import { isJsonObject } from './error-details';
import type { WireResponse } from './ports';

/** Gives the service's own error (docs/api.md 7) in the body of an answer; null if the body is not the service's. */
export function readServiceError(body: string): Record<string, unknown> | null {
	const json = jsonIn(body);
	if (!isJsonObject(json)) return null;
	if (isJsonObject(json.error)) return json.error;
	return isText(json.code) && isText(json.message) ? json : null;
}

/** Only the begin of a page is read: its title is there. */
const READ_MAX = 100_000;
const HEADINGS = [/<title[^>]{0,200}>([^<]+)</i, /<h1[^>]{0,200}>([^<]+)</i];

/** Gives the words of an answer that is not the service's: a page's title, or a text. Empty if it has none. */
export function readPageTitle({ status, headers, body }: WireResponse): string {
	if (status >= 300 && status < 400) return `it is a redirect to ${originOf(headers.location)}`;
	const json = jsonIn(body);
	if (isJsonObject(json)) return [json.message, json.error].find(isText) ?? '';
	const begin = (typeof json === 'string' ? json : body).slice(0, READ_MAX);
	const titles = HEADINGS.map((heading) => heading.exec(begin)?.[1]?.trim() ?? '');
	const isMarkup = /^\s*[<[{]/.test(begin);
	const words = titles.find(isText) ?? (isMarkup ? '' : begin);
	return words.replace(/\s+/g, ' ').trim();
}

/** Gives only the host, because the rest of an address may hold secrets. */
function originOf(location = ''): string {
	return URL.canParse(location) ? new URL(location).host : 'another address';
}

function jsonIn(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
