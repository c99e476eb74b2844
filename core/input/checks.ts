/**
 * The checks of all values, as one table, for the rows of brief-batch and the items of n8n. A problem is certain: the
 * user would pay for nonsense, so the value is invalid. Damage is only probable: a program changed the text, or the row is
 * not a product, so the user decides before paying for the brief.
 *
 *     “#REF!”      problem   is “#REF!”, a spreadsheet error
 *     “CrÃ¨me”     damage    contains “CrÃ¨me”, which was probably read with the wrong encoding
 *
 * To add a check, add an entry. The message follows the name of the column or parameter: Audience contains “CrÃ¨me”, …
 * The first failed check of a level is reported.
 */

import { makeFinding, type Finding } from '../finding';
import { quote, foldText, showInvisible } from './text';
import {
	BARCODE,
	DECODED_WRONGLY,
	FILE_LINK,
	FORMULA,
	HTML,
	NO_VALUE,
	LOADING,
	LOST_LETTERS,
	MISSING_VALUE,
	MODEL_OUTPUT,
	NO_PRODUCT,
	REPORT_LINE,
	SPREADSHEET_ERROR,
	TOTAL,
	UNCLOSED_QUOTE,
	UNFILLED,
	UNTITLED,
} from './check-patterns';
import type { InputField } from './input-fields';

interface BaseCheck {
	/** The field that is checked; all fields if missing. */
	readonly only?: InputField;
	/** Changes the text before the pattern is applied. */
	readonly prepare?: (text: string) => string;
	readonly pattern: RegExp;
	/** Decides what the pattern cannot, such as a check digit. */
	readonly test?: (text: string) => boolean;
	/** @param match the match of the pattern with the rest of the word, in quotation marks */
	readonly describe: (match: string) => string;
}

interface ProblemCheck extends BaseCheck {
	readonly level: 'problem';
	readonly fix: string;
}

interface DamageCheck extends BaseCheck {
	readonly level: 'damage';
}

