import { IdSet } from '../brief-id';
import { SLOTS, TYPICAL_DURATION_MS } from '../limits';
import type { PollInterval } from '../poll-interval';
import type { BriefStatus } from '../resources';

/** A running brief for whose end somebody waits. Times are of this machine's clock. */
export interface WatchedBrief {
	/** As last seen. */
	readonly brief: { readonly id: string; readonly status: BriefStatus };
	/** From when its age counts. */
	readonly since: number;
	/** When it was last seen, where that is known. */
	readonly seenAt?: number | undefined;
}

/**
 * When the next look at these briefs is due; Infinity if there are none.
 * @param isCalm whether the service has not lately called for fewer requests
 */
export function nextLook(
	watched: Iterable<WatchedBrief>,
	lastLook: number,
	interval: PollInterval,
	isCalm = true,
): number {
	const all = [...watched];
	const running = new IdSet(all.map(({ brief }) => brief.id)).size;
	// A look at the list shows all that run, so that with two of them a look each half of the shortest interval asks no
	// more of the service than looking at each by itself.
	const near = running >= SLOTS && isCalm ? interval.shortest / SLOTS : interval.shortest;
	const dues = all.map(({ since, seenAt = since, brief: { status } }) => {
		const last = Math.max(lastLook, since, seenAt);
		return last + gapAfterLook(status, last - since, interval, near);
	});
	return Math.min(...dues);
}

/**
 * How long the list is left alone after a look while somebody waits for a slot, in milliseconds. One of those that hold
 * the slots must end first, so that those with stages to go need no look; and nobody looks more often for the briefs of
 * others than for a single one of his own.
 * @param holders null where a slot may come free without that
 * @param at the time of that look
 */
export function gapForSlots(
	holders: ReadonlyArray<{ status?: BriefStatus | undefined; since: number }> | null,
	at: number,
	interval: PollInterval,
): number {
	const { shortest } = interval;
	const gaps = (holders ?? []).map(({ status, since }) =>
		status === undefined ? shortest : gapAfterLook(status, at - since, interval, shortest),
	);
	return gaps.length === 0 ? shortest : Math.min(...gaps);
}

/**
 * How long a brief is left alone after a look, in milliseconds. One that may end at any moment is looked at as often as
 * `near` allows; one with stages to go hardly ever. Where the status does not say how far it is, its age decides.
 */
function gapAfterLook(
	status: BriefStatus,
	age: number,
	{ shortest, longest }: PollInterval,
	near: number,
): number {
	// Twelve of the shortest intervals are three minutes by default, and keep their meaning in faster time.
	const doneFrom = Math.min(TYPICAL_DURATION_MS.min, 12 * shortest);
	const untilDone = Math.max(shortest, doneFrom - age);
	if (status === 'checking') return near;
	if (status === 'writing') return longest;
	if (status === 'researching') return 2 * longest;
	// One that is still queued by then shows no stages.
	if (status === 'queued') return Math.min(2 * longest, untilDone);
	return age < doneFrom ? Math.min(longest, untilDone) : near;
}
