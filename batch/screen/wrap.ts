import type { Paragraph } from '../command-text';
import { INDENT, inLocalTime, printable } from './format';
import { textWidth } from './text-width';

/** Colours, which take no room. */
const COLOUR = /\p{Cc}\[\d+m/gu;
/** A word with the blanks before it. */
const WORD = /(\s*)(\S+)/g;

/**
 * Gives a paragraph as a stream shows it. A terminal gets the times of its place, and lines that are broken between
 * words; a command is to be copied, so it stays whole. A file or a program gets all as it is.
 */
export function shownOn(
	{ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
	paragraph: Paragraph,
	hasColour = false,
): string {
	const { text, command } = typeof paragraph === 'string' ? { text: paragraph } : paragraph;
	const safe = printable(isTTY ? inLocalTime(text) : text, hasColour);
	const lines = isTTY ? safe.replace(/.+/g, (line) => wrapLine(line, columns || 80)) : safe;
	return command === undefined ? lines : `${lines}\n${INDENT}${printable(command)}`;
}

function wrapLine(line: string, width: number): string {
	if (textWidth(line.replace(COLOUR, '')) <= width) return line;
	const indent = ' '.repeat(indentOf(line, width));
	let text = '';
	let column = 0;
	for (const [, blanks = '', word = ''] of line.matchAll(WORD)) {
		const [gap, wordWidth] = [blanks.length, textWidth(word.replace(COLOUR, ''))];
		const fits = column + gap + wordWidth <= width || column <= indent.length;
		text += fits ? `${blanks}${word}` : `\n${indent}${word}`;
		column = fits ? column + gap + wordWidth : indent.length + wordWidth;
	}
	return text;
}

/** Gives the place below which a line goes on: that of its last column in the left half. */
function indentOf(line: string, width: number): number {
	const text = line.replace(COLOUR, '');
	const columns = [...text.matchAll(/^\s+|\s{2,}/g)].map(({ index, 0: gap }) => index + gap.length);
	return columns.findLast((at) => at <= width / 2) ?? 0;
}
