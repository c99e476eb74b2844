import { createHash } from 'node:crypto';
import type { JournalEvent } from './events';

/**
 * A line of the journal: `{"n":7,"sum":"1f0c…","event":{…}}`. `n` counts the lines from 1, `sum` is the start of the
 * SHA-256 of the number and the event's text. They show a line that is torn, changed, lost or doubled.
 */
export function encodeLine(n: number, event: JournalEvent): string {
	const text = JSON.stringify(event);
	return `{"n":${n},"sum":"${checksum(n, text)}","event":${text}}\n`;
}

const LINE = /^\{"n":(\d+),"sum":"([0-9a-f]{16})","event":(.*)\}$/s;

/** The event of line `n` (without its line end), or null where the line is not what was written. */
export function decodeLine(n: number, line: string): JournalEvent | null {
	const match = LINE.exec(line);
	const text = match?.[3];
	if (text === undefined || Number(match?.[1]) !== n || match?.[2] !== checksum(n, text))
		return null;
	return JSON.parse(text) as JournalEvent;
}

function checksum(n: number, text: string): string {
	return createHash('sha256').update(`${n} ${text}`).digest('hex').slice(0, 16);
}
