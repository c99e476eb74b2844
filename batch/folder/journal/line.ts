import { sha256 } from '../../sha256';
import type { Line } from '../events';

const SUM_LENGTH = 16;
const MIDDLE = '","line":';

/**
 * Writes a line of the journal: `{"n":7,"sum":"1f0c…","line":{…}}`. `n` counts the lines from 1, `sum` is the start of the
 * SHA-256 of the number and the text behind it. They reveal a line that is torn, changed, lost or doubled.
 */
export function encodeLine(n: number, line: Line): string {
	const text = JSON.stringify(line);
	return `{"n":${n},"sum":"${checksum(n, text)}","line":${text}}\n`;
}

/** Reads line `n` (without its line end), or null if it is not what was text. */
export function decodeLine(n: number, text: string): Line | null {
	// By position, because a regular expression takes as long as everything else.
	const start = `{"n":${n},"sum":"`;
	const sumEnd = start.length + SUM_LENGTH;
	const body = text.slice(sumEnd + MIDDLE.length, -1);
	const isWhole =
		text.startsWith(start) &&
		text.startsWith(MIDDLE, sumEnd) &&
		text.endsWith('}') &&
		text.startsWith(checksum(n, body), start.length);
	return isWhole ? (JSON.parse(body) as Line) : null;
}

function checksum(n: number, text: string): string {
	return sha256(`${n} ${text}`).slice(0, SUM_LENGTH);
}
