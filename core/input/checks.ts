/**
 * The checks of all values, as one table, for the rows of brief-batch and the items of n8n. A problem is certain: the
 * user would pay for nonsense, so the value is invalid. Damage is only probable: a program changed the text, or the row is
 * not a product, so the user decides before paying for the brief.
 *
 *     “#REF!”      problem   is “#REF!”, a spreadsheet error
 *     “CrÃ¨me”     damage    contains “CrÃ¨me”, which was probably read with the wrong encoding
 *
 * To add a check, add an entry. The message follows the name of the column or parameter: Audience contains “CrÃ¨me”, …
 * Only the first problem and the first damage of a value are reported.
 */

import { PRODUCT_ID_PATTERN } from '../api/limits';
import { makeFinding, type Finding } from '../finding';
import * as patterns from './check-patterns';
import type { InputField } from './input-fields';
import { foldText, quote, trimText } from './text';

interface Check {
	/** The field that is checked; all fields if missing. */
	readonly only?: InputField;
	/** True if the pattern is for the whole text in its folded form. */
	readonly isFolded?: true;
	/** Changes the text before the pattern is applied. */
	readonly prepare?: (text: string) => string;
	readonly pattern: RegExp;
	/** Decides what the pattern cannot, such as a check digit. */
	readonly test?: (text: string) => boolean;
	/** “{}” is the match with the rest of the word, in quotation marks. */
	readonly message: string;
}

interface ProblemCheck extends Check {
	readonly fix: string;
}

export const FORMAT_AS_TEXT =
	'Format the column as Text in the spreadsheet, then enter the ID again.';
export const ENTER_NAME = 'Enter the product’s name or its marketplace link.';

const PROBLEMS: readonly ProblemCheck[] = [
	{
		pattern: patterns.LOST_CHARACTER,
		message: 'contains damaged characters: {}',
		fix: 'Another program has lost them. Type the text again.',
	},
	{
		pattern: patterns.SPREADSHEET_ERROR,
		message: 'is {}, a spreadsheet error',
		fix: 'Correct the formula in the spreadsheet, or leave the cell empty.',
	},
	{
		pattern: patterns.FORMULA,
		message: 'is {}, a formula instead of its result',
		fix: 'Paste the result as text, or leave the cell empty.',
	},
	{
		isFolded: true,
		pattern: patterns.MISSING_VALUE,
		message: 'is {}, which programs write for a missing value',
		fix: 'Enter the value, or leave the cell empty.',
	},
	{
		pattern: patterns.UNFILLED,
		message: 'contains {}, an expression instead of its value',
		fix: 'Enter the value, or leave the field empty.',
	},
	{
		pattern: /\[object Object\]/,
		message: 'contains {}, a whole record instead of text',
		fix: 'Choose the field that contains the text.',
	},
	{
		only: 'product_name',
		isFolded: true,
		pattern: /^[^\p{L}\p{N}]+$/u,
		message: 'is {}, which has no letter or digit',
		fix: ENTER_NAME,
	},
	{
		only: 'product_name',
		isFolded: true,
		pattern: patterns.NO_PRODUCT,
		message: 'is {}, which is not a product',
		fix: 'Enter the product’s name or its link, or remove the row.',
	},
	{
		only: 'product_name',
		pattern: patterns.TOTAL,
		message: 'is {}, like the last line of a table',
		fix: 'Remove the row, or enter the product’s full name or its product ID.',
	},
	{
		only: 'product_id',
		pattern: patterns.ROUNDED_ID,
		message: 'is {}: a spreadsheet rounded the ID, and the digits after the 15th are lost',
		fix: `${FORMAT_AS_TEXT} If the ID really ends in zeros, leave it empty and use the product’s link as its name.`,
	},
	{
		only: 'product_id',
		pattern: patterns.EXPONENT_ID,
		message: 'is {}: a spreadsheet rounded the ID, and its digits are lost',
		fix: FORMAT_AS_TEXT,
	},
	{
		only: 'product_id',
		pattern: patterns.DECIMAL_ID,
		message: 'is {}: a spreadsheet turned the ID into a decimal number',
		fix: FORMAT_AS_TEXT,
	},
	{
		only: 'product_id',
		pattern: /^[^]*$/,
		test: (id) => !PRODUCT_ID_PATTERN.test(id),
		message: 'is {}, not 5 to 40 digits',
		fix: 'Enter the marketplace product ID, or leave the field empty.',
	},
];

