import type { BriefInput, BriefSummary } from '../../core/api/types';
import { normalizeText } from '../../core/input/content';
import {
	toComparedText,
	toShownText,
	type BriefSearch,
	type GetBrief,
} from '../../core/orders/existing-briefs';
import { isOutdated, isYoungerThanRequest } from '../../core/workspace/brief-time';
import { addTo, groupBy } from '../collections';
import { isUnconfirmed } from '../orders/order';
import type { Orders } from '../orders/orders';
import {
	findReusableBrief,
	findUnclaimed,
	type ListedBriefs,
} from '../workspace/find-reusable-brief';
import type { PlannedRow, RowAction } from './planned-row';

/** The briefs of the workspace for the content of a row. */
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
	const current = briefs.filter((brief) => !isOutdated(brief, now));
	const briefsByName = groupBy(current, ({ product_name }) => normalizeText(product_name));
	const products = new Map<string, ProductBriefs>();
	const firstSentAt = findResentProducts(planned);
	const searches = new Map<string, RowSearch>();
	for (const { row, action } of planned) {
		if (!couldReuseBrief(action)) continue;
		const name = normalizeText(row.input.product_name);
		const sameName = briefsByName.get(name) ?? [];
		const product = products.get(name) ?? (await ProductBriefs.read(sameName, orders, getBrief));
		products.set(name, product);
		const candidates = product.findCandidates(row.input);
		const found = await findReusableBrief(row.input, orders, { briefs: candidates, getBrief });
		const isOwn = arePossiblyOwn(found, sameName, firstSentAt.get(name));
		const result = found.kind === 'none' ? product.none : found;
		searches.set(row.contentId, isOwn ? { ...found, kind: 'possibly_own' } : result);
	}
	return removeReused(searches);
}

/**
 * The briefs for one product, by the content that they show. Comparing each row with each brief would take minutes for
 * thousands of rows and briefs of one product.
 */
class ProductBriefs {
	private readonly byText = new Map<string | null, BriefSummary[]>();
	private readonly positions = new Map<BriefSummary, number>();

	/** @param none the result for a row whose content no brief has */
	private constructor(readonly none: Extract<BriefSearch, { kind: 'none' }>) {}

	static async read(
		briefs: readonly BriefSummary[],
		orders: Orders,
		getBrief: GetBrief,
	): Promise<ProductBriefs> {
		const sameProductIds = findUnclaimed(orders, briefs).map(({ id }) => id);
		const product = new ProductBriefs({ kind: 'none', sameProductIds });
		for (const brief of briefs) {
			const full = await getBrief(brief.id);
			addTo(product.byText, full === null ? null : toShownText(full), brief);
			product.positions.set(brief, product.positions.size);
		}
		return product;
	}

	/** Returns the briefs that show this content or that have to be compared, newest first. */
	findCandidates(input: BriefInput): BriefSummary[] {
		const same = this.byText.get(toComparedText(input)) ?? [];
		const unclear = this.byText.get(null) ?? [];
		const getPosition = (brief: BriefSummary) => this.positions.get(brief) ?? 0;
		return [...same, ...unclear].sort((a, b) => getPosition(a) - getPosition(b));
	}
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
	const removed = new Map<RowSearch, RowSearch>();
	for (const found of new Set(searches.values())) {
		if (found.kind !== 'none') continue;
		const sameProductIds = found.sameProductIds.filter((id) => !reused.has(id));
		removed.set(found, { kind: 'none', sameProductIds });
	}
	return new Map([...searches].map(([id, found]) => [id, removed.get(found) ?? found]));
}
