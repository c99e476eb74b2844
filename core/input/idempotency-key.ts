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
import { INPUT_FIELDS, type InputField } from './input-fields';

/** Returns the body of a create request, without the key. Its fields are in the sequence of docs/api.md 4.3. */
export function toBody(input: BriefInput): BriefInput {
	const body: Partial<Record<InputField, unknown>> = {};
	for (const field of INPUT_FIELDS) if (input[field] !== undefined) body[field] = input[field];
	return body as unknown as BriefInput;
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
	const digits = hash('sha256', text, 'hex');
	// The digits 4 and 8 to b mark a random UUID (version 4), which every validator accepts.
	const variant = '89ab'.charAt(parseInt(digits.charAt(16), 16) % 4);
	return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
