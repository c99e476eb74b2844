/**
 * Beliefs about the service that its documentation does not say (docs/service.md), each once and with its reason. If the
 * service turns out to be different, change it here. All times are milliseconds.
 */

/**
 * The lag of the list: a brief is in it at the latest this long after its creation. Copies of a database usually
 * lag by seconds; ten minutes is a bad day. An order in doubt that the list does not show by then has no brief and
 * gives up its slot.
 */
export const LIST_LAG_MS = 600_000;

/**
 * The usual lag of the list, at most. The next order waits this long for the list to show the brief of the one
 * before, and with it what other processes have ordered. Shorter than LIST_LAG_MS, because the slot stays empty
 * meanwhile.
 */
export const USUAL_LIST_LAG_MS = 120_000;

/**
 * Without a time limit from the caller, a brief that has run longer no longer counts as holding a slot, and the service
 * judges the next order. Ten times the usual duration.
 */
export const SLOT_HELD_MS = 3_600_000;

/** The same, as a multiple of the time that a brief may run. */
export const SLOT_HELD_TIMEOUTS = 2;

/**
 * The lag of a get: this long after a create or the list has shown a brief or its end, a get shows it too. Shorter
 * than the list's lag, because somebody waits and a wrong guess pays for nothing.
 */
export const GET_LAG_MS = 120_000;

/**
 * The list is in the order of creation, except for briefs created within this time of each other, which several servers
 * may have numbered.
 */
export const LIST_DISORDER_MS = 600_000;

/**
 * Two slots and three minutes a brief make 600 pages in the two months that are read at most. A longer list has no end,
 * and counts as incomplete.
 */
export const MOST_PAGES = 1000;

/**
 * Any service that remembers keys remembers them for this long; most do for a day. Until then the same order is sent
 * again even if the list cannot say whether it was placed.
 */
export const KEY_TRUSTED_MS = 3_600_000;

/**
 * A younger key is trusted by the process that has it, without a look at the list, which would hardly show the brief yet. Never more than
 * KEY_TRUSTED_MS.
 */
export const KEY_TRUSTED_UNSEEN_MS = 600_000;

/**
 * Tries within this time are recorded as one, because the record of an order changes once a minute. So the last try may
 * be younger than its record says, by this much.
 */
export const SAME_TRY_MS = 60_000;

/**
 * The difference between the clocks of the service, its servers and this machine, at most; with a time server it is
 * seconds. This near the turn of a month it is not known in which month a create counts.
 */
export const CLOCK_DIFFERENCE_MS = 120_000;

/**
 * No clock is wrong by more by accident: a zone that was left out makes half a day. A brief is excluded by its time
 * only if it is that far from its order by the service's clock and by our own.
 */
export const CLOCKS_WRONG_MS = 86_400_000;

/**
 * A longer rate limit is reported instead of waited out, and nothing is sent before its end. If a 429 does not say what
 * it means, a wait this long means the allowance, which returns next month.
 */
export const LONGEST_RATE_WAIT_MS = 3_600_000;

/**
 * What a look has shown counts for this long: somebody else may take the slot meanwhile. For one order, it doubles with
 * each slot that was given back unused.
 */
export const LOOK_FRESH_MS = 15_000;

/** A page of the list that is no older also serves those who ask for a slot after it came. */
export const PAGE_FRESH_MS = 3_000;

/** A wait that doubles with each failure, in milliseconds. */
export interface BackOff {
	first: number;
	longest: number;
}

/** Before a request that failed is sent again. */
export const RETRY_BACK_OFF: BackOff = { first: 2_000, longest: 60_000 };

/** After the list showed a free slot and the service did not: they disagree, so it gets more time at each refusal. */
export const SLOT_BACK_OFF: BackOff = { first: 15_000, longest: 60_000 };

/** The tries of one request that may end in each way before we give up. */
export interface MaxTries {
	failures: number;
	/** In a row. */
	rateLimits: number;
}

/** Reading costs nothing. The waits add up to two minutes, longer than a server's restart. */
export const READ_TRIES: MaxTries = { failures: 7, rateLimits: 7 };

/** Without a time from the service, an order waits a quarter of an hour for rate limits. */
export const CREATE_TRIES: MaxTries = { failures: 7, rateLimits: 15 };

/** Before the first answer, a wrong address is more likely than an outage: a quarter of a minute. */
export const FIRST_TRIES: MaxTries = { failures: 4, rateLimits: 4 };

/** For a request that is not sent again. */
export const ONE_TRY: MaxTries = { failures: 1, rateLimits: 1 };

/** The longest outage that n8n's nodes wait out while briefs are written: longer than a deployment of the service. */
export const NODE_OUTAGE_MS = 600_000;

/** brief-batch runs unattended, so it waits out an outage of the network. */
export const BATCH_OUTAGE_MS = 1_800_000;

/** The trigger waits this long for a get to show an end that the list shows. Then it passes on what the list shows. */
export const TRIGGER_PATIENCE_MS = 3_600_000;

/**
 * A brief that takes long, or that shows no text or another brief, is waited for until it is this old. After that a person
 * is told: it should take minutes (docs/api.md 3).
 */
export const PUT_OFF_MS = 86_400_000;

/**
 * A listed brief may be a row's own for this long. An older one is no accident: a product that gets a brief every month
 * wants a new one each time.
 */
export const LOOKED_BACK_DAYS = 31;
export const LOOKED_BACK_MS = LOOKED_BACK_DAYS * 86_400_000;
