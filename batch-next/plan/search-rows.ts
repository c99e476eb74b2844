import type { BriefSummary } from '../../core/api/types';
import { normalizeText } from '../../core/input/content';
import type { BriefSearch } from '../../core/orders/existing-briefs';
import { isOutdated, isYoungerThanRequest } from '../../core/workspace/brief-time';
import { addTo } from '../collections';
import { isUnconfirmed } from '../orders/order';
import type { Orders } from '../orders/orders';
import { findReusableBrief, type ListedBriefs } from '../workspace/find-reusable-brief';
import type { PlannedRow, RowAction } from './planned-row';

/** What the workspace has for the content of a row. */
export type RowSearch =
	| BriefSearch
	/**
	 * These briefs do not show their input, and each could belong to an order that this run sends again. The search is repeated
	 * after that, before the row is ordered.
	 */
	| { readonly kind: 'possibly_own'; readonly briefIds: readonly string[] };

/** Searches the workspace for the content of each row that would be ordered. Returns the results by content. */
export async function searchRows(
	planned: readonly PlannedRow[],
	orders: Orders,
	{ now, briefs, getBrief }: ListedBriefs & { readonly now: number },
): Promise<ReadonlyMap<string, RowSearch>> {
	const byName = new Map<string, BriefSummary[]>();
	for (const brief of briefs) {
		if (isOutdated(brief, now)) continue;
		addTo(byName, normalizeText(brief.product_name), brief);
	}
	const firstSentAt = findResentProducts(planned);
	const searches = new Map<string, RowSearch>();
	for (const { row, action } of planned) {
		if (!couldReuseBrief(action)) continue;
		const name = normalizeText(row.input.product_name);
		const sameName = byName.get(name) ?? [];
		const found = await findReusableBrief(row.input, orders, { briefs: sameName, getBrief });
		const isOwn = arePossiblyOwn(found, sameName, firstSentAt.get(name));
		searches.set(row.contentId, isOwn ? { ...found, kind: 'possibly_own' } : found);
	}
	return removeReused(searches);
}

/** True if a brief of the workspace would change what the run does with the row. */
function couldReuseBrief(action: RowAction): boolean {
	if (action.kind !== 'leave') return action.kind === 'order';
	return action.reason === 'hidden_input' || action.reason === 'damaged';
}

/** Returns when the orders that this run sends again were first sent, by product name. */
function findResentProducts(planned: readonly PlannedRow[]): ReadonlyMap<string, number> {
	const firstSentAt = new Map<string, number>();
	for (const { match, action } of planned) {
		if (action.kind !== 'resend' || match.kind === 'new' || !isUnconfirmed(match.order)) continue;
		const { input, state } = match.order;
		const name = normalizeText(input.product_name);
		firstSentAt.set(name, Math.min(state.firstSentAt, firstSentAt.get(name) ?? Infinity));
	}
	return firstSentAt;
}

function arePossiblyOwn(
	found: BriefSearch,
	sameName: readonly BriefSummary[],
	firstSentAt: number | undefined,
): found is Extract<BriefSearch, { kind: 'undecided' }> {
	if (found.kind !== 'undecided' || firstSentAt === undefined) return false;
	const hidden = sameName.filter(({ id }) => found.briefIds.includes(id));
	return hidden.every((brief) => isYoungerThanRequest(brief, firstSentAt));
}

/** A brief that one row reuses does not count as another brief for the product of another row. */
function removeReused(searches: ReadonlyMap<string, RowSearch>): Map<string, RowSearch> {
	const reused = new Set(
		[...searches.values()].flatMap((found) => (found.kind === 'found' ? [found.brief.id] : [])),
	);
	return new Map(
		[...searches].map(([contentId, found]): [string, RowSearch] => {
			if (found.kind !== 'none') return [contentId, found];
			const sameProductIds = found.sameProductIds.filter((id) => !reused.has(id));
			return [contentId, { kind: 'none', sameProductIds }];
		}),
	);
}
