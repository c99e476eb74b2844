import { instantOf } from './timestamps';

/** What the headers of an answer say about when to come back (RFC 9110, and the drafts for RateLimit fields). */
export interface RetryHints {
	/** The earliest time of our clock (milliseconds) at which a retry is allowed, or null. */
	retryAt: number | null;
	/** The violated policy counts requests running at once, not requests per time. */
	countsConcurrency: boolean;
}

/** A reset above this is no number of seconds to wait but a time since 1970. */
const SURELY_EPOCH_SECONDS = 1_000_000_000;

/**
 * Reads Retry-After, or where that is missing the RateLimit fields in their old form (RateLimit-Reset, a number of
 * seconds) and their new one (RateLimit: "name";r=0;t=30). Fields in no known form are ignored, as the drafts demand.
 */
export function readHints(headers: Readonly<Record<string, string>>, now: number): RetryHints {
	const limits = `${headers['ratelimit-policy'] ?? ''},${headers.ratelimit ?? ''}`;
	return {
		retryAt: retryAfter(headers, now) ?? rateLimitReset(headers, now),
		countsConcurrency: /;\s*qu\s*=\s*"?concurrent-requests"?/i.test(limits),
	};
}

function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
	const value = headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return now + Number(value) * 1000;
	const date = httpDate(value);
	if (date === null) return null;
	// Counted from the service's own clock where it tells it, because ours may be wrong.
	return Math.max(now, now + date - (httpDate(headers.date ?? '') ?? now));
}

/** All three forms of RFC 9110 are UTC; the oldest (asctime) does not say so, and would be read as local time. */
function httpDate(value: string): number | null {
	if (!/^[A-Za-z]{3,9},? /.test(value)) return null;
	return instantOf(/GMT|UTC|[+-]\d{4}$/.test(value) ? value : `${value} GMT`);
}

function rateLimitReset(headers: Readonly<Record<string, string>>, now: number): number | null {
	const old = headers['ratelimit-reset']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(old)) return fromReset(Number(old), now);
	const waits = splitList(headers.ratelimit ?? '').flatMap((item) => {
		const remaining = /;\s*r\s*=\s*(\d+)/.exec(item)?.[1];
		const reset = /;\s*t\s*=\s*(\d+)/.exec(item)?.[1];
		return remaining === '0' && reset !== undefined ? [Number(reset)] : [];
	});
	return waits.length === 0 ? null : fromReset(Math.max(...waits), now);
}

function fromReset(seconds: number, now: number): number {
	return seconds > SURELY_EPOCH_SECONDS ? Math.max(now, seconds * 1000) : now + seconds * 1000;
}

/** Splits a structured list at its commas, but not at those inside a quoted name. */
function splitList(value: string): string[] {
	return value.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
}
