import type { BriefSummary } from '../api/types';
import { parseTimestamp } from '../api/timestamps';
import { CLOCK_ERROR_MS, REUSE_WINDOW_MS } from '../assumptions';

/** Returns when the brief was created, by the service's clock. A brief whose time cannot be read counts as new. */
export function getCreationTime({ created_at }: Pick<BriefSummary, 'created_at'>): number {
	return parseTimestamp(created_at) ?? Infinity;
}

/** True if the brief is too old to be used for a new order. */
export function isOutdated(brief: BriefSummary, now: number): boolean {
	return getCreationTime(brief) < now - REUSE_WINDOW_MS;
}

/** True if an order that was first sent at this time could have created the brief. The service's clocks can differ. */
export function isYoungerThanRequest(brief: BriefSummary, firstSentAt: number): boolean {
	return getCreationTime(brief) >= firstSentAt - CLOCK_ERROR_MS;
}
