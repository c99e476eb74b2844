import { sha256 } from '../sha256';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A brief's id as part of a file name. The service promises UUIDs. Anything else is hashed: it could be a path, or
 * differ from another id only in upper case, which is the same name to some file systems.
 */
export function idForName(id: string): string {
	const lower = id.toLowerCase();
	return UUID.test(lower) ? lower : sha256(id).slice(0, 32);
}

/** In bytes: what a slug may have, a hyphen and a whole id. */
const LONGEST_NAME = 96 + 37;

/**
 * Whether `briefFileName` could have made this name. Names are read from the journal, and become part of paths and
 * links: this check keeps them inside the folder.
 */
export function isBriefFileName(name: string): boolean {
	const isPlain = /^[\p{L}\p{N}\p{M}]+(-[\p{L}\p{N}\p{M}]+)*$/u.test(name);
	return isPlain && name === name.toLowerCase() && Buffer.byteLength(name) <= LONGEST_NAME;
}
