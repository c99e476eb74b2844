import type { BriefInput, BriefSummary } from '../api/types';
import { DAY_MS } from '../assumptions';
import { normalizeField } from '../input/content';
import { INPUT_FIELDS, type InputField } from '../input/input-fields';
import { showsMoreThanName, type ShownInput } from '../input/shown-input';
import { compareNewest, isOlderThan } from '../workspace/brief-time';
import type { InputDisplay } from '../workspace/input-display';
import type { Facts } from './facts';
import { isUnconfirmed, type Content, type OrderToSend } from './order';

/**
 * Compares listed briefs with an order, and finds the order's own brief or a brief to reuse. What the service shows of
 * an input is open, so a comparison has three results:
 *
 *     ordered   { product_name: 'Mug', audience: 'Bakers', objective: 'Sales' }
 *     shown     { product_name: 'MUG', audience: 'bakers', objective: 'Sales' }    same
 *     shown     { product_name: 'Mug', audience: 'Cooks', objective: 'Sales' }     other
 *     shown     { product_name: 'Mug', audience: 'Bakers' }                        other: no objective was submitted
 *     shown     {}                                                                 hidden: the user decides
 */
export type Comparison = 'same' | 'hidden' | 'other';

/** Compares a brief of the product with a content. A brief that an order of the caller owns has the order's content. */
export function compareBrief({ id }: BriefSummary, content: Content, facts: Facts): Comparison {
	const owner = facts.owners.findOwner(id);
	if (owner !== null) return owner.contentId === content.contentId ? 'same' : 'other';
	const { input } = content;
	const shown = facts.findProduct(input).getShownInput(id);
	// The list shows the brief, so a GET that does not know it lags behind.
	return shown === null ? 'hidden' : compareInput(shown, input, facts.display);
}

/** Compares the input that a brief shows with the input of an order. Every brief shows the name of its product. */
export function compareInput(
	shown: ShownInput,
	input: BriefInput,
	display: InputDisplay,
): Comparison {
	if (shown.byField.size === 0 && shown.unnamedValues.size === 0) return 'hidden';
	const found = new Set(INPUT_FIELDS.map((field) => compareField(field, input, shown, display)));
	const hasUnknownText = shown.unnamedValues.size > 0;
	if (found.has('other')) return 'other';
	if (found.has('unclear')) return 'hidden';
	if (!found.has('missing')) return isNameOnly(input) && hasUnknownText ? 'hidden' : 'same';
	// A service that shows one field of an input shows all of them, so this field was not submitted.
	const isShownWhole = showsMoreThanName(shown) || display.showsFields;
	return isShownWhole && !hasUnknownText ? 'other' : 'hidden';
}

function compareField(
	field: InputField,
	input: BriefInput,
	{ byField, unnamedValues }: ShownInput,
	display: InputDisplay,
): 'same' | 'missing' | 'unclear' | 'other' {
	const wanted = normalizeField(field, input[field]);
	const values = byField.get(field);
	const isShown = values === undefined ? unnamedValues.has(wanted) : values.has(wanted);
	if (isShown || (values === undefined && (wanted === '' || field === 'product_name')))
		return 'same';
	if (display.isRewritten(field)) return 'unclear';
	return values === undefined ? 'missing' : 'other';
}

/**
 * True if nothing but its name says that a brief has this content. A row can use such a brief. It proves no ownership,
 * because the brief can belong to another order of the product.
 */
export function isFoundByName({ input }: Content, facts: Facts): boolean {
	return !facts.display.showsFields && isNameOnly(input);
}

function isNameOnly(input: BriefInput): boolean {
	return INPUT_FIELDS.every(
		(field) => field === 'product_name' || normalizeField(field, input[field]) === '',
	);
}

/** Returns the briefs of a content, newest first. */
export function findContentBriefs(content: Content, facts: Facts): BriefSummary[] {
	const own = facts.owners.listOwnBriefs(content.contentId).map((brief) => facts.findNewest(brief));
	const listed = facts
		.findProduct(content.input)
		.findCandidates(content.input)
		.filter((brief) => compareBrief(brief, content, facts) === 'same');
	if (own.length + listed.length === 0) return [];
	const unique = new Map([...own, ...listed].map((brief) => [brief.id, brief]));
	return [...unique.values()].sort(compareNewest);
}

/** Failed briefs count as attempts for this long. */
const ATTEMPT_WINDOW_MS = 90 * DAY_MS;

/** Returns how many briefs of a content have failed, as far as the orders of the caller and the list know. */
export function countFailedBriefs(content: Content, facts: Facts): number {
	const failed = findContentBriefs(content, facts).filter(({ status }) => status === 'failed');
	return failed.filter((brief) => !isOlderThan(brief, ATTEMPT_WINDOW_MS, facts.now)).length;
}

/**
 * Finds the brief that an unconfirmed order has created, or that makes a draft unnecessary: a brief of its content that
 * was not listed when the order was decided. Prefers a brief that did not fail, then the exact body, then the oldest,
 * because an own brief was created right after the first request.
 */
export function findOwnBrief(order: OrderToSend, facts: Facts): BriefSummary | null {
	const rank = (brief: BriefSummary) =>
		(brief.status === 'failed' ? 2 : 0) + (isExactBody(brief, order, facts) ? 0 : 1);
	const candidates = findContentBriefs(order, facts)
		.filter(({ id }) => !order.shown.includes(id))
		.reverse();
	return candidates.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** Finds the briefs that nothing tells apart from the order's own: the user decides. */
export function findUndecidedBriefs(order: OrderToSend, facts: Facts): readonly BriefSummary[] {
	const product = facts.findProduct(order.input);
	// The service can rewrite inputs, so an order that was sent trusts no comparison.
	const isCandidate = isUnconfirmed(order)
		? ({ id }: BriefSummary) => (facts.owners.findOwner(id)?.key ?? order.key) === order.key
		: (brief: BriefSummary) => compareBrief(brief, order, facts) === 'hidden';
	const briefs = isUnconfirmed(order) ? product.all : product.findCandidates(order.input);
	return briefs.filter((brief) => !order.shown.includes(brief.id) && isCandidate(brief));
}

/** Returns the listed briefs of the product, without those that orders of other content have paid for. */
export function findProductBriefs(content: Content, facts: Facts): string[] {
	const isOfOther = (id: string) => {
		const owner = facts.owners.findOwner(id);
		return owner !== null && owner.contentId !== content.contentId;
	};
	return facts
		.findProduct(content.input)
		.all.map(({ id }) => id)
		.filter((id) => !isOfOther(id));
}

function isExactBody({ id }: BriefSummary, { input }: Content, facts: Facts): boolean {
	const shown = facts.findDetails(id)?.input;
	if (shown === undefined) return false;
	return Object.entries(input).every(
		([field, value]) => JSON.stringify(shown[field]) === JSON.stringify(value),
	);
}
