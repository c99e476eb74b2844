import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Line } from '../events';

/**
 * Gives a line as the journal has it: paths lead from the journal's folder, so that all files can be moved together,
 * and have slashes, so that every operating system reads them.
 */
export function toJournal(line: Line, journal: string): Line {
	return withPaths(line, (path) => relative(dirname(journal), path).replaceAll(sep, '/'));
}

/** Gives a line as it is read: paths lead from the current folder, in which commands are pasted. */
export function fromJournal(line: Line, journal: string): Line {
	return withPaths(line, (path) => relative('', resolve(dirname(journal), path)));
}

/** Changes the path of the CSV, and those in the options: there, an absolute one may lead out of what is moved. */
function withPaths(line: Line, change: (path: string) => string): Line {
	if (!('csv' in line)) return line;
	const csv = line.csv === STANDARD_INPUT ? line.csv : change(line.csv);
	const { options } = line;
	if (options === undefined) return { ...line, csv };
	const isPath = (word: string, at: number) =>
		FILE_OPTIONS.has(options[at - 1] ?? '') && !isAbsolute(word);
	return {
		...line,
		csv,
		options: options.map((word, at) => (isPath(word, at) ? change(word) : word)),
	};
}

const STANDARD_INPUT = '-';
const FILE_OPTIONS: ReadonlySet<string> = new Set(['--env-file', '--api-key-file']);
