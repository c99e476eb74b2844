import type { WireResponse } from '../../core/api/ports';

/** What may go wrong with one request. `after` the work means that a create has taken effect and is paid. */
export type Fault =
	| { answerLost: 'never-sent' | 'before' | 'after' }
	| { answer: Partial<WireResponse>; after?: boolean; isSaved?: boolean };

/** An answer that is cut off, which no transport delivers; one that is no JSON; and a login page. */
export const CUT: Fault = { answerLost: 'after' };
export const BROKEN_JSON: Fault = { answer: { status: 202, body: '{"id":"' }, after: true };
export const LOGIN_PAGE: Fault = { answer: { status: 200, body: '<html>Sign in</html>' } };

/** An answer that only says that something failed. */
export const FAILS: Fault = { answer: { status: 503, body: '' } };

/** As the service answers if both slots are taken. */
export const BUSY: Fault = refused(429, 'concurrency_limit', 'Two briefs can run at a time');

/** An answer that asks to slow down, for so many seconds if it says so. */
export function rateLimit(seconds?: number): Fault {
	const headers = seconds === undefined ? undefined : { 'retry-after': String(seconds) };
	return refused(429, 'rate_limited', 'Slow down', headers);
}

export function refused(...answer: Parameters<typeof refusal>): Fault {
	return { answer: refusal(...answer) };
}

/** A refusal in the form of docs/api.md section 7. */
export function refusal(
	status: number,
	code: string,
	message: string,
	headers: Record<string, string> = {},
): WireResponse {
	return {
		status,
		headers,
		body: JSON.stringify({ error: { code, message, request_id: 'req_1' } }),
	};
}
