import { isRunning, type Brief, type BriefInput, type BriefSummary } from '../api/types';
import { normalizeField, normalizeText } from '../input/content';
import { INPUT_FIELDS, type InputField } from '../input/input-fields';
import { isYoungerThanRequest } from '../workspace/brief-time';

/**
 * Searches the workspace for a brief with the content of an order. The brief list shows only product names, so briefs
 * with the same name are fetched, and their `input` is compared with the input of the order:
 *
 *     ordered   { product_name: 'Mug', audience: 'Bakers', objective: 'Sales' }
 *     shown     { product_name: 'MUG', audience: 'bakers', objective: 'Sales' }    same
 *     shown     { product_name: 'Mug', audience: 'Cooks', objective: 'Sales' }     other
 *     shown     { product_name: 'Mug', audience: 'Bakers' }                        other: no objective was submitted
 *     shown     {} or { product_name: 'Mug' }                                      hidden: it might be either
 *
 * An order that was never sent reuses an existing brief. An unconfirmed order looks for its own brief, which has the
 * same content and was created after the first request.
 */

/** How the input that a brief shows compares with the input of an order. */
type Comparison = 'same' | 'hidden' | 'other';

/** The result of a search. */
export type BriefSearch =
	/**
	 * The first candidate with this content that did not fail; the first that failed if all have failed. `failedIds` has
	 * all failed briefs with this content.
	 */
	| { kind: 'found'; brief: Brief; failedIds: string[] }
	/** No brief shows this content, but these briefs for the product do not show their input. */
	| { kind: 'undecided'; briefIds: string[] }
	/** No brief has this content. These briefs are for the same product. */
	| { kind: 'none'; sameProductIds: string[] };

/** Fetches the full brief; null if the workspace has none with this ID. */
export type GetBrief = (id: string) => Promise<Brief | null>;

/**
 * Finds a brief with the content of an order.
 * @param candidates sorted by preference
 */
export async function findExistingBrief(
	input: BriefInput,
	candidates: readonly BriefSummary[],
	getBrief: GetBrief,
): Promise<BriefSearch> {
	const name = normalizeText(input.product_name);
	const sameName = candidates.filter((brief) => normalizeText(brief.product_name) === name);
	const same: Brief[] = [];
	const hiddenIds: string[] = [];
	for (const { id } of sameName) {
		const brief = await getBrief(id);
		// The list shows the brief, so a GET that does not know it lags behind.
		const comparison = brief === null ? 'hidden' : compareInput(brief, input);
		if (brief !== null && comparison === 'same') same.push(brief);
		if (comparison === 'hidden') hiddenIds.push(id);
	}
	const failed = same.filter(({ status }) => status === 'failed');
	const brief = same.find(({ status }) => status !== 'failed') ?? failed[0];
	if (brief !== undefined) return { kind: 'found', brief, failedIds: failed.map(({ id }) => id) };
	if (hiddenIds.length > 0) return { kind: 'undecided', briefIds: hiddenIds };
	return { kind: 'none', sameProductIds: sameName.map(({ id }) => id) };
}

/**
 * Finds the brief that an unconfirmed order has created: the oldest with its content.
 * @param candidates briefs that belong to no other order, newest first
 */
export async function findOwnBrief(
	{ input, supersedes, firstSentAt }: UnconfirmedOrder,
	candidates: readonly BriefSummary[],
	getBrief: GetBrief,
): Promise<BriefSearch> {
	const younger = candidates.filter(
		(brief) => brief.id !== supersedes && isYoungerThanRequest(brief, firstSentAt),
	);
	// The oldest is the most likely, because the order's brief was created right after the first request.
	return await findExistingBrief(input, younger.toReversed(), getBrief);
}

interface UnconfirmedOrder {
	readonly input: BriefInput;
	readonly supersedes: string;
	/** When its key was first sent, by the service's clock. */
	readonly firstSentAt: number;
}

