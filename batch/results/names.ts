import { createHash } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A brief's id as a file name may hold it. The service promises UUIDs; anything else could be a path, or differ from
 * another id in upper case only, which some file systems do not tell apart, and is hashed.
 */
export function idForName(id: string): string {
	const lower = id.toLowerCase();
	return UUID.test(lower) ? lower : createHash('sha256').update(id).digest('hex').slice(0, 32);
}

/**
 * Whether a name is one that `briefFileName` gives. A name comes back from the journal before it becomes part of a
 * path or of a link, and this is what keeps a result inside its folder.
 */
export function isBriefFileName(name: string): boolean {
	return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 120;
}
