import { instantOf } from './timestamps';

/** When to come back, by an answer's headers (RFC 9110, and the drafts for RateLimit fields). */
export interface RateLimitHeaders {
	/** The earliest time of this machine's clock (milliseconds) for a retry, or null. */
	retryAt: number | null;
	/** The violated policy counts simultaneous requests, not requests per time. */
	countsConcurrency: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** A larger reset is a time since 1970, not seconds to wait. */
const SURELY_EPOCH_SECONDS = 1_000_000_000;
const SECONDS = /^\d+(\.\d+)?$/;

/**
 * Reads Retry-After, or without it the RateLimit fields in their old form (RateLimit-Reset, in seconds) and their new
 * one (RateLimit: "name";r=0;t=30). Unknown forms are ignored, as the drafts demand.
 */
export function readRateLimitHeaders(headers: Headers, now: number): RateLimitHeaders {
	return {
		retryAt: retryAfter(headers, now) ?? rateLimitReset(headers, now),
		countsConcurrency: isConcurrencyViolated(headers),
	};
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
	const waits = items(headers.ratelimit)
		.filter(isUsedUp)
		.flatMap(({ parameters }) => {
			const reset = /;\s*t\s*=\s*(\d+)/.exec(parameters)?.[1];
			return reset === undefined ? [] : [Number(reset)];
		});
	return waits.length === 0 ? null : afterSeconds(Math.max(...waits), headers, now);
}

/** If several policies are listed, only the one that is used up was violated. */
function isConcurrencyViolated(headers: Headers): boolean {
	const limits = items(headers.ratelimit);
	const policies = [...items(headers['ratelimit-policy']), ...limits];
	const usedUp = new Set(limits.filter(isUsedUp).map(({ name }) => name));
	const violated = usedUp.size === 0 ? policies : policies.filter(({ name }) => usedUp.has(name));
	const counting = new Set(violated.filter(isConcurrency).map(({ name }) => name));
	return counting.size > 0 && violated.every(({ name }) => counting.has(name));
}

interface ListItem {
	name: string;
	parameters: string;
}

function isUsedUp({ parameters }: ListItem): boolean {
	return /;\s*r\s*=\s*0+(?![\d.])/.test(parameters);
}

function isConcurrency({ parameters }: ListItem): boolean {
	return /;\s*qu\s*=\s*"?concurrent-requests"?/i.test(parameters);
}

/** The items of a structured list, split at commas outside quoted names. */
function items(value = ''): ListItem[] {
	const isMalformed = value.split('"').length % 2 === 0;
	if (isMalformed) return [];
	return (value.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map((item) => {
		const whole = item.trim();
		const parameters = whole.replace(/"[^"]*"|[^;]*/, '');
		return { name: whole.slice(0, whole.length - parameters.length).trim(), parameters };
	});
}
