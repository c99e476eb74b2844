import type { Switches } from './switches';
import type { Problem } from './problems';

/** Which limit a 429 speaks of, for its headers. Times are in sandbox ms. */
export interface Limit {
	policy: 'requests' | 'concurrent-briefs' | 'briefs-per-month' | 'hooks-per-month';
	quota: number;
	remaining: number;
	waitMs: number;
}

/** An answer in the shape of docs/api.md section 7. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		readonly more: { details?: unknown; limit?: Limit } = {},
	) {
		super(message);
	}
}

/** The shape of `details` is not shown: here a list. */
export function invalidRequest(details: Problem[]): Refusal {
	return new Refusal(400, 'invalid_request', 'The request is not valid.', { details });
}

export function unauthorized(): Refusal {
	return new Refusal(401, 'unauthorized', 'The API key is missing, expired or revoked.');
}

export function insufficientScope(scope: string): Refusal {
	return new Refusal(403, 'insufficient_scope', `This key lacks the scope ${scope}.`);
}

export function licenceRequired(): Refusal {
	return new Refusal(403, 'licence_required', 'API access requires a Business licence.');
}

export function notFound(what: string): Refusal {
	return new Refusal(404, 'not_found', `There is no such ${what} in this workspace.`);
}

/** docs/api.md section 8: reaching a limit yields 429. Whether its code says which limit is not shown. */
export function limitReached(limit: Limit, switches: Switches): Refusal {
	const { code, message } = reasons[limit.policy](limit.quota);
	return new Refusal(429, switches.errorCodes === 'generic' ? 'rate_limited' : code, message, {
		limit,
	});
}

const reasons: Record<Limit['policy'], (quota: number) => { code: string; message: string }> = {
	requests: () => ({
		code: 'rate_limited',
		message: 'Too many requests. Slow down and try again later.',
	}),
	'concurrent-briefs': (quota) => ({
		code: 'concurrency_limit',
		message: `${quota} briefs are running. Start another when one has finished.`,
	}),
	'briefs-per-month': (quota) => ({
		code: 'allowance_exceeded',
		message: `This month's allowance of ${quota} briefs is used up.`,
	}),
	'hooks-per-month': (quota) => ({
		code: 'allowance_exceeded',
		message: `This month's allowance of ${quota} for ContentIQ is used up.`,
	}),
};
