import { SLOTS, TYPICAL_DURATION_MS } from '../api/limits';
import type { PollInterval } from '../api/poll-interval';
import type { BriefStatus } from '../api/resources';

/** A running brief that somebody waits for. Times are of this machine's clock. */
interface WatchedBrief {
	readonly brief: { readonly id: string; readonly status: BriefStatus };
	readonly since: number;
	readonly seenAt?: number | undefined;
}

/** Gives when the next look at these briefs is due; Infinity without briefs. */
export function nextLookAtBriefs(
	watchedBriefs: Iterable<WatchedBrief>,
	lastLook: number,
	interval: PollInterval,
): number {
	const all = [...watchedBriefs];
	const count = new Set(all.map(({ brief }) => brief.id)).size;
	// One look shows both briefs, so two looks in the shortest interval ask no more of the service than a get of each.
	const nearGap = count >= SLOTS ? interval.shortest / SLOTS : interval.shortest;
	const dues = all.map(({ since, seenAt = since, brief: { status } }) => {
		const last = Math.max(lastLook, since, seenAt);
		return last + gapAfterLook(status, last - since, interval, nearGap);
	});
	return Math.min(...dues);
}

/**
 * Says how long the list is left alone while somebody waits for a slot, in milliseconds. One of the holders must end
 * first, so holders with stages to go need no look, and other people's briefs are looked at no more often than one of our own.
 * @param holders null if a slot may become free in another way
 * @param at when that look was made
 */
export function gapForSlots(
	holders: ReadonlyArray<{ status?: BriefStatus | undefined; since: number }> | null,
	at: number,
	interval: PollInterval,
): number {
	const { shortest } = interval;
	if (holders === null) return shortest;
	const gaps = holders.map(({ status, since }) =>
		status === undefined ? shortest : gapAfterLook(status, at - since, interval, shortest),
	);
	return Math.min(...gaps);
}

/**
 * Says how long a brief is left alone after a look, in milliseconds: `nearGap` if it may end at any moment, long if it has
 * stages to go. If the status does not say, the age decides.
 */
function gapAfterLook(
	status: BriefStatus,
	age: number,
	{ shortest, longest }: PollInterval,
	nearGap: number,
): number {
	const doneFrom = TYPICAL_DURATION_MS.min;
	const untilDone = Math.max(shortest, doneFrom - age);
	if (status === 'checking') return nearGap;
	if (status === 'writing') return longest;
	if (status === 'researching') return 2 * longest;
	// A brief that is still queued by then shows no stages.
	if (status === 'queued') return Math.min(2 * longest, untilDone);
	return age < doneFrom ? Math.min(longest, untilDone) : nearGap;
}
