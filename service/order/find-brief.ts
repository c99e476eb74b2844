import { LOOK_FRESH_MS, READ_TRIES } from '../assumptions';
import type { Listing, SharedList } from '../list/brief-list';
import { nullIfUnknown } from '../api/outcome';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import type { Clock } from '../api/ports';
import { withRetries } from '../api/resend';
import type { BriefingService } from '../api/service';
import { instantOf } from '../api/timestamps';
import type { Workspace } from '../watch/workspace';
import type { OrderState } from './life';
import {
	isInTime,
	isSurelyAfter,
	listedSince,
	momentNow,
	notAhead,
	readSince,
	type Moment,
	type TryTimes,
} from './times';
import {
	isOlder,
	likenessOf,
	showsOtherProduct,
	type Likeness,
	isOfProduct,
	saysNothing,
} from './likeness';
import type { Look } from './shell';

interface FindDependencies {
	service: Pick<BriefingService, 'brief' | 'now'>;
	workspace: Pick<Workspace, 'wasKnown'>;
	clock: Clock;
	signal?: AbortSignal | undefined;
}

/** An order without an answer, whose brief is looked for. */
export interface OrderInDoubt extends TryTimes {
	input: BriefInput;
	knownBefore: number | null;
	/** The IDs of briefs that were on record as listed when nothing had come of it yet. */
	listedBefore?: readonly string[];
	/** Somebody wanted another brief beside an earlier one, so that one of another time is hardly its own. */
	isFurther?: boolean;
}

/**
 * Looks for the brief that an order may have made: among those of the list, by a get of each that may be it.
 * The list goes down to `listedSince`; an incomplete one proves nothing about a brief that it lacks. Throws what the
 * service throws if asking again did not help: nothing may be decided without an answer.
 */
async function findBrief(
	tools: FindDependencies,
	order: OrderInDoubt,
	{ briefs, isComplete }: Listing,
	isClaimed: (id: string) => boolean,
): Promise<Look> {
	const { service, workspace, clock, signal } = tools;
	const retrying = { clock, limits: READ_TRIES, signal };
	const get = (id: string) => nullIfUnknown(withRetries(() => service.brief(id, signal), retrying));
	const wasKnown = (id: string) => workspace.wasKnown(id, order.knownBefore ?? 0);
	const mayBeIts = candidateFor(order, momentNow(tools), wasKnown);
	const candidates = briefs.filter((brief) => mayBeIts(brief) && !isClaimed(brief.id));
	const likenessTo = (brief: Brief) => likenessOf(brief, order.input);
	const comparisons = await compareBriefs(candidates, likenessTo, get);
	const look = lookAmong(comparisons, order);
	if (isComplete || look.is === 'found') return look;
	return { is: 'unclear', ids: look.is === 'unclear' ? look.ids : [] };
}

/** What is to be known of an order whose brief is looked for, besides its state. */
interface SoughtOrder extends Omit<OrderInDoubt, keyof TryTimes | 'knownBefore'> {
	isOthers: (id: string) => boolean;
}

/** Reads the list as far down as an order's brief may be, and looks for it there. Throws ServiceError. */
export async function findOwn(
	order: OrderState,
	tools: FindDependencies & { list: Pick<SharedList, 'downTo'> },
	{ isOthers, ...sought }: SoughtOrder,
): Promise<{ look: Look; asOf: number }> {
	const { signal } = tools;
	const now = momentNow(tools);
	// A parked order is never sent, so any reading of this process will do.
	const enough =
		order.stage === 'parked'
			? { maxAge: Infinity }
			: { maxAge: LOOK_FRESH_MS, since: readSince(order, now) };
	const listing = await tools.list.downTo(listedSince(order, now), enough, signal);
	const look = await findBrief(tools, { ...order, ...sought }, listing, isOthers);
	return { look, asOf: listing.asOf };
}

