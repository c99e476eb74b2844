import type { WireResponse } from '../../core/api/ports';

/** What a request gets instead of its answer. */
export type Fault = 'not sent' | Partial<WireResponse>;

/** An answer that only says that something failed. */
export const FAILS: Fault = { status: 503, body: '' };

/** Returns a refusal in the form of docs/api.md 7. */
export function refused(status: number, code: string, message: string): WireResponse {
	const error = { code, message, request_id: 'req_1' };
	return { status, headers: {}, body: JSON.stringify({ error }) };
}
