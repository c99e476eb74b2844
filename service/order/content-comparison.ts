import { INPUT_FIELDS, type InputField } from '../input/input';
import { asUri, linksOf } from '../input/links';
import { spelling } from '../input/spelling';
import type { Brief, BriefInput, BriefSummary } from '../api/resources';
import { isOfOtherProduct, letters, plainText, type Likeness } from './likeness';

/** How a brief shows a field otherwise than an order has it: another value or none, or a value that was not ordered. */
type Difference = 'otherwise' | 'added';

/**
 * Says whether a listed brief was made from a content. docs/api.md section 2.2: name and input are shown as submitted, so
 * the comparison is exact but for the spelling (service/input/spelling.ts). Example: the facts “SPF 50” are wanted. A brief
 * with the facts “spf  50” is the same, one with “SPF 50. Vegan.” or without facts is another, and one that shows nothing
 * of its input may be the same.
 *
 * A service may show an input otherwise. The answers to own creates say in which fields: these do not decide any more.
 */
export class ContentComparison {
	/** The fields that an answer has shown otherwise than they were sent. */
	private readonly alteredFields = new Set<InputField>();
	/** The values that an answer has shown although none was sent, by field. */
	private readonly addedValues = new Map<InputField, Set<string>>();
	/** How many differences were learnt. With a new one, what was compared before is compared again. */
	lessons = 0;

	/** Learns from the answer to the create of a content. */
	learn(answer: Brief, input: BriefInput): void {
		const shownValues = new ShownValues(answer);
		for (const [field, difference] of this.differences(shownValues, input)) {
			const isNews = difference === 'added' || !this.alteredFields.has(field);
			if (difference === 'otherwise') this.alteredFields.add(field);
			else this.addedValues.set(field, new Set([...this.added(field), ...shownValues.of(field)]));
			if (isNews) this.lessons += 1;
		}
	}

	/** Set if names are shown otherwise than they were sent, so that a brief of a content may have another name. */
	get areNamesAltered(): boolean {
		return this.alteredFields.has('product_name');
	}

	/** Checks by its name alone whether a brief may be of a content. */
	mayBeOf(input: BriefInput, brief: Pick<BriefSummary, 'product_name'>): boolean {
		const isNamed = spelling(brief.product_name) === spelling(input.product_name);
		return isNamed || (this.areNamesAltered && !isOfOtherProduct(brief, input));
	}

	/** Compares a whole brief. It is `maybe` if it does not show enough. */
	likenessOf(brief: Brief, input: BriefInput): Likeness {
		const shownValues = new ShownValues(brief);
		if (!this.mayBeOf(input, brief)) return 'other';
		if (!shownValues.isAnyOf(input)) return 'maybe';
		const differences = this.differences(shownValues, input);
		if (differences.length === 0) return 'same';
		return differences.every((one) => this.isUsual(...one)) ? 'maybe' : 'other';
	}

	private differences(
		shownValues: ShownValues,
		input: BriefInput,
	): Array<[InputField, Difference]> {
		return INPUT_FIELDS.flatMap((field) => {
			const difference = shownValues.differenceFrom(input, field);
			const isKnown = [...shownValues.of(field)].every((value) => this.added(field).has(value));
			return difference === null || (difference === 'added' && isKnown)
				? []
				: [[field, difference]];
		});
	}

	/** Checks whether the service is known to show this field so, whatever was sent. */
	private isUsual(field: InputField, difference: Difference): boolean {
		return this.alteredFields.has(field) || (difference === 'added' && this.addedValues.has(field));
	}

	private added(field: InputField): ReadonlySet<string> {
		return this.addedValues.get(field) ?? new Set();
	}
}

/** Says whether a brief is of another product than a content: by its name, or by another product ID; null if not. */
export function otherProductOf(
	brief: Brief,
	{ product_name, product_id }: BriefInput,
): { product_id?: string } | null {
	if (spelling(brief.product_name) !== spelling(product_name)) return {};
	const shownIds = new ShownValues(brief).of('product_id');
	const [shownId] = shownIds;
	if (product_id === undefined || shownId === undefined || shownIds.has(product_id)) return null;
	return { product_id: shownId };
}

/** Gives the fields that a brief shows otherwise than a content has them; null if it shows nothing of its input. */
export function fieldsOtherwise(
	brief: BriefSummary & { input?: unknown },
	input: BriefInput,
): InputField[] | null {
	const shownValues = new ShownValues(brief);
	if (!shownValues.isAnyOf(input)) return null;
	return INPUT_FIELDS.filter((field) => shownValues.differenceFrom(input, field) !== null);
}

const FIELD_OF_LETTERS = new Map(INPUT_FIELDS.map((field) => [letters(field), field]));

/** The values that a brief shows of the fields of docs/api.md section 4.3, at any depth and in any spelling of their names. */
class ShownValues {
	private readonly byField = new Map<InputField, Set<string>>();
	/** All that it shows, under whatever name. */
	private readonly values: unknown[] = [];

	constructor(private readonly brief: BriefSummary & { input?: unknown }) {
		const unread: Array<[value: unknown, field: InputField | undefined]> = [
			[brief.input, undefined],
		];
		for (let next = unread.pop(); next !== undefined; next = unread.pop()) {
			const [value, field] = next;
			if (plainText(value) !== undefined) this.add(value, field);
			else if (typeof value === 'object' && value !== null)
				for (const [name, inner] of Object.entries(value))
					unread.push([inner, FIELD_OF_LETTERS.get(letters(name)) ?? field]);
		}
	}

	private add(value: unknown, field: InputField | undefined): void {
		this.values.push(value);
		if (field === undefined) return;
		const texts = this.byField.get(field) ?? new Set();
		this.byField.set(field, texts.add(comparable(field, value)));
	}

	of(field: InputField): ReadonlySet<string> {
		return this.byField.get(field) ?? new Set();
	}

	/** Checks whether it shows one of the fields, even the name alone. */
	isAnyOf(input: BriefInput): boolean {
		return this.byField.size > 0 || INPUT_FIELDS.some((field) => this.isSomewhere(input, field));
	}

	/** Says how it shows a field otherwise than it was ordered; null if it does not. */
	differenceFrom(input: BriefInput, field: InputField): Difference | null {
		// A brief shows its name in a field of its own.
		if (field === 'product_name') {
			const isSame = spelling(this.brief.product_name) === spelling(input.product_name);
			return isSame ? null : 'otherwise';
		}
		const values = this.of(field);
		const orderedValue = input[field];
		if (orderedValue === undefined) return values.size === 0 ? null : 'added';
		const isShown =
			values.size === 0
				? this.isSomewhere(input, field)
				: values.has(comparable(field, orderedValue));
		return isShown ? null : 'otherwise';
	}

	/** Checks whether it shows the ordered value of a field, under whatever name. */
	private isSomewhere(input: BriefInput, field: InputField): boolean {
		const orderedValue = input[field];
		if (orderedValue === undefined) return false;
		return this.values.some(
			(value) => comparable(field, value) === comparable(field, orderedValue),
		);
	}
}

/** Gives a value as it is compared: links as they are sent, in any order, and texts in any spelling. */
function comparable(field: InputField, value: unknown): string {
	const text = plainText(value) ?? '';
	if (field !== 'reference_urls') return text;
	const links = linksOf(text).map((link) => (URL.canParse(link) ? asUri(link) : link));
	return [...new Set(links)].sort().join('\n');
}
