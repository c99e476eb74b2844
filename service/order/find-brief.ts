import { LIST_DISORDER_MS, READ_TRIES } from '../assumptions';
import type { Listing } from '../list/brief-list';
import { nullIfUnknown } from '../api/outcome';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { withRetries, type Retrying } from '../api/retry';
import type { BriefingService } from '../api/service';
import { candidatesFor, likenessOf, type Likeness } from './likeness';
import type { Look } from './shell';

export interface FindDependencies extends Pick<Retrying, 'clock' | 'interval'> {
	service: Pick<BriefingService, 'brief'>;
	signal?: AbortSignal;
}

/** How far down the list is to be read for an order that was first sent at this time of the service's clock. */
export function listedSince(firstTried: number): number {
	return firstTried - LIST_DISORDER_MS;
}

/**
 * Looks for the brief that an order may have made: among those of the list, by a get of each that may be it.
 * @param order.firstTried when it was first sent, in milliseconds of the service's clock
 * @param listing the list down to `listedSince`. An incomplete one proves nothing about a brief that it lacks
 * Throws what the service throws if asking again did not help: nothing may be decided without an answer.
 */
export async function findBrief(
	{ service, clock, interval, signal }: FindDependencies,
	{ input, firstTried }: { input: BriefInput; firstTried: number },
	{ briefs, isComplete }: Pick<Listing, 'briefs' | 'isComplete'>,
	isClaimed: (id: string) => boolean,
): Promise<Look> {
	const retrying = { clock, interval, limits: READ_TRIES, signal };
	const get = (id: string) => nullIfUnknown(withRetries(() => service.brief(id, signal), retrying));
	const candidates = candidatesFor(input, firstTried, briefs, isClaimed);
	const look = await pickBrief(candidates, (brief) => likenessOf(brief, input), get);
	if (isComplete || look.is === 'found') return look;
	return { is: 'unclear', ids: look.is === 'unclear' ? look.ids : [] };
}

/**
 * Which of these briefs, newest first, is the one that is looked for.
 * @param get gives null if the service does not know the brief
 */
export async function pickBrief(
	candidates: readonly BriefSummary[],
	likenessTo: (brief: Brief) => Likeness,
	get: (id: string) => Promise<Brief | null>,
): Promise<Look> {
	const same: BriefSummary[] = [];
	const maybe: BriefSummary[] = [];
	for (const candidate of candidates) {
		const brief = await get(candidate.id);
		// It is listed, so it exists: a get may lag behind the list.
		const likeness = brief === null ? 'maybe' : likenessTo(brief);
		if (likeness === 'same') same.push(brief ?? candidate);
		else if (likeness === 'maybe') maybe.push(brief ?? candidate);
	}
	// Several that are the same are of orders with the same content: which is whose makes no difference. Oldest first.
	const brief = same.at(-1);
	if (brief !== undefined) return { is: 'found', brief };
	const [likely, ...others] = maybe;
	if (likely === undefined) return { is: 'nothing' };
	const ids = maybe.map(({ id }) => id);
	return others.length === 0 ? { is: 'unclear', ids, likely } : { is: 'unclear', ids };
}
