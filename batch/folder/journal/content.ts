import { INPUT_FIELDS, type InputField } from '../../../service/input/input';
import { tidy } from '../../../service/input/spelling';
import type { BriefInput } from '../../../service/api/resources';
import { sha256 } from '../../sha256';

/** Enough for a person to recognise what was ordered. The brief's own file has the whole text. */
const START_LENGTH = 80;

/** The text of a field: all of it if it is short, otherwise its start and the start of its SHA-256. */
export type OrderedText = string | { start: string; sum: string };

/** The content of an order, field by field, without the fields that were not given. */
export type OrderedContent = Partial<Record<InputField, OrderedText>>;

export function orderedContent(input: BriefInput): OrderedContent {
	const content: OrderedContent = {};
	for (const field of INPUT_FIELDS) {
		const value = input[field];
		if (value === undefined) continue;
		const text = tidyText(value);
		content[field] = text.length <= START_LENGTH ? text : startAndSum(text);
	}
	return content;
}

/** Gives what was ordered, with the starts of long texts in their place. */
export function inputIn(content: OrderedContent, product_name: string): BriefInput {
	const input: BriefInput = { product_name };
	for (const field of INPUT_FIELDS) {
		const orderedText = content[field];
		if (orderedText === undefined) continue;
		const text = typeof orderedText === 'string' ? orderedText : orderedText.start;
		if (field === 'reference_urls') input.reference_urls = text.split('\n');
		else input[field] = text;
	}
	return input;
}

export function isSameText(a: OrderedText | undefined, b: OrderedText | undefined): boolean {
	if (typeof a !== 'object' || typeof b !== 'object') return a === b;
	return a.start === b.start && a.sum === b.sum;
}

function tidyText(value: string | readonly string[]): string {
	return tidy(typeof value === 'string' ? value : value.join('\n'));
}

function startAndSum(text: string): OrderedText {
	return { start: text.slice(0, START_LENGTH), sum: sumOf(text) };
}

function sumOf(text: string): string {
	return sha256(text).slice(0, 16);
}
