import {
	PRODUCT_ID_PATTERN,
	PRODUCT_NAME_LENGTH,
	REFERENCE_URLS_MAX,
	TEXT_MAX_LENGTH,
} from './limits';
import { publicUrlProblem } from './public-url';
import type { BriefInput } from './resources';
import { isRounded, roundedProblem } from './rounded-id';
import { isSpreadsheetError } from './spreadsheet-error';

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

/** A line that is drawn between a table's header and its rows, and no product. */
const RULE = /^[-–—=_:+|.*\s]+$/;

export type InputField = (typeof INPUT_FIELDS)[number];

export interface InputProblem {
	field: InputField;
	/** What is wrong, to follow the field's name in a sentence. */
	what: string;
	/** What to do about it, as a sentence. */
	cure: string;
}

export interface CheckedInput {
	/** What to send. Only meaningful where there are no problems. */
	input: BriefInput;
	/** Everything that docs/service.md section 4.3 would refuse, at once, in the order of the fields. */
	problems: InputProblem[];
}

/**
 * Checks what a person or a program gave for a brief, and brings it into the form in which it is sent: texts trimmed,
 * line ends as \n, empty fields left out, a product ID given as a number written as text.
 */
export function checkInput(given: Readonly<Partial<Record<InputField, unknown>>>): CheckedInput {
	const problems: InputProblem[] = [];
	const input: BriefInput = { product_name: '' };
	const report = (field: InputField, what: string, cure: string) => {
		problems.push({ field, what, cure });
	};
	const reportError = (field: InputField, text: string) => {
		const what = `is “${shortened(text)}”, an error of a spreadsheet and not a text`;
		report(field, what, 'Correct the formula there, or leave the cell empty.');
	};

	const name = asText(given.product_name);
	if (name === null) report('product_name', 'is not text', 'Give the product’s name or its link.');
	else {
		input.product_name = name;
		const { min, max } = PRODUCT_NAME_LENGTH;
		if (name === '') {
			report('product_name', 'is missing', 'Give the product’s name or its marketplace link.');
		} else if (!isLongEnough(name, min)) {
			report('product_name', 'is too short', `It takes ${min} to ${max} characters.`);
		} else if (isSpreadsheetError(name)) {
			reportError('product_name', name);
		} else if (RULE.test(name)) {
			const cure = 'Give the product’s name or its link, or remove the line.';
			report('product_name', `is “${shortened(name)}”, which names nothing`, cure);
		} else if (isTooLong(name, max)) {
			report('product_name', tooLong(name, max), `Shorten it to ${max} characters.`);
		}
	}

	const id = productId(given.product_id);
	if ('problem' in id) report('product_id', ...id.problem);
	else if (id.value !== '') input.product_id = id.value;

	for (const field of TEXT_FIELDS) {
		const text = asText(given[field]);
		const max = TEXT_MAX_LENGTH[field];
		if (text === null) report(field, 'is not text', 'Give it as text.');
		else if (isTooLong(text, max)) {
			report(field, tooLong(text, max), `Shorten it to ${max} characters.`);
		} else if (isSpreadsheetError(text)) reportError(field, text);
		else if (text !== '') input[field] = text;
	}

	const urls = asTexts(given.reference_urls);
	if (urls === null) report('reference_urls', 'is not a list of links', 'Give one link a line.');
	else {
		if (urls.length > REFERENCE_URLS_MAX) {
			const cure = `Keep the ${REFERENCE_URLS_MAX} most useful.`;
			report('reference_urls', `has ${urls.length} links, at most ${REFERENCE_URLS_MAX}`, cure);
		}
		for (const url of urls) {
			const problem = publicUrlProblem(url);
			if (problem === null) continue;
			const cure = 'Use public links that start with https://.';
			report('reference_urls', `has “${shortened(url)}”, which ${problem}`, cure);
		}
		if (urls.length > 0) input.reference_urls = urls;
	}
	return { input, problems };
}

/** Spreadsheets ruin long IDs in four ways, each of which gets its own cure. */
function productId(given: unknown): { value: string } | { problem: [what: string, cure: string] } {
	const asColumn = 'Format the column as Text in the spreadsheet and enter the ID again.';
	if (typeof given === 'number' && !Number.isSafeInteger(given)) {
		const what = `arrived as the number ${given}, which cannot hold all digits of a long ID`;
		return { problem: [what, `Send it as text. ${asColumn}`] };
	}
	const text = asText(given);
	if (text === null) return { problem: ['is not text', 'Give the digits of the ID.'] };
	if (isRounded(text)) {
		const { what, cure } = roundedProblem(text);
		return { problem: [what, cure] };
	}
	if (text === '' || PRODUCT_ID_PATTERN.test(text)) return { value: text };
	if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) {
		return {
			problem: [`is “${text}”: a spreadsheet has rounded the ID and its digits are lost`, asColumn],
		};
	}
	if (/^\d+[.,]0+$/.test(text)) {
		const what = `is “${shortened(text)}”: a spreadsheet has turned the ID into a decimal number`;
		return { problem: [what, `Remove the “${text.replace(/\d+/, '')}”. ${asColumn}`] };
	}
	const cure = 'Give the 5 to 40 digits of the marketplace product ID, or leave it empty.';
	return { problem: [`is “${shortened(text)}”, which is not 5 to 40 digits`, cure] };
}

/** Text as it is sent, or null where the value cannot be meant as text. Numbers are (a sheet's cells often are). */
function asText(value: unknown): string | null {
	if (value === undefined || value === null) return '';
	if (typeof value === 'bigint') return String(value);
	if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null;
	if (typeof value !== 'string') return null;
	return (value.includes('\r') ? value.replace(/\r\n?/g, '\n') : value).trim();
}

function asTexts(value: unknown): string[] | null {
	const given: unknown[] = Array.isArray(value) ? value : [value];
	const texts = given.map(asText);
	if (texts.includes(null)) return null;
	return texts.filter((text) => text !== null && text !== '') as string[];
}

function codePoints(text: string): number {
	return Array.from(text).length;
}

/** A text has at most as many code points as UTF-16 units, so most texts need no counting. */
function isTooLong(text: string, max: number): boolean {
	return text.length > max && codePoints(text) > max;
}

function isLongEnough(text: string, min: number): boolean {
	return text.length >= min * 2 || codePoints(text) >= min;
}

function tooLong(text: string, max: number): string {
	return `has ${codePoints(text)} characters, at most ${max}`;
}

function shortened(text: string): string {
	return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
