import { clientSeconds, type SandboxClock } from './sandbox-clock';
import type { Switches } from './switches';
import type { Limit } from './refusal';

/**
 * The `RateLimit-*` and `Retry-After` headers of a 429 (docs/api.md section 8; their exact format is not shown), in the
 * client's seconds at any speed.
 */
export function limitHeaders(
	limit: Limit,
	clock: SandboxClock,
	switches: Pick<Switches, 'rateLimitHeaders' | 'retryAfter'>,
): Record<string, string> {
	const seconds = clientSeconds(clock, limit.waitMs);
	return {
		...rateLimit(limit, seconds, switches.rateLimitHeaders),
		...retryAfter(seconds, clock, switches.retryAfter),
	};
}

export function retryAfter(
	seconds: number,
	clock: SandboxClock,
	form: Switches['retryAfter'],
): Record<string, string> {
	switch (form) {
		case 'seconds':
			return { 'Retry-After': String(seconds) };
		case 'date':
			// The distance from the Date header counts, so both come from one look at the clock.
			return datesFor(seconds, clock.now());
		case 'none':
			return {};
	}
}

function datesFor(seconds: number, now: number): Record<string, string> {
	return {
		Date: new Date(now).toUTCString(),
		'Retry-After': new Date(now + seconds * 1000).toUTCString(),
	};
}

function rateLimit(
	limit: Limit,
	seconds: number,
	form: Switches['rateLimitHeaders'],
): Record<string, string> {
	if (form === 'none') return {};
	return {
		'RateLimit-Limit': String(limit.quota),
		'RateLimit-Remaining': String(limit.remaining),
		'RateLimit-Reset': String(seconds),
	};
}
