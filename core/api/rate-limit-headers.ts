import type { WireResponse } from './ports';
import { parseTimestamp } from './timestamps';

type Headers = WireResponse['headers'];

/** A larger number is a time since 1970, not seconds to wait. */
const MAX_WAIT_SECONDS = 1_000_000_000;
const SECONDS = /^\d+(\.\d+)?$/;

/**
 * Returns the earliest time for a retry by this machine's clock, or null if the answer names none. Reads Retry-After
 * (RFC 9110), else RateLimit-Reset. Other forms are ignored.
 */
export function readRetryAt(
	{ status, headers }: Pick<WireResponse, 'status' | 'headers'>,
	now: number,
): number | null {
	const retryAt = readRetryAfter(headers, now);
	if (retryAt !== null) return retryAt;
	// Services send RateLimit-Reset with every answer. It says nothing about an outage.
	return status === 429 ? readRateLimitReset(headers, now) : null;
}

function readRetryAfter(headers: Headers, now: number): number | null {
	const value = headers['retry-after']?.trim() ?? '';
	if (SECONDS.test(value)) return addSeconds(Number(value), headers, now);
	const date = parseTimestamp(value);
	return date === null ? null : toOwnClock(date, headers, now);
}

/** Counts from the Date header of the answer, because this machine's clock can be wrong. */
function toOwnClock(instant: number, headers: Headers, now: number): number {
	return Math.max(now, now + instant - (parseTimestamp(headers.date) ?? now));
}

function addSeconds(seconds: number, headers: Headers, now: number): number | null {
	if (seconds <= MAX_WAIT_SECONDS) return now + seconds * 1000;
	const instant = parseTimestamp(seconds);
	return instant === null ? null : toOwnClock(instant, headers, now);
}

function readRateLimitReset(headers: Headers, now: number): number | null {
	const value = headers['ratelimit-reset']?.trim() ?? '';
	return SECONDS.test(value) ? addSeconds(Number(value), headers, now) : null;
}
