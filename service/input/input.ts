import {
	PRODUCT_ID_PATTERN,
	PRODUCT_NAME_LENGTH,
	REFERENCE_URLS_MAX,
	TEXT_MAX_LENGTH,
} from '../api/limits';
import { linksOf, publicUrlProblem } from './links';
import { tidy } from './spelling';
import {
	isNothing,
	quoteText,
	unusableProductName,
	unusableText,
	type TextProblem,
} from './unusable-text';
import type { BriefInput } from '../api/resources';
import { isRounded, roundedProblem } from './rounded-id';

export const INPUT_FIELDS = [
	'product_name',
	'product_id',
	'audience',
	'objective',
	'approved_facts',
	'campaign_terms',
	'creative_direction',
	'reference_urls',
] as const satisfies ReadonlyArray<keyof BriefInput>;

const TEXT_FIELDS = Object.keys(TEXT_MAX_LENGTH) as Array<keyof typeof TEXT_MAX_LENGTH>;

export type InputField = (typeof INPUT_FIELDS)[number];

export type ByField = Readonly<Partial<Record<InputField, string>>>;

interface InputProblem extends TextProblem {
	field: InputField;
}

export interface CheckedInput {
	/** The order to send. Only meaningful without problems. */
	input: BriefInput;
	/** Everything that docs/api.md section 4.3 would refuse, in the order of the fields. */
	problems: InputProblem[];
	/** The optional fields with a word for nothing, such as n/a. They count as empty. */
	emptied: InputField[];
}

/**
 * Checks the fields of an order. Texts are tidied, except the campaign terms, which the service adds to the brief as
 * written. Empty fields are left out, and numbers become text.
 */
export function checkInput(
	fieldsGiven: Readonly<Partial<Record<InputField, unknown>>>,
): CheckedInput {
	const problems: InputProblem[] = [];
	const emptied: InputField[] = [];
	const fields = { ...fieldsGiven };
	for (const field of INPUT_FIELDS) {
		const value = fields[field];
		if (field === 'product_name' || typeof value !== 'string' || !isNothing(value)) continue;
		emptied.push(field);
		fields[field] = '';
	}
	const report = (field: InputField, fieldProblems: readonly TextProblem[]) => {
		for (const problem of fieldProblems) problems.push({ field, ...problem });
	};

	const name = asText(fields.product_name);
	const input: BriefInput = { product_name: name ?? '' };
	const id = asProductId(fields.product_id);
	report('product_name', nameProblems(fields.product_name, typeof id === 'string' && id !== ''));

	if (typeof id !== 'string') report('product_id', [id]);
	else if (id !== '') input.product_id = id;

	for (const field of TEXT_FIELDS) {
		const text = asText(fields[field]);
		const fieldProblems = textProblems(text, TEXT_MAX_LENGTH[field]);
		report(field, fieldProblems);
		if (fieldProblems.length === 0 && text !== null && text !== '') input[field] = text;
	}
	const { campaign_terms: terms } = fields;
	const isKept = typeof terms === 'string' && !isTooLong(terms, TEXT_MAX_LENGTH.campaign_terms);
	if (input.campaign_terms !== undefined && isKept) input.campaign_terms = terms;

	const { links, problems: linkProblems } = asLinks(fields.reference_urls);
	report('reference_urls', linkProblems);
	if (links.length > 0) input.reference_urls = links;
	return { input, problems, emptied };
}

function nameProblems(value: unknown, isKnown: boolean): TextProblem[] {
	const name = asText(value);
	const { min, max } = PRODUCT_NAME_LENGTH;
	const giveIt = 'Give the product’s name or its marketplace link.';
	if (name === null) return [{ what: 'is not text', cure: giveIt }];
	if (name === '') {
		const hasMarks = typeof value === 'string' && value.trim() !== '';
		const what = hasMarks ? `is ${quoteText(value)}, which names nothing` : 'is missing';
		return [{ what, cure: giveIt }];
	}
	if (name.length < 2 * min && codePoints(name) < min) {
		return [{ what: 'is too short', cure: `It takes ${min} to ${max} characters.` }];
	}
	if (isTooLong(name, max)) return [tooLong(name, max)];
	const none = unusableProductName(name, isKnown);
	return none === null ? [] : [none];
}

