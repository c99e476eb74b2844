/**
 * What is taken for granted about the service although its documentation does not show it (docs/service.md section 10),
 * each once and with its reason. Where the service turns out to be different, change it here. All times are
 * milliseconds.
 */

/**
 * A brief stands in the list so long after its creation at the latest. Copies of a database lag by seconds; ten minutes
 * are a bad day. What rests on it: an order in doubt that the list does not show by then made no brief, and holds its
 * slot no longer.
 */
export const LIST_LAG_MS = 600_000;

/**
 * A get shows so long afterwards what a create or the list has shown already, be it the brief itself or its end. Shorter
 * than the list's lag, for somebody waits for it, and nothing is paid twice where it is wrong.
 */
export const GET_LAG_MS = 120_000;

/**
 * Briefs stand in the list in the order of their creation, but for those that were created within this time of each
 * other: several servers may number them.
 */
export const LIST_DISORDER_MS = 600_000;

/**
 * A key is remembered for so long by any service that remembers keys at all; most keep them for a day. Until then the
 * same order is sent again although the list does not tell whether it was placed.
 */
export const KEY_TRUSTED_MS = 3_600_000;

/** Until then the list is not even looked at: it would hardly show the brief yet. Never more than KEY_TRUSTED_MS. */
export const KEY_TRUSTED_UNSEEN_MS = 600_000;

/**
 * Two tries within this time are put on record as one: the record of an order changes once a minute, not at each of its
 * quick tries. So a last try may be younger by this than its record says.
 */
export const SAME_TRY_MS = 60_000;

/**
 * The service's clock and ours, or those of two of its servers, differ by this at most: with a time server it is
 * seconds. So near the turn of a month nobody can say in which month a create counts.
 */
export const CLOCK_DIFFERENCE_MS = 120_000;

/**
 * A rate limit that lasts longer is not waited out, and never cut short either: somebody is told. Where it is not clear
 * what a 429 means, a wait this long means the allowance, which comes back with the next month.
 */
export const LONGEST_RATE_WAIT_MS = 3_600_000;

/** How many tries of one request may end in each way before somebody is told. */
export interface MaxTries {
	failures: number;
	/** In a row. */
	rateLimits: number;
	/** Answers with status 409. */
	conflicts: number;
}

/** Reading costs nothing. The waits add up to two minutes, longer than the restart of a server. */
export const READ_TRIES: MaxTries = { failures: 7, rateLimits: 7, conflicts: 1 };

/**
 * An order waits for rate limits as long as a quarter of an hour where the service names no time. A 409 may say that the
 * first request with the same key is still at work (IETF draft for Idempotency-Key), which takes seconds.
 */
export const CREATE_TRIES: MaxTries = { failures: 7, rateLimits: 15, conflicts: 3 };

/** Before the service has ever answered, the address is more likely wrong than the service down: a quarter of a minute. */
export const FIRST_TRIES: MaxTries = { failures: 4, rateLimits: 4, conflicts: 1 };

/** For a request that is not sent again. */
export const ONE_TRY: MaxTries = { failures: 1, rateLimits: 1, conflicts: 1 };

/**
 * A licence counts for so long after the time at which it renews or ends: that may be the time of a renewal just due, or
 * a mere date, which lasts until its evening.
 */
export const LICENCE_GRACE_MS = 86_400_000;

/** An outage that long is endured by n8n's nodes while briefs are written: it outlives a deployment of the service. */
export const NODE_OUTAGE_MS = 600_000;

/** And so long by brief-batch, which nobody watches: an outage of the network, not a typing error. */
export const BATCH_OUTAGE_MS = 1_800_000;

/** A brief whose end the list shows, and no get within this time, is passed on by the trigger as the list shows it. */
export const TRIGGER_PATIENCE_MS = 3_600_000;

/** An order that stayed without a usable answer for a day, run after run, needs a person. */
export const GIVEN_UP_AFTER_MS = 86_400_000;
