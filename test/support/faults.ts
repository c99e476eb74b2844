import type { WireResponse } from '../../core/api/ports';

/** Replaces the answer to a request: no request, no answer, or another answer. */
export type Fault = 'not sent' | 'lost' | Partial<WireResponse>;

export const UNAVAILABLE: Fault = { status: 503, body: '' };

/** Returns an error in the form of docs/api.md 7. */
export function makeRefusal(status: number, code = 'refused', message = code): WireResponse {
	const error = { code, message, request_id: 'req_1' };
	return { status, headers: {}, body: JSON.stringify({ error }) };
}
