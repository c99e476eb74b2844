import { createHash } from 'crypto';
import { INPUT_FIELDS } from './input';
import { spelling } from './spelling';
import type { BriefInput } from '../api/resources';
import { isUuid } from '../api/uuid';

/**
 * Makes a UUID that is always the same for the same parts, in order (promise P7): the start of their SHA-256. Each
 * part is written with its length, so that no two lists of parts run together into one text. It carries the version
 * bits of a random UUID: the service says only "UUID", and that version is the one no validator refuses.
 */
export function uuidFrom(...parts: string[]): string {
	const hash = createHash('sha256');
	for (const part of parts) hash.update(`${Buffer.byteLength(part)}:${part},`);
	const bytes = hash.digest().subarray(0, 16);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	const hex = bytes.toString('hex');
	return [8, 12, 16, 20, 32].map((end, i, ends) => hex.slice(ends[i - 1] ?? 0, end)).join('-');
}

/**
 * Reads a caller's own idempotency key: a UUID is sent as it is, any other text always becomes the same UUID. Spaces
 * around it, which cells of a sheet pick up, make no difference, and so no second brief.
 */
export function asIdempotencyKey(key: string): string {
	const text = key.trim();
	return isUuid(text) ? text.toLowerCase() : uuidFrom('idempotency-key', text);
}

const FIELDS = [...INPUT_FIELDS].sort();

/**
 * Writes the input as one text, a JSON list of pairs: what orders are compared by, and keys made of. It is the same in
 * any spelling, and in whatever order the fields were given.
 */
export function contentText(input: BriefInput): string {
	const pairs: string[] = [];
	for (const field of FIELDS) {
		const value = input[field];
		if (value === undefined) continue;
		const text = typeof value === 'string' ? spelling(value) : value.map(spelling);
		pairs.push(`["${field}",${JSON.stringify(text)}]`);
	}
	return `[${pairs.join()}]`;
}
