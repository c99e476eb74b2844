/**
 * The idempotency key lets the service remove duplicates. It depends only on the exact body and on what the order
 * supersedes, so two CSVs, two folders, n8n and a colleague send the same key for the same values:
 *
 *     "Fay's Mug"                                             key 34b5…
 *     "Fay's Mug" in another folder                           key 34b5…: one brief
 *     "FAY’S MUG"                                             key 9c01…: a service might refuse a key with another body
 *     "Fay's Mug" again, because its brief 70a42f64 failed    key d77e…: supersedes 70a42f64
 */

import { hash } from 'node:crypto';
import type { BriefInput } from '../api/types';
import { INPUT_FIELDS } from './input-fields';

/** Returns the body of a create request, without the key. Its fields are in the sequence of docs/api.md 4.3. */
export function toBody(input: BriefInput): BriefInput {
	const given = INPUT_FIELDS.filter((field) => input[field] !== undefined);
	return Object.fromEntries(given.map((field) => [field, input[field]])) as unknown as BriefInput;
}

/**
 * Returns the idempotency key of an order, a UUID.
 * @param supersedes the ID of the brief that must not be used again, or the key of a rejected order; empty for neither
 */
export function makeIdempotencyKey(input: BriefInput, supersedes: string): string {
	return hashToUuid('brief', JSON.stringify(toBody(input)), supersedes);
}

/** Hashes each part with its length, so that (“ab”, “c”) and (“a”, “bc”) have different keys. */
function hashToUuid(...parts: readonly string[]): string {
	const text = parts.map((part) => `${Buffer.byteLength(part)}:${part},`).join('');
	const bytes = hash('sha256', text, 'buffer').subarray(0, 16);
	// Set the bits that mark a random UUID (version 4), which every validator accepts.
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
