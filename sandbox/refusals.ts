import type { Problem } from './contract';

interface Limit {
	quota: number;
	/** In sandbox time. */
	waitMs: number;
}

/** An error in the form of docs/api.md section 7. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly more: { details?: Problem[]; limit?: Limit } = {},
	) {
		super(message);
	}
}

/** docs/api.md leaves the form of `details` open: here a list. */
export function invalidRequest(...details: Problem[]): Refusal {
	return new Refusal(400, 'invalid_request', 'The request is not valid.', { details });
}

export function unauthorized(): Refusal {
	return new Refusal(401, 'unauthorized', 'The API key is missing, expired or revoked.');
}

export function insufficientScope(scope: string): Refusal {
	return new Refusal(403, 'insufficient_scope', `This key lacks the scope ${scope}.`);
}

export function licenceRequired(): Refusal {
	return new Refusal(403, 'licence_required', 'API access needs a Business licence.');
}

export function notFound(thing: string): Refusal {
	return new Refusal(404, 'not_found', `There is no such ${thing} in this workspace.`);
}

export function rateLimited(limit: Limit): Refusal {
	return new Refusal(429, 'rate_limited', 'Too many requests. Try again later.', { limit });
}

export function slotsTaken(limit: Limit): Refusal {
	const message = `${limit.quota} briefs are running. Start another when one has finished.`;
	return new Refusal(429, 'concurrency_limit', message, { limit });
}

export function allowanceExceeded(limit: Limit): Refusal {
	const message = `This month's allowance of ${limit.quota} briefs is used up.`;
	return new Refusal(429, 'allowance_exceeded', message, { limit });
}

/** docs/api.md section 8 leaves the exact form of these headers open. */
export function makeLimitHeaders(quota: number, seconds: number): Record<string, string> {
	return {
		'RateLimit-Limit': String(quota),
		'RateLimit-Remaining': '0',
		'RateLimit-Reset': String(seconds),
		'Retry-After': String(seconds),
	};
}
