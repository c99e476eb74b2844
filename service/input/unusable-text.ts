import { quote } from '../shortened-text';
import { spelling, withMarksShown } from './spelling';

export interface TextProblem {
	/** The fault, to follow the field's name in a sentence. */
	what: string;
	cure: string;
	/** The text is an expression that was not evaluated. Only the shell knows the cure there. */
	isUnfilled?: true;
	/** It is an ID of another kind, as the whole column or field may be. */
	isOtherId?: true;
}

/** An expression in braces, up to the first closing one. */
const IN_BRACES = /\{\{[^}]*(\}\})?/g;

/** A text that is one pair of braces, or the braces that n8n's editor adds at the end. */
const ONLY_BRACES = /^\{\{[^{}]*\}\}$|^[^{]*\}\}$/;

/**
 * Texts that a spreadsheet shows for a formula without a result, in any language (#REF!, #NOM?, #N/A, #NV), or for a
 * number in a narrow column. A hashtag in capitals with such an end counts as one, too.
 */
const SPREADSHEET_ERROR =
	/^(#[¡¿]?[\p{Lu}\d/_]+[!?]|#\p{Lu}\/\p{Lu}|#(NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|GETTING_DATA)|#{2,}|Err\s?:\d{3})$/u;

/** A formula instead of its result: behind the equals sign is a function, a cell or a text in quotation marks. */
const FORMULA = /^=\s*([-+@]\s*)?(\p{L}[\p{L}\p{N}._]*\s*\(|\$?[A-Z]{1,3}\$?\d|["'])/u;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** What programs write for a value that is missing, in the spelling in which texts are compared. */
const MISSING = /^([(<["']?(undefined|null|nan|nat)[)>\]"']?|\\n|<na>)$/;

/** What people write for nothing. */
const NOTHING = /^(["'(]?(none|n ?\/ ?a|n\.a|na)[.)"']?|[-–—]+)$/;

/** What people write until they know the product or if there is none, and Airtable for a row without a name. */
const NO_PRODUCT = /^(nil|\(?blank\)|unknown|tbd|tba|t\.b\.d\.?|unnamed record)$/;

/** How such words begin, in any spelling: most texts need no closer look. */
const MAY_BE_WORD = /^[\s([<"']*[nu\\–—-]|[^ -~]/i;
const LONGEST_WORD = 14;

function mayBeWord(text: string): boolean {
	return text.length <= LONGEST_WORD && MAY_BE_WORD.test(text);
}

/** The last line of a table, in English, German, French and Spanish, with or without a sum. */
const TOTAL = new RegExp(
	`^(${[
		'(grand[ -]?|sub[ -]?)?totals?|sum',
		'(gesamt|zwischen)?summe|gesamt',
		'sous[ -]total|total général|somme',
		'total general|suma( total)?',
	].join('|')})(\\s*[:=(])?[\\s\\d.,']*\\)?$`,
	'i',
);

/** Gives a text of any length as part of a sentence, with what nobody sees in it. */
export function quoteText(text: string): string {
	return quote(withMarksShown(text));
}

/** Checks for what a person writes into a field that is to be empty, such as n/a. */
export function isNothing(text: string): boolean {
	return mayBeWord(text) && NOTHING.test(spelling(text));
}

function isMissing(text: string): boolean {
	return mayBeWord(text) && MISSING.test(spelling(text));
}

/** Finds what is certainly no text of a person: an error, a formula, or what programs write for a missing value. */
export function unusableText(text: string): TextProblem | null {
	if (text === '') return null;
	const inQuotes = () => quoteText(text);
	if (/[\p{Surrogate}\ufffd]/u.test(text)) {
		const what = `has damaged characters: ${inQuotes()}`;
		return { what, cure: 'Another program has lost them: type the text again.' };
	}
	if (SPREADSHEET_ERROR.test(text)) {
		const what = `is ${inQuotes()}, an error of a spreadsheet, not a text`;
		return { what, cure: 'Correct the formula there, or leave the cell empty.' };
	}
	if (FORMULA.test(text)) {
		const what = `is ${inQuotes()}, a formula instead of its result`;
		return { what, cure: 'Paste the result as text, or leave the cell empty.' };
	}
	if (/^loading\s*(…|\.{2,})$/i.test(text)) {
		const what = `is ${inQuotes()}, which a spreadsheet shows until it knows the value`;
		return { what, cure: 'Wait until the sheet is complete, then export it again.' };
	}
	const unfilled = unfilledIn(text);
	if (unfilled !== undefined) {
		const what = `contains ${quote(unfilled)}, an expression instead of its value`;
		return { what, cure: 'Give the value itself, or leave it empty.', isUnfilled: true };
	}
	if (text.includes('[object Object]')) {
		const what = 'contains “[object Object]”, which means several fields at once';
		return { what, cure: 'Choose the one field that holds the text.' };
	}
	if (isMissing(text)) {
		const what = `is ${inQuotes()}, which programs write for a value that is missing`;
		return { what, cure: 'Give the value itself, or leave it empty.' };
	}
	return null;
}

/**
 * Does the same for the name of a product, which a brief needs.
 * @param isKnown whether a product ID says that there is such a product
 */
export function unusableProductName(name: string, isKnown: boolean): TextProblem | null {
	const problem = unusableText(name);
	if (problem !== null) return problem;
	const inQuotes = () => quoteText(name);
	const giveIt = 'Give the product’s name or its link, or remove the line.';
	const word = spelling(name);
	if (!LETTER_OR_DIGIT.test(word))
		return { what: `is ${inQuotes()}, which names nothing`, cure: giveIt };
	if (NO_PRODUCT.test(word) || NOTHING.test(word))
		return { what: `is ${inQuotes()}, not a product`, cure: giveIt };
	if (!TOTAL.test(name) || isKnown) return null;
	const cure = 'Remove the line, or give the product’s full name or its product ID.';
	return { what: `is ${inQuotes()}, as in the last line of a table`, cure };
}

/** Gives the part of a text that is an expression of n8n, which has a variable if it is not the whole text. */
function unfilledIn(text: string): string | undefined {
	const withVariable = text.match(IN_BRACES)?.find((part) => part.includes('$'));
	return withVariable ?? ONLY_BRACES.exec(text)?.[0];
}
