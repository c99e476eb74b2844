import { listedSince, findBrief } from '../../../service/order/find-brief';
import { readSince } from '../../../service/order/ages';
import type { Look } from '../../../service/order/shell';
import type { OrderState } from '../../../service/order/states';
import type { BriefInput } from '../../../service/resources';
import type { Dependencies } from '../dependencies';
import type { RowOrder } from '../../plan/row-order';

interface Found {
	look: Look;
	/** When the list was read, by the service's clock. */
	asOf: number;
}

/** Looks in the list for the brief that a create without an answer may have made. */
export async function lookForSent(
	order: RowOrder,
	input: BriefInput,
	state: OrderState,
	run: Dependencies,
): Promise<Found> {
	const { service, claims, list, interval, waiting } = run;
	const now = service.now();
	const firstTried = state.firstTried ?? now;
	// What is parked is not sent, whatever the look shows: for that, any reading of this run will do.
	const enough =
		state.stage === 'parked'
			? { maxAge: Infinity }
			: { maxAge: interval.shortest, since: readSince(state, now) };
	const listing = await list.downTo(listedSince(firstTried), enough, waiting);
	const isOwned = (id: string) => run.journal.records.owns(id);
	const look = await findBrief(run, { input, firstTried }, listing, isOwned, waiting);
	return { look: claims.withoutThoseOfOthers(look, order), asOf: listing.asOf };
}

/** Looks for a brief of the same content that was there before the order was ever sent, and takes it. */
export async function lookForListed(
	order: RowOrder,
	input: BriefInput,
	{ claims, listed }: Pick<Dependencies, 'claims' | 'listed'>,
): Promise<Found> {
	for (;;) {
		const look = claims.withoutThoseOfOthers(await listed.find(input), order);
		// Another row of the same content may have taken it meanwhile.
		if (look.is !== 'found' || claims.take(look.brief.id, order.key))
			return { look, asOf: listed.asOf };
	}
}
