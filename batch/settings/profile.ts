import { parseEnv } from 'node:util';
import { Stop } from '../stop';
import { readText } from './text-file';

/** An empty line, a comment or NAME=value. A # with a blank on either side begins a comment. */
const LINE = /^\s*(#.*|(export\s+)?[\w.-]+\s*=[^#]*(\s#+(\s.*)?)?)?$/;
/** A value in quotation marks, which may have several lines, and what follows it. */
const QUOTED = /=[ \t]*(["'`])[^]*?\1[^\n]*/g;

/**
 * Reads the variables of a client's profile, the file of --env-file, as Node.js does.
 * @throws {Stop} if a line would be lost, or a value cut off. No message shows a line: the API key may be in it.
 */
export function readProfile(file: string): NodeJS.Dict<string> {
	const text = readText(file, `The file ${file} of --env-file`, '--env-file');
	const plain = text.replace(QUOTED, (value) => `=${value.replace(/[^\n]/g, '')}`);
	const lineNumber = plain.split('\n').findIndex((line) => !LINE.test(line.trimEnd())) + 1;
	if (lineNumber === 0) return parseEnv(text);
	throw new Stop(
		`Line ${lineNumber} of the file ${file} cannot be read, or only as far as the #.`,
		'Write each variable on its own line, as NAME=value, a value with a # in quotation marks, and begin a comment with #.',
	);
}
