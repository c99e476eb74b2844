import { sha256 } from '../../sha256';
import type { JournalEvent } from './journal-events';

const SUM_LENGTH = 16;
const MIDDLE = '","event":';

/**
 * Writes a line of the journal: `{"n":7,"sum":"1f0c…","event":{…}}`. `n` counts the lines from 1, `sum` is the start of the
 * SHA-256 of the number and the event's text. They reveal a line that is torn, changed, lost or doubled.
 */
export function encodeLine(n: number, event: JournalEvent): string {
	const text = JSON.stringify(event);
	return `{"n":${n},"sum":"${checksum(n, text)}","event":${text}}\n`;
}

/** Reads the event of line `n` (without its line end), or null if the line is not what was written. */
export function decodeLine(n: number, line: string): JournalEvent | null {
	// By position, because a regular expression takes as long as everything else.
	const start = `{"n":${n},"sum":"`;
	const sumEnd = start.length + SUM_LENGTH;
	const text = line.slice(sumEnd + MIDDLE.length, -1);
	const isWhole =
		line.startsWith(start) &&
		line.startsWith(MIDDLE, sumEnd) &&
		line.endsWith('}') &&
		line.startsWith(checksum(n, text), start.length);
	return isWhole ? (JSON.parse(text) as JournalEvent) : null;
}

function checksum(n: number, text: string): string {
	return sha256(`${n} ${text}`).slice(0, SUM_LENGTH);
}
