import type { Records } from '../journal/records';
import { DEFAULT_OUT } from './options';

/** A command to copy, for the CSV and the --set values of the newest run. Other options are to be given as before. */
export function commandFor(
	name: 'run' | 'retry' | 'audit',
	{ lastCsv, lastSet }: Pick<Records, 'lastCsv' | 'lastSet'>,
	outDir: string,
	...options: string[]
): string {
	// Earlier versions took an empty value, too. It changed nothing.
	const set = Object.entries(lastSet).flatMap(([field, value]) =>
		value.trim() === '' ? [] : ['--set', `${field}=${value}`],
	);
	const file = lastCsv === null ? 'FILE.csv' : quoted(lastCsv);
	return [
		'brief-batch',
		name,
		file,
		...[...outOption(outDir), ...set, ...options].map(quoted),
	].join(' ');
}

/** A command to copy that reads no CSV. */
export function folderCommand(name: 'status', outDir: string): string {
	return ['brief-batch', name, ...outOption(outDir).map(quoted)].join(' ');
}

function outOption(outDir: string): string[] {
	return outDir === DEFAULT_OUT ? [] : ['--out', outDir];
}

/** As a shell takes it for one argument. */
function quoted(text: string): string {
	return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replace(/(["$`\\])/g, '\\$1')}"`;
}
