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

import { PRODUCT_NAME_LENGTH, REFERENCE_URLS_MAX, TEXT_MAX_LENGTH } from '../api/limits';
import type { BriefInput } from '../api/types';
import { makeFinding, type Finding } from '../finding';
import { quote, stripInvisible, trimText } from './text';
import { ENTER_NAME, FORMAT_AS_TEXT, findProblem, isNoValue, isTotal } from './checks';
import { INPUT_FIELDS, type InputField, type InputValues } from './input-fields';
import { findLinkProblem, splitLinks, toUri } from './links';

/** The message follows the name of the field: “is missing”. */
export interface FieldProblem extends Finding {
	readonly field: InputField;
}

interface CheckedInput {
	/** Only meaningful without problems. */
	readonly input: BriefInput;
	/** Everything that the service would refuse or that would waste a brief, in the sequence of the fields. */
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

/** Returns the input of a brief, without empty fields, and with numbers as text. */
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

function parseName({ product_name: value, product_id: id }: InputValues): Parsed {
	if (isRoundedNumber(value))
		return fail(
			`is the number ${String(value)}, whose last digits are lost`,
			'Send it as text, or enter the product’s name or its marketplace link.',
		);
	const name = parseText(value);
	if (name === null) return fail('is not text', ENTER_NAME);
	if (name === '') return fail('is missing', ENTER_NAME);
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

function parseProductId(value: unknown): Parsed {
	if (typeof value === 'number' && !Number.isSafeInteger(value))
		return fail(
			`is the number ${value}, which cannot hold all digits of a long ID`,
			`Send it as text. ${FORMAT_AS_TEXT}`,
		);
	const text = parseText(value);
	if (text === null) return fail('is not text', 'Enter the digits of the ID.');
	// Spreadsheets add direction marks, which no message can show.
	const id = stripInvisible(text);
	if (id === '') return {};
	const problem = findProblem('product_id', id);
	return problem === null ? { value: id } : { problems: [problem] };
}

/** True for a number that is too long, so that JavaScript has rounded it. */
function isRoundedNumber(value: unknown): boolean {
	return Number.isInteger(value) && !Number.isSafeInteger(value);
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
	if (links.length === 0) return { problems };
	// Invalid links are kept, because an invalid row is compared with orders.
	return { value: problems.length > 0 ? links : links.map(toUri), problems };
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