const DAMAGE: readonly Check[] = [
	{
		pattern: /^\s*(?:https?:\/\/|www\.)\S*[;.,]$/i,
		message: 'is {}, a link that ends in punctuation',
	},
	{
		pattern: patterns.DECODED_WRONGLY,
		message: 'contains {}, which was probably read with the wrong encoding',
	},
	{ pattern: patterns.HTML, message: 'contains {}, which is HTML' },
	{ pattern: /_x[\da-f]{4}_/i, message: 'contains {}, an escape code of a spreadsheet' },
	{
		prepare: removeLinks,
		pattern: patterns.LOST_LETTERS,
		message: 'contains {}, where question marks probably replaced letters',
	},
	{ pattern: patterns.UNDEFINED, message: 'contains {}, which programs write for a missing value' },
	{
		pattern: patterns.UNFILLED_PART,
		message: 'contains {}, which looks like an expression instead of its value',
	},
	{
		only: 'product_id',
		pattern: patterns.BARCODE,
		test: hasCheckDigit,
		message: 'is {}, probably a barcode (EAN or UPC), not a marketplace ID',
	},
	{ only: 'product_name', pattern: /^\P{L}+$/u, message: 'is {}, which has no letter' },
	{
		only: 'product_name',
		pattern: /^[^,;\t\n]*[,;\t][^\n]*\n/,
		message: 'has a line break after a delimiter, as if quotation marks had joined two rows',
	},
	{
		only: 'product_name',
		pattern: patterns.REPORT_LINE,
		message: 'is {}, like a comment or subtotal of a report',
	},
];

/** Returns the first problem of a value, or null. */
export function findProblem(field: InputField, text: string): Finding | null {
	const failed = findFirstFailed(PROBLEMS, field, text);
	return failed && makeFinding(failed.message, { text: failed.check.fix });
}

/**
 * Returns the first probable damage of a value as text that follows the name of the column or parameter, or null.
 * @param value a text, or the links of a field
 */
export function findDamage(field: InputField, value: string | readonly string[]): string | null {
	if (typeof value !== 'string')
		return value.map((link) => findDamage(field, link)).find((text) => text !== null) ?? null;
	return findFirstFailed(DAMAGE, field, value)?.message ?? null;
}

/** No word for “no value” is longer. */
const MAX_NO_VALUE_LENGTH = 14;

/** True if a text has no letter or digit, or is a word for “no value”, such as n/a. An optional field then counts as empty. */
export function isNoValue(text: string): boolean {
	if (/[\p{L}\p{N}]/u.test(text))
		return text.length <= MAX_NO_VALUE_LENGTH && patterns.NO_VALUE.test(foldText(text));
	const marks = trimText(text);
	const wasText = patterns.SPREADSHEET_ERROR.test(marks) || patterns.LOST_CHARACTER.test(marks);
	return marks !== '' && !wasText;
}

/** True if a product name is probably the total line of a table. */
export function isTotal(text: string): boolean {
	return patterns.TOTAL.test(text);
}

function findFirstFailed<Entry extends Check>(
	checks: readonly Entry[],
	field: InputField,
	text: string,
): { check: Entry; message: string } | null {
	let folded: string | undefined;
	for (const check of checks) {
		if ((check.only ?? field) !== field) continue;
		const prepared = check.isFolded ? (folded ??= foldText(text)) : (check.prepare?.(text) ?? text);
		const match = check.pattern.exec(prepared);
		if (match === null || check.test?.(prepared) === false) continue;
		// The message shows the text as it was written.
		const shown = check.isFolded ? text : extractWord(prepared, match);
		return { check, message: check.message.replace('{}', () => quote(shown)) };
	}
	return null;
}

/** Returns the match with the rest of the word, at most 20 characters on either side. */
function extractWord(text: string, match: RegExpExecArray): string {
	const end = match.index + match[0].length;
	const before = text.slice(0, match.index).slice(-20).split(/\s/).at(-1) ?? '';
	const [after = ''] = text.slice(end, end + 20).split(/\s/);
	return `${before}${match[0]}${after}`;
}

/** Question marks are normal between the letters of a link. */
function removeLinks(text: string): string {
	if (!text.includes('?')) return '';
	return text
		.split(/\s/)
		.filter((word) => !word.includes('/'))
		.join(' ');
}

/** True if the last digit is the check digit of an EAN or UPC. */
function hasCheckDigit(barcode: string): boolean {
	const digits = Array.from(barcode, Number).reverse();
	const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
	return sum % 10 === 0;
}

/** A smaller number of IDs can end in 00 by accident. */
const MIN_ROUNDED_IDS = 3;

/**
 * Returns the long IDs if all of them end in 00, which happens to one real ID in a hundred: a program that keeps numbers
 * in floating point writes 1729384756102938475 as …400. Returns an empty set otherwise.
 */
export function findRoundedIds(ids: ReadonlyArray<string | undefined>): ReadonlySet<string> {
	const longIds = ids.filter((id) => id !== undefined).filter((id) => id.length >= 16);
	if (!longIds.every((id) => id.endsWith('00'))) return new Set();
	const different = new Set(longIds);
	return different.size >= MIN_ROUNDED_IDS ? different : new Set();
}
