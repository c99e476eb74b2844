export const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const ONLY = new RegExp(`^${UUID}$`);
const ALL = new RegExp(UUID, 'g');

export function isUuid(text: string): boolean {
	return ONLY.test(text);
}

/** Finds the last UUID in a text: a link may name the workspace before the brief. */
export function lastUuid(text: string): string | undefined {
	return text.match(ALL)?.at(-1);
}
