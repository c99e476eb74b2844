/**
 * What is taken for granted about the service although its documentation does not show it (docs/service.md),
 * each once and with its reason. Where the service turns out to be different, change it here. All times are
 * milliseconds.
 */

/**
 * How far the list may lag behind: so long after its creation, at the latest, a brief is in it. Copies of a database
 * usually lag by seconds; ten minutes is a bad day. What rests on it: an order in doubt whose brief the list does not
 * show by then made none, and holds its slot no longer.
 */
export const LIST_LAG_MS = 600_000;

/**
 * How far the list usually lags behind, at most. So long the next order waits for the list to show the brief of the one
 * before, and with it what other processes have ordered. Shorter than LIST_LAG_MS, because a slot stands empty meanwhile.
 */
export const USUAL_LIST_LAG_MS = 120_000;

/**
 * A brief that has run for longer is not believed to hold a slot any more, where nobody says how long one may run: the
 * service judges the next order. Ten times what a brief usually takes.
 */
export const SLOT_HELD_MS = 3_600_000;

/** The same as so many times of what a brief may run. */
export const SLOT_HELD_TIMEOUTS = 2;

/**
 * How far a get may lag behind: so long after a create or the list has shown a brief, or its end, a get shows it too.
 * Shorter than the lag of the list, because somebody waits for it, and nothing is paid twice where it is wrong.
 */
export const GET_LAG_MS = 120_000;

/**
 * Briefs stand in the list in the order of their creation, but for those that were created within this time of each
 * other: several servers may number them.
 */
export const LIST_DISORDER_MS = 600_000;

/**
 * Two slots and three minutes for a brief make 60,000 in the two months that are read at most. A list with more of them
 * has no end, and is not read on: it counts as one that shows not all.
 */
export const MOST_LISTED = 100_000;

/** How often the list is read from its first page again after the service has refused a cursor of its own. */
export const LIST_RESTARTS = 2;

/**
 * A key is remembered for so long by any service that remembers keys at all; most keep them for a day. Until then the
 * same order is sent again although the list does not tell whether it was placed.
 */
export const KEY_TRUSTED_MS = 3_600_000;

/**
 * A key younger than this is trusted without a look at the list, which would hardly show the brief yet. Never more than
 * KEY_TRUSTED_MS.
 */
export const KEY_TRUSTED_UNSEEN_MS = 600_000;

/**
 * Two tries within this time are put on record as one: the record of an order changes once a minute, not at each of its
 * quick tries. So a last try may be younger by this than its record says.
 */
export const SAME_TRY_MS = 60_000;

/**
 * The service's clock and this machine's, or those of two of its servers, differ by this at most: with a time server it
 * is seconds. So near the turn of a month nobody can say in which month a create counts.
 */
export const CLOCK_DIFFERENCE_MS = 120_000;

/**
 * A rate limit that lasts longer than this is not waited out: it is reported, and nothing is sent before it is over.
 * Where it is not clear what a 429 means, a wait this long means the allowance, which comes back with the next month.
 */
export const LONGEST_RATE_WAIT_MS = 3_600_000;

/** After an answer that calls for fewer requests, looks are no closer than the shortest interval for so long. */
export const RATE_LIMIT_CAUTION_MS = 600_000;

/** How many tries of one request may end in each way before it is given up. */
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
 * An order waits for rate limits as long as a quarter of an hour where the service names no time. A 409 may say that
 * the first request with the same key is still at work (IETF draft for Idempotency-Key), which takes seconds.
 */
export const CREATE_TRIES: MaxTries = { failures: 7, rateLimits: 15, conflicts: 3 };

/**
 * Before the service has ever answered, the address is more likely wrong than the service down: a quarter of a minute.
 */
export const FIRST_TRIES: MaxTries = { failures: 4, rateLimits: 4, conflicts: 1 };

/** For a request that is not sent again. */
export const ONE_TRY: MaxTries = { failures: 1, rateLimits: 1, conflicts: 1 };

/** How long an outage n8n's nodes wait out while briefs are written: longer than a deployment of the service takes. */
export const NODE_OUTAGE_MS = 600_000;

/** How long brief-batch does, which nobody watches: long enough for an outage of the network. */
export const BATCH_OUTAGE_MS = 1_800_000;

/** So long the trigger waits for a get to show an end that the list shows; then it passes on what the list shows. */
export const TRIGGER_PATIENCE_MS = 3_600_000;

/** An order that stayed without a usable answer for a day, run after run, needs a person. */
export const GIVEN_UP_AFTER_MS = 86_400_000;
