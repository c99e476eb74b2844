import type { OrderState } from './states';

/** For so long a key is trusted without a look at the list. */
const YOUNG_KEY_MS = 600_000;
/** For so long a key is trusted without the list being clear: no life of a key is shown, and an hour is a short one. */
const TRUSTED_KEY_MS = 3_600_000;
/** A brief that was created so long ago stands in the list, even if that lags behind. */
const SURELY_LISTED_MS = 600_000;
/** Tries within this time count as one: the list is believed to lag behind by far more. */
const SAME_TRY_MS = 60_000;

type Tried = Pick<OrderState, 'firstTried' | 'lastTried'>;
type Intent = Pick<OrderState, 'isIntended' | 'lastTried' | 'intents'>;

/** A key is as old as the first try, for the service may count from there how long it remembers it. */
export function keyTrust({ firstTried }: Tried, serviceNow: number): 'young' | 'trusted' | 'old' {
	const age = serviceNow - (firstTried ?? serviceNow);
	if (age <= YOUNG_KEY_MS) return 'young';
	return age < TRUSTED_KEY_MS ? 'trusted' : 'old';
}

/** Whether the list shows the brief of an order for certain, if there is one. It may be as young as the last try. */
export function isSurelyListed({ lastTried }: Tried, serviceNow: number): boolean {
	return serviceNow - (lastTried ?? -Infinity) > SURELY_LISTED_MS;
}

/** Milliseconds until the list shows it for certain. A clock that was set back does not make that longer. */
export function untilListed({ lastTried }: Tried, serviceNow: number): number {
	const since = serviceNow - (lastTried ?? serviceNow);
	return Math.min(SURELY_LISTED_MS, SURELY_LISTED_MS - since) + 1;
}

/**
 * Whether the intent on record is so recent that the create may be sent. Where it took too long to write it is written
 * anew, and gets more time at each go, so that a slow disk holds nobody up for ever.
 */
export function isIntentFresh(order: Intent, serviceNow: number): boolean {
	const { isIntended, lastTried, intents } = order;
	const enough = Math.min(SAME_TRY_MS * 2 ** Math.max(0, intents - 1), SURELY_LISTED_MS / 2);
	return isIntended && lastTried !== null && Math.abs(serviceNow - lastTried) < enough;
}
