import { GET_LAG_MS } from '../assumptions';
import { nullIfUnknown } from '../api/outcome';
import type { Clock } from '../api/ports';
import { isRunning, type Brief, type BriefSummary } from '../api/resources';
import { DEFAULT_POLL_INTERVAL } from '../api/poll-interval';
import { sleepUntil } from '../api/sleep';
import type { WaitOptions } from './wait';

/** A get that may lag is repeated after this time, as the service recommends, and so often. */
const GET_AGAIN_MS = DEFAULT_POLL_INTERVAL.shortest;
const GETS = 1 + GET_LAG_MS / GET_AGAIN_MS;

export interface Fetching extends WaitOptions {
	/** Gets a brief, and tries again if a failure may pass. */
	get: (id: string) => Promise<Brief>;
	clock: Clock;
}

/** The fields of a brief that the list does not show, while they are unknown. */
export const NO_TEXT: Omit<Brief, keyof BriefSummary> = {
	input: {},
	markdown: null,
	document: null,
	sources: [],
	warnings: [],
	error_code: null,
	revision: 0,
};

/** Checks whether a brief was read by itself and not from the list. */
export function isRead(brief: BriefSummary): brief is Brief {
	return 'markdown' in brief && 'document' in brief && 'error_code' in brief;
}

/** Checks whether a brief shows its end and, if it is ready, its text. */
export function isWhole(brief: Brief): boolean {
	return !isRunning(brief) && (brief.status !== 'ready' || brief.markdown !== null);
}

/**
 * Gets a brief whose end is known, unless it was read whole, until the get shows its end too, because a get may lag behind
 * the list. Returns it as it is if it never becomes whole, or null if the service does not know it.
 */
export async function fetchEnded(brief: BriefSummary, fetching: Fetching): Promise<Brief | null> {
	return isRead(brief) && isWhole(brief) ? brief : await getUntil(brief.id, isWhole, fetching);
}

/** Gets a brief that was created until the service knows it, because a get may lag. Null if it never does. */
export function fetchKnown(id: string, fetching: Fetching, gets = GETS): Promise<Brief | null> {
	return getUntil(id, () => true, fetching, gets);
}

async function getUntil(
	id: string,
	isEnough: (brief: Brief) => boolean,
	{ get, clock, signal, deadline = Infinity }: Fetching,
	gets = GETS,
): Promise<Brief | null> {
	for (let getsLeft = gets; ; getsLeft -= 1) {
		const askedAt = clock.now();
		const brief = await nullIfUnknown(get(id));
		if (brief !== null && isEnough(brief)) return brief;
		const next = askedAt + GET_AGAIN_MS;
		if (getsLeft <= 1 || next > deadline) return brief;
		await sleepUntil(clock, next, signal);
	}
}
