import type { BriefInput, BriefSummary } from '../../core/api/types';
import {
	findExistingBrief,
	type BriefSearch,
	type GetBrief,
} from '../../core/orders/existing-briefs';
import { hasPaid } from '../orders/order';
import type { Orders } from '../orders/orders';

/** The briefs that the workspace lists, newest first, and a way to fetch them. */
export interface ListedBriefs {
	readonly briefs: readonly BriefSummary[];
	readonly getBrief: GetBrief;
}

/**
 * Finds the brief that a row can use at no cost. A brief that no order of the folder has can also be undecided. A brief that an
 * order with other content uses without having paid for it, because of --use-brief, counts too: the order for the row might
 * have created it.
 */
export async function findReusableBrief(
	input: BriefInput,
	orders: Orders,
	{ briefs, getBrief }: ListedBriefs,
): Promise<BriefSearch> {
	const found = await findExistingBrief(input, findUnclaimed(orders, briefs), getBrief);
	if (found.kind === 'found') return found;
	const borrowed = await findExistingBrief(input, findBorrowed(orders, briefs), getBrief);
	return borrowed.kind === 'none' || found.kind === 'undecided' ? found : borrowed;
}

/** Returns the briefs that belong to no order of the folder. */
export function findUnclaimed(orders: Orders, briefs: readonly BriefSummary[]): BriefSummary[] {
	return briefs.filter(({ id }) => orders.findByBrief(id) === undefined);
}

/** Returns the briefs that orders of the folder use without having paid for them. */
function findBorrowed(orders: Orders, briefs: readonly BriefSummary[]): BriefSummary[] {
	return briefs.filter(({ id }) => {
		const owner = orders.findByBrief(id);
		return owner !== undefined && !hasPaid(owner);
	});
}