/** Compares the input of a brief with the input of an order. docs/api.md 2.2: `input` is the campaign as submitted. */
export function compareInput(brief: Pick<Brief, 'input'>, input: BriefInput): Comparison {
	const shown = readShownInput(brief.input);
	if (shown.byField.size === 0) return 'hidden';
	const comparisons = INPUT_FIELDS.map((field) =>
		compareField(field, normalizeField(field, input[field]), shown),
	);
	if (comparisons.includes('other')) return 'other';
	return comparisons.includes('hidden') ? 'hidden' : 'same';
}

/** Returns the normalized fields of an input as one text. */
export function toComparedText(input: BriefInput): string {
	return JSON.stringify(INPUT_FIELDS.map((field) => normalizeField(field, input[field])));
}

/**
 * Returns the same text for the fields that a brief shows, so that one of thousands of briefs can be looked up; null if
 * only `compareInput` can compare them, for example because a value has a name that is no field.
 */
export function toShownText({ input, product_name }: Brief): string | null {
	const shown = readShownInput(input);
	const hasSingleValues = [...shown.byField.values()].every(({ size }) => size === 1);
	if (!showsMoreThanName(shown) || shown.unnamedValues.size > 0 || !hasSingleValues) return null;
	const name = normalizeText(product_name);
	const texts = INPUT_FIELDS.map((field) => {
		const [text = field === 'product_name' ? name : ''] = shown.byField.get(field) ?? [];
		return text;
	});
	return JSON.stringify(texts);
}

function compareField(field: InputField, ordered: string, shown: ShownInput): Comparison {
	const values = shown.byField.get(field);
	if (ordered === '') return values === undefined ? 'same' : 'other';
	if (values !== undefined) return values.has(ordered) ? 'same' : 'other';
	// Every brief shows the name of its product. A value under an unknown field name counts as shown.
	if (field === 'product_name' || shown.unnamedValues.has(ordered)) return 'same';
	// A service that shows one field of the input shows all of them, so this field was not submitted.
	return showsMoreThanName(shown) ? 'other' : 'hidden';
}

function showsMoreThanName({ byField }: ShownInput): boolean {
	return [...byField.keys()].some((field) => field !== 'product_name');
}

interface ShownInput {
	readonly byField: ReadonlyMap<InputField, ReadonlySet<string>>;
	/** Values under names that are no field of the input. */
	readonly unnamedValues: ReadonlySet<string>;
}

/** Reads the values of a free-form input by field, at any depth and with any spelling of the field names. */
function readShownInput(input: unknown): ShownInput {
	const byField = new Map<InputField, Set<string>>();
	const unnamedValues = new Set<string>();
	const visit = (value: unknown, field: InputField | null): void => {
		if (value === null || value === undefined || value === '') return;
		const isArrayOfTexts = Array.isArray(value) && value.every((item) => typeof item !== 'object');
		if (typeof value === 'object' && !isArrayOfTexts) {
			for (const [name, inner] of Object.entries(value)) visit(inner, findField(name) ?? field);
			return;
		}
		const text = normalizeField(field, value);
		if (field === null) unnamedValues.add(text);
		else if (text !== '') byField.set(field, (byField.get(field) ?? new Set()).add(text));
	};
	visit(input, null);
	return { byField, unnamedValues };
}

const FIELDS_BY_NAME = new Map(INPUT_FIELDS.map((field) => [keepLettersAndDigits(field), field]));

function findField(name: string): InputField | undefined {
	return FIELDS_BY_NAME.get(keepLettersAndDigits(name));
}

function keepLettersAndDigits(text: string): string {
	return normalizeText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns a `GetBrief` that fetches each finished brief only once, also for callers at the same time. Running briefs are
 * fetched again.
 */
export function fetchOnce(getBrief: GetBrief): GetBrief {
	const requests = new Map<string, Promise<Brief | null>>();
	const fetchBrief = async (id: string) => {
		let brief: Brief | null = null;
		try {
			brief = await getBrief(id);
			return brief;
		} finally {
			if (brief === null || isRunning(brief)) requests.delete(id);
		}
	};
	return (id) => {
		const request = requests.get(id) ?? fetchBrief(id);
		requests.set(id, request);
		return request;
	};
}