function textProblems(text: string | null, max: number): TextProblem[] {
	if (text === null) return [{ what: 'is not text', cure: 'Give it as text.' }];
	if (isTooLong(text, max)) return [tooLong(text, max)];
	const none = unusableText(text);
	return none === null ? [] : [none];
}

/** Checks the length. A text has at most as many code points as UTF-16 units, so most texts need no counting. */
function isTooLong(text: string, max: number): boolean {
	return text.length > max && codePoints(text) > max;
}

function tooLong(text: string, max: number): TextProblem {
	const what = `has ${codePoints(text)} characters, at most ${max}`;
	return { what, cure: `Shorten it to ${max} characters.` };
}

/** Checks a product ID. Spreadsheets ruin long ones in four ways, each with its own cure. */
function asProductId(value: unknown): string | TextProblem {
	const asColumn = 'Format the column as Text in the spreadsheet and enter the ID again.';
	if (typeof value === 'number' && !Number.isSafeInteger(value)) {
		const what = `arrived as the number ${value}, which cannot hold all digits of a long ID`;
		return { what, cure: `Send it as text. ${asColumn}` };
	}
	const text = asText(value);
	if (text === null) return { what: 'is not text', cure: 'Give the digits of the ID.' };
	if (isRounded(text)) return roundedProblem(text);
	if (text === '' || PRODUCT_ID_PATTERN.test(text)) return text;
	if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) {
		const what = `is “${text}”: a spreadsheet has rounded the ID and its digits are lost`;
		return { what, cure: asColumn };
	}
	if (/^\d+[.,]0+$/.test(text)) {
		const what = `is ${quoteText(text)}: a spreadsheet has turned the ID into a decimal number`;
		return { what, cure: `Remove the “${text.replace(/\d+/, '')}”. ${asColumn}` };
	}
	const cure = 'Give the 5 to 40 digits of the marketplace product ID, or leave it empty.';
	const what = `is ${quoteText(text)}, which is not 5 to 40 digits`;
	return unusableText(text) ?? { what, cure, isOtherId: true };
}

/** Reads links from one text or several, each with one link or several, as in a sheet's cell. */
function asLinks(value: unknown): { links: string[]; problems: TextProblem[] } {
	const links: string[] = [];
	const problems: TextProblem[] = [];
	if (value === '' || value === undefined) return { links, problems };
	const texts = [value].flat(2).map(asText);
	if (texts.includes(null)) {
		problems.push({ what: 'is not a list of links', cure: 'Give one link a line.' });
		return { links, problems };
	}
	for (const text of texts as string[]) {
		const none = unusableText(text);
		if (none === null) links.push(...linksOf(text));
		else problems.push(none);
	}
	if (links.length > REFERENCE_URLS_MAX) {
		const cure = `Keep the ${REFERENCE_URLS_MAX} most useful.`;
		problems.push({ what: `has ${links.length} links, at most ${REFERENCE_URLS_MAX}`, cure });
	}
	for (const url of links) {
		const problem = publicUrlProblem(url);
		if (problem === null) continue;
		const cure = 'Use public links that start with https://.';
		problems.push({ what: `has ${quoteText(url)}, which ${problem}`, cure });
	}
	return { links, problems };
}

/** Gives tidied text, or null if the value cannot be meant as text. Numbers can: a sheet's cells often are. */
function asText(value: unknown): string | null {
	if (value === undefined || value === null) return '';
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
	if (typeof value !== 'string') return null;
	return tidy(value);
}

function codePoints(text: string): number {
	return Array.from(text).length;
}
