import { IdSet, isSameId } from '../../../service/brief-id';
import { CLOCK_DIFFERENCE_MS } from '../../../service/assumptions';
import type { KnownBrief, Listing, SharedList } from '../../../service/brief-list';
import { monthStart } from '../../../service/month';
import type { BriefingService } from '../../../service/service';
import { instantOf } from '../../../service/timestamps';
import type { SeenBrief } from '../../journal/events';
import type { Journal } from '../../journal/journal';
import type { Records } from '../../journal/records';

/*
 * What earlier runs saw of the list, so that it need not be read down to the start of the month each time. Every brief
 * that was created before the newest of them is a row's, and in the journal as such, or is kept here.
 */

/**
 * A brief that is older than this was hardly ordered by accident: whoever has a product written about every month wants
 * a new one each time.
 */
export const LOOKED_BACK_MS = 31 * 24 * 3_600_000;

/** How far down a run has to know the list, at this instant of the service's clock: for the month's use, and for briefs to take over. */
export function neededFrom(now: number): number {
	return Math.min(monthStart(now), now - LOOKED_BACK_MS);
}

/**
 * Down to which brief the list is known already, and from there down to this instant. What was read while the clock was
 * ahead does not go down so far.
 */
export function knownBrief({ listed }: Records, from: number): KnownBrief | undefined {
	const createdAt = instantOf(listed?.newest.created_at);
	const readDownTo = instantOf(listed?.from) ?? Infinity;
	if (listed === null || createdAt === null || readDownTo > from + CLOCK_DIFFERENCE_MS)
		return undefined;
	return { id: listed.newest.id, createdAt };
}

/** The briefs of no row that earlier runs saw and this reading did not go down to, newest first. */
export function seenBefore({ listed }: Records, listing: Listing, now: number): SeenBrief[] {
	if (listed === null || !listing.isJoined) return [];
	const isRead = new IdSet(listing.briefs.map(({ id }) => id));
	const from = neededFrom(now);
	const created = ({ created_at }: SeenBrief) => instantOf(created_at) ?? Infinity;
	return [...listed.others.values()]
		.filter((brief) => !isRead.has(brief.id) && created(brief) >= from)
		.sort((a, b) => created(b) - created(a));
}

interface Noting {
	list: SharedList;
	journal: Journal;
	service: Pick<BriefingService, 'now'>;
	waiting: AbortSignal;
}

/** Reads what is new in the list and puts it on record. Never throws: what fails here, the next run reads. */
export async function noteList({ list, journal, service, waiting }: Noting): Promise<void> {
	const from = neededFrom(service.now());
	const known = knownBrief(journal.records, from);
	await list
		.downTo(from, { maxAge: 0, known }, waiting)
		.then((listing) => noteListing(listing, from, journal))
		.catch(() => undefined);
}

/**
 * Puts on record what a reading showed. One that may lack briefs is not kept.
 * @param from the instant down to which it was read, or joined to what was known
 */
export async function noteListing(listing: Listing, from: number, journal: Journal): Promise<void> {
	const { records } = journal;
	const { isComplete, isJoined, briefs, asOf } = listing;
	// With a date in the future, all that is yet to come would count as seen.
	const isPast = (created: number | null) =>
		created !== null && created <= asOf + CLOCK_DIFFERENCE_MS;
	const newest = briefs.find(({ created_at }) => isPast(instantOf(created_at)));
	if (newest === undefined || (!isComplete && !isJoined)) return;
	const before = isJoined ? records.listed : null;
	if (isSameId(before?.newest.id, newest.id)) return;
	const others = briefs
		.filter(({ id }) => !records.owns(id) && before?.others.has(id) !== true)
		.map(({ id, product_name, created_at }) => ({ id, product_name, created_at }));
	const { id, created_at } = newest;
	const readDownTo = before?.from ?? new Date(from).toISOString();
	await journal.append({
		type: 'listed',
		newest: { id, created_at },
		from: readDownTo,
		whole: !isJoined,
		others,
	});
}
