import { INPUT_FIELDS, tidied, type InputField } from '../../service/input';
import type { BriefInput } from '../../service/resources';
import { sha256 } from '../sha256';

/** Enough to tell a person what was ordered. The whole text stands in the brief's own file. */
const START_LENGTH = 80;

/** The text of one field: all of it where it is short, else how it starts and the start of its SHA-256. */
export type OrderedText = string | { start: string; sum: string };

/** What an order held, field by field. Fields that were not given are left out. */
export type OrderedContent = Partial<Record<InputField, OrderedText>>;

export function contentOf(input: BriefInput): OrderedContent {
	const content: OrderedContent = {};
	for (const field of INPUT_FIELDS) {
		const value = input[field];
		if (value === undefined) continue;
		const text = tidied(Array.isArray(value) ? value.join('\n') : value);
		content[field] = text.length <= START_LENGTH ? text : shortened(text);
	}
	return content;
}

export function isSameText(a: OrderedText | undefined, b: OrderedText | undefined): boolean {
	if (typeof a !== 'object' || typeof b !== 'object') return a === b;
	return a.start === b.start && a.sum === b.sum;
}

function shortened(text: string): OrderedText {
	const sum = sha256(text).slice(0, 16);
	return { start: text.slice(0, START_LENGTH), sum };
}
