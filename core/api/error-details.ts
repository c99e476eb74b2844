import { shorten } from '../input/text';

const MAX_LENGTH = 300;
const MAX_LINES = 50;

/**
 * Returns the `details` of an error as lines. docs/api.md 7 shows no shape for them, so a list, an object by field, a text
 * and any mixture can be read:
 *
 *     [{ "field": "audience", "message": "too long" }]    audience: too long
 *     { "audience": ["too long"] }                        audience: too long
 */
export function readDetails(details: unknown): string[] {
	return toLines(details, '')
		.slice(0, MAX_LINES)
		.map((line) => shorten(line, MAX_LENGTH));
}

function toLines(value: unknown, field: string): string[] {
	if (value === null || value === undefined || value === '') return [];
	if (Array.isArray(value)) return value.flatMap((entry) => toLines(entry, field));
	if (!isJsonObject(value))
		return [formatLine(field, isText(value) ? value : JSON.stringify(value))];
	const message = [value.message, value.msg, value.detail, value.reason].find(isText);
	if (message === undefined) {
		return Object.entries(value).flatMap(([name, inner]) =>
			toLines(inner, joinFields(field, name)),
		);
	}
	return [formatLine(joinFields(field, readField(value)), message)];
}

function readField(entry: Record<string, unknown>): string {
	const path = entry.field ?? entry.path ?? entry.param ?? entry.loc ?? entry.pointer;
	if (Array.isArray(path)) return path.filter((part) => part !== 'body').join('.');
	return isText(path) ? path.replace(/^[/#.]+(body[/.])?/, '').replace(/\//g, '.') : '';
}

export function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function joinFields(outer: string, inner: string): string {
	return [outer, inner].filter((part) => part !== '').join('.');
}

function formatLine(field: string, message: string): string {
	return field === '' ? message : `${field}: ${message}`;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
