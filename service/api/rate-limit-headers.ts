import { instantOf } from './timestamps';

type Headers = Readonly<Record<string, string>>;

/** A larger reset is a time since 1970, not seconds to wait. */
const SURELY_EPOCH_SECONDS = 1_000_000_000;
const SECONDS = /^\d+(\.\d+)?$/;

/**
 * Gives the earliest time of this machine's clock (milliseconds) for a retry, by an answer's headers; null if they name
 * none. Reads Retry-After (RFC 9110), or without it the RateLimit fields in their old form (RateLimit-Reset, in
 * seconds) and their new one (RateLimit: "name";r=0;t=30). Unknown forms are ignored, as the drafts demand.
 */
export function readRetryAt(headers: Headers, now: number): number | null {
	return retryAfter(headers, now) ?? rateLimitReset(headers, now);
}

function retryAfter(headers: Headers, now: number): number | null {
	const value = headers['retry-after']?.trim() ?? '';
	if (SECONDS.test(value)) return afterSeconds(Number(value), headers, now);
	const date = instantOf(value);
	return date === null ? null : byServiceClock(date, headers, now);
}

/** An instant counts from the answer's own date, because this machine's clock may be wrong. */
function byServiceClock(instant: number, headers: Headers, now: number): number {
	return Math.max(now, now + instant - (instantOf(headers.date) ?? now));
}

function afterSeconds(seconds: number, headers: Headers, now: number): number | null {
	if (seconds <= SURELY_EPOCH_SECONDS) return now + seconds * 1000;
	const instant = instantOf(seconds);
	return instant === null ? null : byServiceClock(instant, headers, now);
}

function rateLimitReset(headers: Headers, now: number): number | null {
	const old = headers['ratelimit-reset']?.trim() ?? '';
	if (SECONDS.test(old)) return afterSeconds(Number(old), headers, now);
	// If several policies are listed, only the one that is used up was violated.
	const waits = policies(headers.ratelimit)
		.filter((policy) => /;\s*r\s*=\s*0+(?![\d.])/.test(policy))
		.flatMap((policy) => {
			const reset = /;\s*t\s*=\s*(\d+)/.exec(policy)?.[1];
			return reset === undefined ? [] : [Number(reset)];
		});
	return waits.length === 0 ? null : afterSeconds(Math.max(...waits), headers, now);
}

/** Gives the parameters of each item of a structured list, split at commas outside quoted names. */
function policies(value = ''): string[] {
	const isMalformed = value.split('"').length % 2 === 0;
	if (isMalformed) return [];
	return (value.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((item) =>
		item.trim().replace(/"[^"]*"|[^;]*/, ''),
	);
}
