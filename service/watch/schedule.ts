import { SLOTS, TYPICAL_DURATION_MS } from '../limits';
import type { PollInterval } from '../poll-interval';
import type { BriefStatus } from '../resources';

/** While fewer briefs than this have ended, the vendor's typical duration says more than they do. */
const ENOUGH_DURATIONS = 8;
const REMEMBERED_DURATIONS = 200;

/**
 * The age at which the first briefs are done: the 5 % quantile of the durations seen (milliseconds, oldest first).
 * Quick ones do not count: they are early failures, and would make all others be looked at for nothing.
 */
export function doneFrom(durations: readonly number[], { shortest }: PollInterval): number {
	// Twelve of the shortest intervals are three minutes by default, and keep their meaning in faster time.
	const typical = Math.min(TYPICAL_DURATION_MS.min, 12 * shortest);
	const seen = durations.slice(-REMEMBERED_DURATIONS).filter((duration) => duration >= typical / 3);
	if (seen.length < ENOUGH_DURATIONS) return typical;
	seen.sort((a, b) => a - b);
	return seen[Math.floor(seen.length * 0.05)] ?? typical;
}

/** Only from `checking` does a brief become ready; these come before. */
const EARLIER_STATUSES: readonly BriefStatus[] = ['queued', 'researching', 'writing'];
const FEW_ENDED = 4;
const RECENT_ENDED = 20;

/** What briefs that ended tell of those that run. */
export interface Learnt {
	/** The age at which the first briefs are done, in milliseconds. */
	doneFrom: number;
	/** The status in which each brief that became ready was last seen running, oldest first. */
	lastSeen: readonly BriefStatus[];
}

/**
 * How long a brief is left alone after a look, in milliseconds. One that may end at any moment is looked at as often as
 * `near` allows; one with stages to go hardly ever, for there its age does not matter. Where a stage is not seen, because
 * it is too short or the service does not show it, the age decides.
 */
export function gapAfterLook(
	{ status, age }: { status: BriefStatus; age: number },
	{ doneFrom, lastSeen }: Learnt,
	{ shortest, longest }: PollInterval,
	near: number,
): number {
	const isDoneSoon = age >= doneFrom;
	const byAge = Math.max(shortest, Math.min(longest, doneFrom - age));
	const stage = EARLIER_STATUSES.indexOf(status);
	if (status === 'checking' || (stage < 0 && isDoneSoon)) return near;
	if (stage < 0) return byAge;
	const recent = lastSeen.slice(-RECENT_ENDED);
	if (endsUnseen(EARLIER_STATUSES.slice(0, stage + 1), recent)) return byAge;
	if (status === 'writing') return longest;
	const far = 2 * longest;
	return recent.length >= FEW_ENDED ? far : Math.min(far, Math.max(longest, doneFrom - age));
}

/**
 * The shortest time between two looks, in milliseconds. A look at the list shows all that run, so that with two of them
 * a look each half of the shortest interval asks no more of the service than looking at each by itself.
 */
export function nearGap(running: number, isCalm: boolean, { shortest }: PollInterval): number {
	return running >= SLOTS && isCalm ? shortest / SLOTS : shortest;
}

/**
 * How long the list is left alone after a look while somebody waits for a slot, in milliseconds. One of those that hold
 * the slots must end first, so that those with stages to go need no look; and nobody looks more often for the briefs of
 * others than for a single one of his own.
 * @param holders null where a slot may come free without that
 * @param at the time of that look
 */
export function gapForSlots(
	holders: readonly { status?: BriefStatus | undefined; since: number }[] | null,
	at: number,
	learnt: Learnt,
	interval: PollInterval,
): number {
	const { shortest } = interval;
	const gaps = (holders ?? []).map(({ status, since }) =>
		status === undefined
			? shortest
			: gapAfterLook({ status, age: at - since }, learnt, interval, shortest),
	);
	return gaps.length === 0 ? shortest : Math.min(...gaps);
}

/** Whether many briefs went from one of these statuses to their end between two looks. */
function endsUnseen(statuses: readonly BriefStatus[], recent: readonly BriefStatus[]): boolean {
	const count = (status: BriefStatus) => recent.filter((before) => before === status).length;
	return recent.length >= FEW_ENDED && statuses.some((one) => count(one) * 4 >= recent.length);
}
