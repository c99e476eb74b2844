/**
 * Turns the values of a row or an item into the input of a brief, and reports every problem at once:
 *
 *     { product_name: 'Mug', product_id: '1,72938E+18', audience: 'n/a' }
 *
 *     input          { product_name: 'Mug' }
 *     problems       product_id is 1,72938E+18: a spreadsheet rounded the ID, …
 *     emptiedFields  audience
 *
 * The limits are from docs/api.md 4.3. The checks of texts are in checks.ts.
 */

import {
	PRODUCT_ID_PATTERN,
	PRODUCT_NAME_LENGTH,
	REFERENCE_URLS_MAX,
	TEXT_MAX_LENGTH,
} from '../api/limits';
import type { BriefInput } from '../api/types';
import { makeFinding, type Finding } from '../finding';
import { quote, showInvisible, trimText } from './text';
import { findProblem, isNoValue, isTotal } from './checks';
import { INPUT_FIELDS, type InputField, type InputValues } from './input-fields';
import { findLinkProblem, splitLinks } from './links';

/** The message follows the name of the field: “is missing”. */
export interface FieldProblem extends Finding {
	readonly field: InputField;
}

interface CheckedInput {
	/** Only meaningful without problems. */
	readonly input: BriefInput;
	/** Everything that the service would refuse or that would waste a brief, in the order of the fields. */
	readonly problems: readonly FieldProblem[];
	/** Optional fields that contain a word for “no value”, such as n/a. They count as empty. */
	readonly emptiedFields: readonly InputField[];
}

/** A value that was read. An empty field has neither value nor problems. */
interface Parsed<Value = string> {
	readonly value?: Value;
	readonly problems?: readonly Finding[];
}

type TextField = keyof typeof TEXT_MAX_LENGTH;

/** Returns the input of a brief, with empty fields left out and numbers as text. */
export function parseBriefInput(values: InputValues): CheckedInput {
	const emptiedFields = INPUT_FIELDS.filter((field) => isEmptied(field, values[field]));
	const input: Partial<Record<InputField, string | string[]>> = { product_name: '' };
	const problems: FieldProblem[] = [];
	for (const field of INPUT_FIELDS) {
		if (field !== 'product_name' && values[field] === undefined) continue;
		if (emptiedFields.includes(field)) continue;
		const parsed = parseField(field, values);
		if (parsed.value !== undefined) input[field] = parsed.value;
		for (const problem of parsed.problems ?? []) problems.push({ field, ...problem });
	}
	return { input: input as BriefInput, problems, emptiedFields };
}

function isEmptied(field: InputField, value: unknown): boolean {
	return field !== 'product_name' && typeof value === 'string' && isNoValue(value);
}

function parseField(field: InputField, values: InputValues): Parsed<string | string[]> {
	const value = values[field];
	switch (field) {
		case 'product_name':
			return parseName(values);
		case 'product_id':
			return parseProductId(value);
		case 'reference_urls':
			return parseLinks(value);
		default:
			return parseTextField(field, value);
	}
}

const ENTER_NAME = 'Enter the product’s name or its marketplace link.';

function parseName({ product_name: value, product_id: id }: InputValues): Parsed {
	const name = parseText(value);
	if (name === null) return fail('is not text', ENTER_NAME);
	if (name === '') return fail(describeMissingName(value), ENTER_NAME);
	const problem = findNameProblem(name, id);
	// An invalid name is kept, because messages show it.
	return problem === null ? { value: name } : { value: name, problems: [problem] };
}

function findNameProblem(name: string, id: unknown): Finding | null {
	const { min, max } = PRODUCT_NAME_LENGTH;
	if (isTooShort(name, min))
		return makeFinding('is too short', { text: `Enter ${min} to ${max} characters.` });
	if (isTooLong(name, max)) return describeTooLong(name, max);
	// “Total” with a product ID is a product.
	if (isTotal(name) && parseProductId(id).value !== undefined) return null;
	return findProblem('product_name', name);
}

function describeMissingName(value: unknown): string {
	const isInvisible = typeof value === 'string' && value.trim() !== '';
	return isInvisible
		? `contains only invisible characters: ${quote(showInvisible(value))}`
		: 'is missing';
}

const FORMAT_AS_TEXT = 'Format the column as Text in the spreadsheet, then enter the ID again.';

