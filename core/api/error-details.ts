/** The most that is shown of one detail, and of all details. */
const MAX_LENGTH = 300;
const MAX_LINES = 50;

/**
 * Reads the `details` of an error, one line each. docs/api.md shows no shape for them, so a list, an object by field, a
 * text and any mixture are read.
 */
export function readDetails(details: unknown): string[] {
	return lines(details, '')
		.slice(0, MAX_LINES)
		.map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line));
}

function lines(value: unknown, field: string): string[] {
	if (value === null || value === undefined || value === '') return [];
	if (Array.isArray(value)) return value.flatMap((entry) => lines(entry, field));
	if (!isJsonObject(value)) return [label(field, isText(value) ? value : JSON.stringify(value))];
	const message = [value.message, value.msg, value.detail, value.reason].find(isText);
	if (message === undefined) {
		return Object.entries(value).flatMap(([name, inner]) => lines(inner, join(field, name)));
	}
	return [label(join(field, fieldOf(value)), message)];
}

function fieldOf(entry: Record<string, unknown>): string {
	const path = entry.field ?? entry.path ?? entry.param ?? entry.loc ?? entry.pointer;
	if (Array.isArray(path)) return path.filter((part) => part !== 'body').join('.');
	return isText(path) ? path.replace(/^[/#.]+(body[/.])?/, '').replace(/\//g, '.') : '';
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

function join(outer: string, inner: string): string {
	return [outer, inner].filter((part) => part !== '').join('.');
}

function label(field: string, message: string): string {
	return field === '' ? message : `${field}: ${message}`;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
