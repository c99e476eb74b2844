import type { Brief, BriefInput, BriefSummary } from '../api/types';
import { normalizeField, normalizeText } from '../input/content';
import { INPUT_FIELDS } from '../input/input-fields';
import { readShownInput, showsMoreThanName, type ShownInput } from '../input/shown-input';
import type { BriefDetails } from '../workspace/brief-details';
import type { ListSnapshot } from '../workspace/brief-list';
import type { InputDisplay } from '../workspace/input-display';

/** The orders of the caller that have briefs. */
export interface BriefOwners {
	/** Returns the order whose own the brief is; null if the caller has none. */
	findOwner(briefId: string): BriefOwner | null;
	/** Returns the own briefs of the orders of a content, also those that the list does not show. */
	listOwnBriefs(contentId: string): readonly BriefSummary[];
	/** Returns when the order that has paid for the brief was last sent, by the service's clock; null if there is none. */
	findLastRequest(briefId: string): number | null;
	/** True if the user was told that the brief is late or missing. */
	isGivenUp(briefId: string): boolean;
}

export interface BriefOwner {
	readonly contentId: string;
	readonly key: string;
}

/** What a decision needs to know, and how it is learned. */
export interface FactSources {
	readonly list: ListSnapshot;
	readonly owners: BriefOwners;
	readonly details: BriefDetails;
	readonly display: InputDisplay;
	/** The service's clock. */
	readonly now: number;
}

/** What an order needs to be decided. */
interface Wanted {
	readonly input: BriefInput;
	/** Briefs that need no comparison. */
	readonly shown?: readonly string[];
}

/**
 * What is known when orders are decided: a complete brief list, the inputs that its briefs show, and the caller's own
 * orders. The list shows only the names of products, so the briefs of a product are fetched:
 *
 *     const facts = await readFacts([order], sources);
 *     decideOrder({ order, … }, facts)
 */
export class Facts {
	private readonly products = new Map<string, ProductBriefs>();
	private readonly noBriefs: ProductBriefs;

	constructor(private readonly sources: FactSources) {
		this.noBriefs = new ProductBriefs([], sources);
	}

	/** The service's clock. */
	get now(): number {
		return this.sources.now;
	}

	/** When the newest page of the list was requested, by the service's clock. */
	get readAt(): number {
		return this.sources.list.readAt;
	}

	get owners(): BriefOwners {
		return this.sources.owners;
	}

	get display(): InputDisplay {
		return this.sources.display;
	}

	/** Returns the listed briefs of a product. */
	findProduct({ product_name }: BriefInput): ProductBriefs {
		const name = normalizeText(product_name);
		const known = this.products.get(name);
		if (known !== undefined) return known;
		const listed = this.sources.list.findByName(name);
		// Nearly all products of a large CSV are new.
		if (listed.length === 0) return this.noBriefs;
		const product = new ProductBriefs(listed, this.sources);
		this.products.set(name, product);
		return product;
	}

	/** Returns the full brief; null if it is listed and cannot be fetched. */
	findDetails(briefId: string): Brief | null {
		return this.sources.details.get(briefId);
	}

	/** Returns a brief with its newest status. */
	findNewest(brief: BriefSummary): BriefSummary {
		return this.sources.list.find(brief.id) ?? brief;
	}
}

/**
 * Fetches the briefs that have to be compared, and returns the facts.
 * @throws {ServiceError} if a brief cannot be fetched
 */
export async function readFacts(wanted: Iterable<Wanted>, sources: FactSources): Promise<Facts> {
	const { list, owners, details } = sources;
	const ids = new Set<string>();
	for (const { input, shown = [] } of wanted) {
		const listed = list.findByName(normalizeText(input.product_name));
		if (listed.length === 0) continue;
		const known = new Set(shown);
		for (const { id } of listed) if (!known.has(id) && owners.findOwner(id) === null) ids.add(id);
	}
	await details.fetch([...ids]);
	return new Facts(sources);
}

/**
 * The listed briefs of one product, by the input that they show. Comparing each row with each brief would take minutes
 * for thousands of rows and briefs of one product.
 */
export class ProductBriefs {
	private readonly byText = new Map<string, BriefSummary[]>();
	/** Briefs that have to be compared field by field. */
	private readonly unclear: BriefSummary[] = [];
	private readonly inputs = new Map<string, ShownInput>();

	constructor(
		readonly all: readonly BriefSummary[],
		{ details, display, owners }: FactSources,
	) {
		for (const brief of all) {
			// The orders know the content of their own briefs.
			if (owners.findOwner(brief.id) !== null) continue;
			const full = details.get(brief.id);
			const shown = full === null ? null : readShownInput(full.input);
			if (shown !== null) this.inputs.set(brief.id, shown);
			const text = shown === null || display.rewritesFields ? null : toShownText(shown, brief);
			if (text === null) this.unclear.push(brief);
			else this.byText.set(text, [...(this.byText.get(text) ?? []), brief]);
		}
	}

	/** Returns the briefs of other processes that show this input or that have to be compared. */
	findCandidates(input: BriefInput): readonly BriefSummary[] {
		if (this.all.length === 0) return [];
		return [...(this.byText.get(toComparedText(input)) ?? []), ...this.unclear];
	}

	/** Returns what a brief shows of its input; null if it was not fetched. */
	getShownInput(briefId: string): ShownInput | null {
		return this.inputs.get(briefId) ?? null;
	}
}

/** Returns the normalized fields of an input as one text. */
function toComparedText(input: BriefInput): string {
	return JSON.stringify(INPUT_FIELDS.map((field) => normalizeField(field, input[field])));
}

/**
 * Returns the text of `toComparedText` for a brief that shows all fields of its input under their own names. Returns null
 * if the fields have to be compared one by one.
 */
function toShownText(shown: ShownInput, { product_name }: BriefSummary): string | null {
	const hasSingleValues = [...shown.byField.values()].every(({ size }) => size === 1);
	if (!showsMoreThanName(shown) || shown.unnamedValues.size > 0 || !hasSingleValues) return null;
	const texts = INPUT_FIELDS.map((field) => {
		const name = field === 'product_name' ? normalizeText(product_name) : '';
		const [text = name] = shown.byField.get(field) ?? [];
		return text;
	});
	return JSON.stringify(texts);
}
