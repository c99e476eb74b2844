import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { JournalEvent } from './journal-events';

/**
 * Gives an event as the journal has it: paths lead from the journal's folder, so that all files can be moved together,
 * and have slashes, so that every operating system reads them.
 */
export function toJournal(event: JournalEvent, journal: string): JournalEvent {
	return withPaths(event, (path) => relative(dirname(journal), path).replaceAll(sep, '/'));
}

/** Gives an event as it is read: paths lead from the current folder, in which commands are pasted. */
export function fromJournal(event: JournalEvent, journal: string): JournalEvent {
	return withPaths(event, (path) => relative('', resolve(dirname(journal), path)));
}

/** Changes the path of the CSV, and those in the options: there, an absolute one may lead out of what is moved. */
function withPaths(event: JournalEvent, change: (path: string) => string): JournalEvent {
	if (!('csv' in event)) return event;
	const csv = event.csv === STANDARD_INPUT ? event.csv : change(event.csv);
	const { options } = event;
	if (options === undefined) return { ...event, csv };
	const isPath = (word: string, at: number) =>
		FILE_OPTIONS.has(options[at - 1] ?? '') && !isAbsolute(word);
	return {
		...event,
		csv,
		options: options.map((word, at) => (isPath(word, at) ? change(word) : word)),
	};
}

const STANDARD_INPUT = '-';
const FILE_OPTIONS: ReadonlySet<string> = new Set(['--env-file', '--api-key-file']);