/** Says which briefs a create without an answer may have made: none known before it was sent, or surely older. */
export function candidateFor(
	{ input, firstTried, listedBefore = [] }: OrderInDoubt,
	now: Moment,
	wasKnown: (id: string) => boolean,
): (brief: BriefSummary) => boolean {
	const first = firstTried && notAhead(firstTried, now);
	const wasThere = (brief: BriefSummary) =>
		isOlder(brief, first) || listedBefore.includes(brief.id) || wasKnown(brief.id);
	return (brief) => mayBeNamedFor(brief, input) && !wasThere(brief);
}

/** Checks by its name alone whether a brief may be what an order made: of its product, or with a name that says nothing. */
export function mayBeNamedFor(brief: BriefSummary, input: BriefInput): boolean {
	return isOfProduct(brief, input) || saysNothing(brief);
}

/** Picks the brief that an order has made from those of the list that were not there before it. */
export function lookAmong(comparisons: readonly Comparison[], order: OrderInDoubt): Look {
	const speaks = ({ created_at }: BriefSummary) => isInTime(order, instantOf(created_at));
	const candidates = comparisons
		.map((one): Comparison =>
			order.isFurther === true && !speaks(one.brief) ? { ...one, likeness: 'other' } : one,
		)
		.filter((one) => isPossible(one, order));
	return pickBrief(
		candidates,
		candidates.filter(({ brief }) => speaks(brief)),
	);
}

/**
 * Checks whether a brief may be what the order made. The service may show an input in words of its own, so a brief of
 * the order's time may be its own though it looks different, unless it names another product.
 */
function isPossible({ brief, likeness }: Comparison, { input, lastTried }: OrderInDoubt): boolean {
	if (saysNothing(brief) && 'input' in brief && showsOtherProduct(brief, input)) return false;
	if (likeness !== 'other' || lastTried === null) return true;
	return !isSurelyAfter(instantOf(brief.created_at), lastTried);
}

export interface Comparison {
	brief: BriefSummary | Brief;
	likeness: Likeness;
}

const GETS_AT_A_TIME = 8;

/**
 * Compares these briefs, by a get of each.
 * @param get gives null if the service does not know the brief
 */
export async function compareBriefs(
	candidates: readonly BriefSummary[],
	likenessTo: (brief: Brief) => Likeness,
	get: (id: string) => Promise<Brief | null>,
): Promise<Comparison[]> {
	const compare = async (candidate: BriefSummary): Promise<Comparison> => {
		const brief = await get(candidate.id);
		// It is listed, so it exists: a get may lag behind the list.
		if (brief === null) return { brief: candidate, likeness: 'maybe' };
		return { brief, likeness: likenessTo(brief) };
	};
	const comparisons: Comparison[] = [];
	for (let first = 0; first < candidates.length; first += GETS_AT_A_TIME) {
		const next = candidates.slice(first, first + GETS_AT_A_TIME);
		comparisons.push(...(await Promise.all(next.map(compare))));
	}
	return comparisons;
}

/**
 * Picks the one that is looked for from those that it may be, newest first.
 * @param inTime those for which their time speaks
 */
export function pickBrief(
	candidates: readonly Comparison[],
	inTime: readonly Comparison[] = candidates,
): Look {
	const isSame = ({ likeness }: Comparison) => likeness === 'same';
	// Several that are the same are of orders with the same content: which is whose makes no difference. Oldest first.
	const same = inTime.findLast(isSame) ?? candidates.findLast(isSame);
	if (same !== undefined) return { is: 'found', brief: same.brief };
	if (candidates.length === 0) return { is: 'nothing' };
	const ids = candidates.map(({ brief }) => brief.id);
	const only = onlyOne(inTime) ?? onlyOne(candidates);
	if (only === undefined || only.likeness === 'other') return { is: 'unclear', ids };
	return { is: 'unclear', ids, likelyBrief: only.brief };
}

function onlyOne<T>(all: readonly T[]): T | undefined {
	return all.length === 1 ? all[0] : undefined;
}