const CHECKS: ReadonlyArray<ProblemCheck | DamageCheck> = [
	{
		level: 'problem',
		pattern: /[\p{Surrogate}\ufffd]/u,
		describe: (match) => `contains damaged characters: ${match}`,
		fix: 'Another program has lost them. Type the text again.',
	},
	{
		level: 'problem',
		pattern: SPREADSHEET_ERROR,
		describe: (match) => `is ${match}, a spreadsheet error`,
		fix: 'Correct the formula in the spreadsheet, or leave the cell empty.',
	},
	{
		level: 'problem',
		pattern: FORMULA,
		describe: (match) => `is ${match}, a formula instead of its result`,
		fix: 'Paste the result as text, or leave the cell empty.',
	},
	{
		level: 'problem',
		pattern: LOADING,
		describe: (match) => `is ${match}, which a spreadsheet shows while it loads`,
		fix: 'Wait until the sheet is complete, then export it again.',
	},
	{
		level: 'problem',
		pattern: UNFILLED,
		describe: (match) => `contains ${match}, an expression instead of its value`,
		fix: 'Enter the value, or leave the field empty.',
	},
	{
		level: 'problem',
		pattern: /\[object Object\]/,
		describe: (match) => `contains ${match}, a whole record instead of text`,
		fix: 'Choose the field that contains the text.',
	},
	{
		level: 'problem',
		prepare: foldText,
		pattern: MISSING_VALUE,
		describe: (match) => `is ${match}, which programs write for a missing value`,
		fix: 'Enter the value, or leave the cell empty.',
	},
	{
		level: 'problem',
		only: 'product_name',
		prepare: foldText,
		pattern: /^[^\p{L}\p{N}]+$/u,
		describe: (match) => `is ${match}, which has no letter or digit`,
		fix: 'Enter the product’s name or its link.',
	},
	{
		level: 'problem',
		only: 'product_name',
		prepare: foldText,
		pattern: NO_PRODUCT,
		describe: (match) => `is ${match}, which is not a product`,
		fix: 'Enter the product’s name or its link, or remove the row.',
	},
	{
		level: 'problem',
		only: 'product_name',
		pattern: TOTAL,
		describe: (match) => `is ${match}, like the last line of a table`,
		fix: 'Remove the row, or enter the product’s full name or its product ID.',
	},
	{
		level: 'damage',
		pattern: /^\s*(?:https?:\/\/|www\.)\S*[;.,]$/i,
		describe: (match) => `is ${match}, a link that ends in punctuation`,
	},
	{
		level: 'damage',
		pattern: DECODED_WRONGLY,
		describe: (match) => `contains ${match}, which was probably read with the wrong encoding`,
	},
	{
		level: 'damage',
		pattern: HTML,
		describe: (match) => `contains ${match}, which is HTML`,
	},
	{
		level: 'damage',
		pattern: MODEL_OUTPUT,
		describe: (match) => `contains ${match}, which a language model wrote around its answer`,
	},
	{
		level: 'damage',
		pattern: /_x[\da-f]{4}_/i,
		describe: (match) => `contains ${match}, an escape code of a spreadsheet`,
	},
	{
		level: 'damage',
		prepare: removeLinks,
		pattern: LOST_LETTERS,
		describe: (match) => `contains ${match}, where question marks probably replaced letters`,
	},
	{
		level: 'damage',
		pattern: UNCLOSED_QUOTE,
		describe: (match) => `contains ${match}, a quotation mark that is never closed`,
	},
	{
		level: 'damage',
		// Not “null”, which is ordinary English: null and void.
		pattern: /(?<![\w-])undefined(?![\w-])/,
		describe: (match) => `contains ${match}, which programs write for a missing value`,
	},
	{
		level: 'damage',
		pattern: /\{\{[^{}]*\}\}|(?<![\w%])%[A-Za-z_]\w*%(?!\w)/,
		describe: (match) => `contains ${match}, which looks like an expression instead of its value`,
	},
	{
		level: 'damage',
		only: 'product_id',
		pattern: BARCODE,
		test: hasCheckDigit,
		describe: (match) => `is ${match}, probably a barcode (EAN or UPC), not a marketplace ID`,
	},
	{
		level: 'damage',
		only: 'product_name',
		pattern: /^\d+$/,
		describe: (match) => `is ${match}, digits alone`,
	},
	{
		level: 'damage',
		only: 'product_name',
		pattern: FILE_LINK,
		describe: (match) => `is ${match}, a link to a file`,
	},
	{
		level: 'damage',
		only: 'product_name',
		pattern: UNTITLED,
		describe: (match) => `is ${match}, which programs write for a missing name`,
	},
	{
		level: 'damage',
		only: 'product_name',
		pattern: REPORT_LINE,
		describe: (match) => `is ${match}, like a comment or subtotal of a report`,
	},
];

const PROBLEMS = CHECKS.filter((check) => check.level === 'problem');
const DAMAGE = CHECKS.filter((check) => check.level === 'damage');

/** Returns the first problem of a value, or null. */
export function findProblem(field: InputField, text: string): Finding | null {
	const failed = findFirstFailed(PROBLEMS, field, text);
	return failed === null ? null : makeFinding(failed.message, { text: failed.check.fix });
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

/** True if a cell contains a word for “no value”, such as n/a or -. An optional field then counts as empty. */
export function isNoValue(text: string): boolean {
	return text !== '' && text.length <= MAX_NO_VALUE_LENGTH && NO_VALUE.test(foldText(text));
}

/** True if a product name is probably the total line of a table. */
export function isTotal(text: string): boolean {
	return TOTAL.test(text);
}

function findFirstFailed<Entry extends BaseCheck>(
	checks: readonly Entry[],
	field: InputField,
	text: string,
): { check: Entry; message: string } | null {
	for (const check of checks) {
		if ((check.only ?? field) !== field) continue;
		const prepared = check.prepare?.(text) ?? text;
		const match = check.pattern.exec(prepared);
		if (match === null || check.test?.(prepared) === false) continue;
		// Patterns for folded text match the whole text, so the message shows the text as it was written.
		const shown = check.prepare === foldText ? text : extractWord(prepared, match);
		return { check, message: check.describe(quote(showInvisible(shown))) };
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
