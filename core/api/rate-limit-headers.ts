import { parseTimestamp } from './timestamps';

type Headers = Readonly<Record<string, string>>;

/** A larger reset is a time since 1970, not seconds to wait. */
const SURELY_EPOCH_SECONDS = 1_000_000_000;
const SECONDS = /^\d+(\.\d+)?$/;

/**
 * Gives the earliest time of this machine's clock (milliseconds) for a retry, by an answer's headers; null if they name
 * none. Reads Retry-After (RFC 9110), or without it RateLimit-Reset. Unknown forms are ignored.
 */
export function readRetryAt(headers: Headers, now: number): number | null {
	return retryAfter(headers, now) ?? rateLimitReset(headers, now);
}

function retryAfter(headers: Headers, now: number): number | null {
	const value = headers['retry-after']?.trim() ?? '';
	if (SECONDS.test(value)) return afterSeconds(Number(value), headers, now);
	const date = parseTimestamp(value);
	return date === null ? null : byServiceClock(date, headers, now);
}

/** An instant counts from the answer's own date, because this machine's clock may be wrong. */
function byServiceClock(instant: number, headers: Headers, now: number): number {
	return Math.max(now, now + instant - (parseTimestamp(headers.date) ?? now));
}

function afterSeconds(seconds: number, headers: Headers, now: number): number | null {
	if (seconds <= SURELY_EPOCH_SECONDS) return now + seconds * 1000;
	const instant = parseTimestamp(seconds);
	return instant === null ? null : byServiceClock(instant, headers, now);
}

function rateLimitReset(headers: Headers, now: number): number | null {
	const value = headers['ratelimit-reset']?.trim() ?? '';
	return SECONDS.test(value) ? afterSeconds(Number(value), headers, now) : null;
}
