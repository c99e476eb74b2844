import { LIST_DISORDER_MS, READ_TRIES } from '../assumptions';
import { outcomeOf } from '../outcome';
import { briefsDownTo } from '../pages';
import type { BriefInput, BriefSummary } from '../resources';
import { withRetries, type Retrying } from '../retry';
import type { BriefingService } from '../service';
import { candidatesFor, likenessOf } from './likeness';
import type { Look } from './shell';

export interface FindDependencies extends Pick<Retrying, 'clock' | 'interval'> {
	service: Pick<BriefingService, 'briefs' | 'brief'>;
}

/**
 * Looks for the brief that an order may have made: in the list, and by a get of each that may be it.
 * @param firstTried when the order was first sent, in milliseconds of the service's clock
 * Throws what the service throws, where asking again did not help: nothing may be decided without an answer.
 */
export async function findBrief(
	{ service, clock, interval }: FindDependencies,
	{ input, firstTried }: { input: BriefInput; firstTried: number },
	isClaimed: (id: string) => boolean,
	signal?: AbortSignal,
): Promise<Look> {
	const retrying = { clock, interval, limits: READ_TRIES, signal };
	const listed = await withRetries(
		() => briefsDownTo(service, firstTried - LIST_DISORDER_MS, signal),
		retrying,
	);
	const same: BriefSummary[] = [];
	const maybe: BriefSummary[] = [];
	for (const candidate of candidatesFor(input, firstTried, listed, isClaimed)) {
		const get = () => service.brief(candidate.id, signal);
		const outcome = await outcomeOf(withRetries(get, retrying));
		if ('value' in outcome) {
			const likeness = likenessOf(outcome.value, input);
			if (likeness === 'same') same.push(outcome.value);
			else if (likeness === 'maybe') maybe.push(outcome.value);
		} else if (outcome.error.kind !== 'not_found') throw outcome.error;
		// It is listed, so it exists: a get may lag behind the list.
		else maybe.push(candidate);
	}
	// Several that are the same are of orders with the same content: which is whose makes no difference. Oldest first.
	const brief = same.at(-1);
	if (brief !== undefined) return { is: 'found', brief };
	const [likely, ...others] = maybe;
	if (likely === undefined) return { is: 'nothing' };
	const ids = maybe.map(({ id }) => id);
	return others.length === 0 ? { is: 'unclear', ids, likely } : { is: 'unclear', ids };
}
