import { isCommand } from '../command-text';
import { textWidth } from './text-width';

/** Colours, which take no room. */
const COLOUR = /\p{Cc}\[\d+m/gu;
/** A word with the blanks before it. */
const WORD = /(\s*)(\S+)/g;

/** Breaks lines between words for a terminal, but no command to copy; a file or a program gets them whole. */
export function wrapFor({ isTTY, columns }: NodeJS.WriteStream, text: string): string {
	if (!isTTY) return text;
	return text.replace(/.+/g, (line) => wrapped(line, columns || 80));
}

function wrapped(line: string, width: number): string {
	if (isCommand(line) || textWidth(line.replace(COLOUR, '')) <= width) return line;
	const indent = ' '.repeat(indentOf(line, width));
	let text = '';
	let used = 0;
	for (const [, blanks = '', word = ''] of line.matchAll(WORD)) {
		const [gap, own] = [blanks.length, textWidth(word.replace(COLOUR, ''))];
		const fits = used + gap + own <= width || used <= indent.length;
		text += fits ? `${blanks}${word}` : `\n${indent}${word}`;
		used = fits ? used + gap + own : indent.length + own;
	}
	return text;
}

/** Gives the place below which a line goes on: that of its last column in the left half. */
function indentOf(line: string, width: number): number {
	const plain = line.replace(COLOUR, '');
	const columns = [...plain.matchAll(/^\s+|\s{2,}/g)].map(
		({ index, 0: gap }) => index + gap.length,
	);
	return columns.findLast((at) => at <= width / 2) ?? 0;
}