/** A spreadsheet keeps the first 15 digits of a number and writes zeros for the others. */
const ROUNDED_ID = /^[1-9]\d{14}0{3,}$/;

/** Spreadsheets damage long IDs in several ways; each way has another fix. */
function parseProductId(value: unknown): Parsed {
	if (typeof value === 'number' && !Number.isSafeInteger(value))
		return fail(
			`is the number ${value}, which cannot hold all digits of a long ID`,
			`Send it as text. ${FORMAT_AS_TEXT}`,
		);
	const id = parseText(value);
	if (id === null) return fail('is not text', 'Enter the digits of the ID.');
	if (id === '') return {};
	if (ROUNDED_ID.test(id))
		return fail(
			`is ${id}: a spreadsheet rounded the ID, and the digits after the 15th are lost`,
			`${FORMAT_AS_TEXT} If the ID really ends in zeros, leave it empty and use the product’s link as its name.`,
		);
	if (PRODUCT_ID_PATTERN.test(id)) return { value: id };
	if (/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(id))
		return fail(`is ${id}: a spreadsheet rounded the ID, and its digits are lost`, FORMAT_AS_TEXT);
	if (/^\d+[.,]0+$/.test(id))
		return fail(`is ${id}: a spreadsheet turned the ID into a decimal number`, FORMAT_AS_TEXT);
	const problem = findProblem('product_id', id);
	if (problem !== null) return { problems: [problem] };
	return fail(
		`is ${quote(showInvisible(id))}, not 5 to 40 digits`,
		'Enter the marketplace product ID, or leave the field empty.',
	);
}

function parseTextField(field: TextField, value: unknown): Parsed {
	const max = TEXT_MAX_LENGTH[field];
	const text = parseText(value);
	if (text === null) return fail('is not text', 'Enter text.');
	if (text === '') return {};
	if (isTooLong(text, max)) return { problems: [describeTooLong(text, max)] };
	const problem = findProblem(field, text);
	if (problem !== null) return { problems: [problem] };
	// The service adds the campaign terms to the brief as written, so their white space is kept.
	const isKept = field === 'campaign_terms' && typeof value === 'string' && !isTooLong(value, max);
	return { value: isKept ? value : text };
}

/** Reads links from a text with several links, or from a list of texts. */
function parseLinks(value: unknown): Parsed<string[]> {
	const texts = [value ?? ''].flat(2).map(parseText);
	if (texts.includes(null)) return fail('is not a list of links', 'Enter one link per line.');
	const links: string[] = [];
	const problems: Finding[] = [];
	for (const text of texts as string[]) {
		const problem = text === '' ? null : findProblem('reference_urls', text);
		if (problem === null) links.push(...splitLinks(text));
		else problems.push(problem);
	}
	if (links.length > REFERENCE_URLS_MAX)
		problems.push(
			makeFinding(`has ${links.length} links, and the limit is ${REFERENCE_URLS_MAX}`, {
				text: `Keep the ${REFERENCE_URLS_MAX} most useful links.`,
			}),
		);
	for (const link of links) {
		const reason = findLinkProblem(link);
		if (reason !== null)
			problems.push(
				makeFinding(`has ${quote(link)}, which ${reason}`, {
					text: 'Use public links that start with https://.',
				}),
			);
	}
	return links.length === 0 ? { problems } : { value: links, problems };
}

function fail(message: string, fix: string): { problems: [Finding] } {
	return { problems: [makeFinding(message, { text: fix })] };
}

function describeTooLong(text: string, max: number): Finding {
	return makeFinding(`has ${countCharacters(text)} characters, and the limit is ${max}`, {
		text: `Shorten it to ${max} characters.`,
	});
}

/** Returns trimmed text, or null if the value is not text. Numbers count as text: cells of a sheet often are numbers. */
function parseText(value: unknown): string | null {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string') return trimText(value);
	const isNumber = typeof value === 'bigint' || (typeof value === 'number' && isFinite(value));
	return isNumber ? String(value) : null;
}

/** Counts Unicode code points, as the service does. */
function countCharacters(text: string): number {
	return Array.from(text).length;
}

// A code point has one or two UTF-16 units, so most texts need no counting.

function isTooShort(text: string, min: number): boolean {
	return text.length < 2 * min && countCharacters(text) < min;
}

function isTooLong(text: string, max: number): boolean {
	return text.length > max && countCharacters(text) > max;
}
