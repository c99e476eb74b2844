import type { Records } from '../journal/records';
import { DEFAULT_OUT } from './options';

/** A command to copy, for the CSV and the --set values of the newest run. Other options are to be given as before. */
export function commandFor(
	name: 'run' | 'retry' | 'audit',
	{ lastCsv, lastSet }: Pick<Records, 'lastCsv' | 'lastSet'>,
	outDir: string,
	...options: string[]
): string {
	const set = Object.entries(lastSet).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
	const out = outDir === DEFAULT_OUT ? [] : ['--out', outDir];
	const file = lastCsv === null ? 'FILE.csv' : quoted(lastCsv);
	return ['brief-batch', name, file, ...[...out, ...set, ...options].map(quoted)].join(' ');
}

/** As a shell takes it for one argument. */
function quoted(text: string): string {
	return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replace(/(["$`\\])/g, '\\$1')}"`;
}
