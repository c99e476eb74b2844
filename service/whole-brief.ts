import { GET_LAG_MS } from './assumptions';
import { POLL_INTERVAL_MS } from './limits';
import { outcomeOf } from './outcome';
import type { Clock } from './ports';
import { isRunning, type Brief } from './resources';
import type { PollInterval } from './poll-interval';
import { sleepUntil } from './sleep';

/** How often a get is repeated that may lag behind. Counted, so that it keeps its meaning in faster time. */
const GETS = 1 + GET_LAG_MS / POLL_INTERVAL_MS.min;

export interface Fetching {
	/** Gets a brief, and tries again where a failure may pass. */
	get: (id: string) => Promise<Brief>;
	clock: Clock;
	interval: PollInterval;
	signal?: AbortSignal;
	/** Time of this machine's clock after which it is not got again. */
	deadline?: number;
}

/** Whether a brief shows its end and, where it is ready, its text. */
export function isWhole(brief: Brief): boolean {
	return !isRunning(brief) && (brief.status !== 'ready' || brief.markdown !== null);
}

/**
 * Gets a brief whose end is known, until the get shows it too: a get may lag behind the list. Gives it as it is where
 * it never becomes whole, or null where the service does not know it.
 */
export function fetchEnded(id: string, fetching: Fetching): Promise<Brief | null> {
	return getUntil(id, isWhole, fetching);
}

/** Gets a brief that was created, until the service knows it: a get may lag behind. Null where it never does. */
export function fetchKnown(id: string, fetching: Fetching, gets = GETS): Promise<Brief | null> {
	return getUntil(id, () => true, fetching, gets);
}

async function getUntil(
	id: string,
	isEnough: (brief: Brief) => boolean,
	{ get, clock, interval, signal, deadline = Infinity }: Fetching,
	gets = GETS,
): Promise<Brief | null> {
	for (let left = gets; ; left -= 1) {
		const askedAt = clock.now();
		const outcome = await outcomeOf(get(id));
		if ('error' in outcome && outcome.error.kind !== 'not_found') throw outcome.error;
		const brief = 'value' in outcome ? outcome.value : null;
		if (brief !== null && isEnough(brief)) return brief;
		const next = askedAt + interval.shortest;
		if (left <= 1 || next > deadline) return brief;
		await sleepUntil(clock, next, signal);
	}
}
