import type { WireResponse } from '../../core/api/ports';

/** Replaces the answer to a request: no request, no answer, or another answer. */
export type Fault = 'not sent' | 'lost' | Partial<WireResponse>;

export const UNAVAILABLE: Fault = { status: 503, body: '' };

/** Returns an error in the form of docs/api.md 7. */
export function makeRefusal(status: number, code = 'refused', message = code): WireResponse {
	const error = { code, message, request_id: 'req_1' };
	return { status, headers: {}, body: JSON.stringify({ error }) };
}

/** A status, a code and a Retry-After in minutes. */
export type Refusal = readonly [status: number, code?: string, retryAfter?: number];

export function refuse([status, code, retryAfter]: Refusal): WireResponse {
	const answer = makeRefusal(status, code);
	if (retryAfter === undefined) return answer;
	return { ...answer, headers: { 'retry-after': String(retryAfter * 60) } };
}
