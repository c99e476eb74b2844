import { basename, dirname, resolve } from 'node:path';
import { DEFAULT_FOLDER } from './options';
import type { Subject } from '../report/subject';

/**
 * Returns how screens and messages name the CSV and its folder.
 * @param name --name
 */
export function makeSubject(folder: string, name: string | undefined, csv: string | null): Subject {
	return { name: getClientName(folder, name), csv, folder };
}

/** Returns --name or the name of the folder; of clients/acme/briefs it is acme. */
export function getClientName(folder: string, name: string | undefined): string {
	const path = resolve(folder);
	return name ?? basename(basename(path) === DEFAULT_FOLDER ? dirname(path) : path);
}
