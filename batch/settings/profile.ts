import { parseEnv } from 'node:util';
import { Stop } from '../stop';
import { readText } from './text-file';

/**
 * Reads the variables of a client's profile, the file of --env-file, as Node.js does.
 * @throws {Stop} if a line would be lost, or a value cut off. No message shows a line: the API key may be in it.
 */
export function readProfile(file: string): NodeJS.Dict<string> {
	const text = readText(file, `The file ${file} of --env-file`, '--env-file');
	const lineNumber = lostLine(text);
	if (lineNumber !== null) {
		throw new Stop(
			`Line ${lineNumber} of the file ${file} cannot be read.`,
			'Write each variable on its own line, as NAME=value, and begin a comment with #.',
		);
	}
	const cutAt = text.split('\n').findIndex(endsAtHash);
	if (cutAt !== -1) {
		throw new Stop(
			`Line ${cutAt + 1} of the file ${file} is read only as far as the #.`,
			'Put the whole value in quotation marks. A comment after a value is written “ # …”, with blanks around the #.',
		);
	}
	return parseEnv(text);
}

/** A line that is empty, a comment or NAME=value. A value in quotation marks may have several lines. */
const LINE =
	/[ \t]*(?:\r?(?=\n|$)|#[^\n]*|(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(?:(["'`])[^]*?\1)?[^\n]*)(?:\n|$)/y;

/** Gives the number of the first line that Node.js would pass over, or take for a part of the next one. */
function lostLine(text: string): number | null {
	let end = 0;
	while (end < text.length) {
		LINE.lastIndex = end;
		if (!LINE.test(text)) return text.slice(0, end).split('\n').length;
		end = LINE.lastIndex;
	}
	return null;
}

/**
 * Checks whether Node.js would drop the rest of an unquoted value: a key would be refused, half of a text be ordered.
 */
function endsAtHash(line: string): boolean {
	const [, value = ''] =
		/^\s*(?:export\s+)?CREATOR_BRIEFING_\w+\s*=(?!\s*["'`])(.*)$/.exec(line) ?? [];
	return value.includes('#') && !/^([^#]*\s)?#+(\s|$)/.test(value);
}
