import type { Allowance } from '../../service/list/allowance';
import { shorten } from '../../service/shortened-text';
import type { NextStep, Paragraph } from '../command-text';
import type { OrderName } from '../folder/events';
import type { Words } from '../results/words';
import { count } from '../text';

/** Begins a line about a row of the CSV, "row 12   ", or about an order whose row is not there. */
export function rowLabel(row: number | undefined): string {
	return (row === undefined ? '–' : `row ${row}`).padEnd(9);
}

/** A command is below the text that leads to it, and so is what else there is to do about a row. */
export const INDENT = ' '.repeat(9);

/** The number of rows of a kind that are listed one by one. */
export const FEW_ROWS = 20;

/** The longest name of a product in a line, in characters. */
export const NAME_WIDTH = 60;

/** Gives "Glow Serum (4711)". A long name is cut off, and not the number. */
export function productText({ product_name, own_number }: OrderName, width = NAME_WIDTH): string {
	if (own_number === undefined) return oneLine(product_name, width);
	const number = ` (${oneLine(own_number, 24)})`;
	return `${oneLine(product_name, Math.max(8, width - number.length))}${number}`;
}

/** Gives "row 12    Glow Serum". */
export function rowName(order: OrderName): string {
	return `${rowLabel(order.row)} ${productText(order)}`;
}

/** Gives "2:05", "01:02:05". */
export function clockTime(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	const [hours, minutes, rest] = parts.map(twoDigits);
	return parts[0] === 0 ? `${parts[1]}:${rest}` : `${hours}:${minutes}:${rest}`;
}

/** Gives "4 seconds", "25 minutes", "3 h 40", "12 days". */
export function duration(ms: number): string {
	const minutes = Math.round(ms / 60_000);
	if (minutes < 1 || ms < 60_000) return count(Math.max(1, Math.round(ms / 1000)), 'second');
	if (minutes < 60) return count(minutes, 'minute');
	if (minutes < 36 * 60)
		return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
	return count(Math.round(minutes / 1440), 'day');
}

/**
 * Changes times for somebody at a terminal: "2026-11-10 12:00 UTC" to "13:00 UTC+1", with its date if that is another
 * day.
 */
export function inLocalTime(text: string, now = new Date()): string {
	return text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day: string, time: string) => {
		const at = new Date(`${day}T${time}Z`);
		const [date, clock] = localTime(at);
		const isToday = date === localTime(now)[0];
		return `${isToday ? '' : `${date} `}${clock} ${zoneAt(at)}`;
	});
}

/** Gives "2026-11-10" and "13:00". */
function localTime(at: Date): [date: string, clock: string] {
	const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
	return [local.slice(0, 10), local.slice(11, 16)];
}

/** Gives "UTC+1", "UTC-3:30". Its name would take the data of all languages (docs/decisions.md). */
function zoneAt(at: Date): string {
	const offset = -at.getTimezoneOffset();
	if (offset === 0) return 'UTC';
	const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
	return `UTC${offset < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${twoDigits(minutes)}`}`;
}

function twoDigits(n: number): string {
	return String(n).padStart(2, '0');
}

/** Makes a text from outside fit for a terminal: line ends stay, other control characters become spaces. */
export function terminalText(text: string): string {
	return text.replace(CONTROLS, (sign) => (sign.includes('\n') ? '\n' : ' '));
}

/** Does the same for a paragraph. */
export function terminalParagraph(paragraph: Paragraph): Paragraph {
	if (typeof paragraph === 'string') return terminalText(paragraph);
	const { text, command } = paragraph;
	return { text: terminalText(text), command };
}

/** Control characters (ESC and the 8-bit ones among them), and those that change the direction of writing. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Makes a text safe to print: only line ends, and own colours if there are some, control the terminal. */
export function printable(text: string, hasColour = false): string {
	return text.replace(OWN_OR_CONTROL, (_, colour?: string) =>
		colour !== undefined && (hasColour || colour === '\n') ? colour : ' ',
	);
}

const OWN_OR_CONTROL = new RegExp(
	`(\\n|\\u001b\\[(?:22?|1|3[1239])m)|${CONTROLS.source.slice(0, -1)}`,
	'gu',
);

/** Puts a text from outside on one line of at most `width` characters, without control characters. */
export function oneLine(text: string, width: number): string {
	return shorten(text.replace(CONTROLS, ' ').trim(), width);
}

/** The longest text about a row, in characters. */
const LONGEST = 1000;

/** Puts words behind the beginning of a row's line, and each further thing to do below it. */
export function paragraphs(head: string, { what, next: [first, ...others] }: Words): NextStep[] {
	const line = oneLine(`${what} ${first?.text ?? ''}`, LONGEST);
	return [
		{ text: line === '' ? head : `${head}  ${line}`, command: first?.command },
		...others.map(({ text, command }) => ({ text: `${INDENT}${oneLine(text, LONGEST)}`, command })),
	];
}

/** Says how much of the month's allowance is used, and of how much if that is known. */
export function allowanceUsed({ allowance, used }: Pick<Allowance, 'allowance' | 'used'>): string {
	return allowance === null ? `not known, ${used} used` : `${used} of ${allowance} used`;
}
