import { dirname, relative, resolve, sep } from 'node:path';
import type { JournalEvent } from './journal-events';

/**
 * Gives an event as the journal has it: the CSV's path leads from the journal's folder, so that both can be moved
 * together, and has slashes, so that every operating system reads it.
 */
export function toJournal(event: JournalEvent, journal: string): JournalEvent {
	return withCsv(event, (csv) => relative(dirname(journal), csv).replaceAll(sep, '/'));
}

/** Gives an event as it is read: the CSV's path leads from the current folder, in which commands are pasted. */
export function fromJournal(event: JournalEvent, journal: string): JournalEvent {
	return withCsv(event, (csv) => relative('', resolve(dirname(journal), csv)));
}

function withCsv(event: JournalEvent, change: (csv: string) => string): JournalEvent {
	const hasPath = 'csv' in event && event.csv !== STANDARD_INPUT;
	return hasPath ? { ...event, csv: change(event.csv) } : event;
}

const STANDARD_INPUT = '-';
