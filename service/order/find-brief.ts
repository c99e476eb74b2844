import { outcomeOf } from '../outcome';
import { briefPages } from '../pages';
import type { BriefInput, BriefSummary } from '../resources';
import type { BriefingService } from '../service';
import { instantOf } from '../timestamps';
import { candidatesFor, likenessOf } from './lookup';
import type { Look } from './shell';

/** Pages are read down to briefs that are this much older than the order. */
const OLDER_MS = 600_000;

/**
 * Looks for the brief that an order may have made: in the list, and by a get of each that may be it.
 * @param firstTried when the order was first sent, in milliseconds of the service's clock
 * Throws what the service throws.
 */
export async function findBrief(
	service: Pick<BriefingService, 'briefs' | 'brief'>,
	{ input, firstTried }: { input: BriefInput; firstTried: number },
	isClaimed: (id: string) => boolean,
	signal?: AbortSignal,
): Promise<Look> {
	const listed: BriefSummary[] = [];
	for await (const page of briefPages(service, { signal })) {
		listed.push(...page);
		const oldest = instantOf(page.at(-1)?.created_at);
		if (oldest !== null && oldest < firstTried - OLDER_MS) break;
	}
	const same: BriefSummary[] = [];
	const maybe: BriefSummary[] = [];
	for (const candidate of candidatesFor(input, firstTried, listed, isClaimed)) {
		const outcome = await outcomeOf(service.brief(candidate.id, signal));
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
