import type { Records } from './journal/records';

export const DEFAULT_OUT = 'briefs';

/** A command to copy, with the CSV and the --set values of the newest run. Other options are given as before. */
export function commandFor(
	name: 'run' | 'retry' | 'audit',
	{ lastCsv, lastSet }: Pick<Records, 'lastCsv' | 'lastSet'>,
	outDir: string,
	...options: string[]
): string {
	const set = Object.entries(lastSet).flatMap(([field, value]) => ['--set', `${field}=${value}`]);
	const file = lastCsv === null ? 'FILE.csv' : quoted(lastCsv);
	return [
		'brief-batch',
		name,
		file,
		...[...outOption(outDir), ...set, ...options].map(quoted),
	].join(' ');
}

/** The command that gives a row its brief, with a placeholder if there is no ID. */
export function adoptCommand(
	row: number,
	briefId: string | undefined,
	newest: Pick<Records, 'lastCsv' | 'lastSet'>,
	outDir: string,
): string {
	return commandFor('run', newest, outDir, '--adopt', `${row}=${briefId ?? '<brief id>'}`);
}

/**
 * The CSV and the --set values that continue a batch: those of the newest run, or those of the whole CSV if that run
 * read a failed.csv or deferred.csv.
 */
export function toGoOnWith(records: Records): Pick<Records, 'lastCsv' | 'lastSet'> {
	const { whole, lastRun, isUnderWay } = records;
	const { failed = 0, invalid = 0, changed = 0, deferred = 0, pending = 0 } = lastRun?.rest ?? {};
	const isLeft = failed + invalid + changed + deferred + pending > 0;
	return whole === null || isUnderWay || !isLeft
		? records
		: { lastCsv: whole.csv, lastSet: whole.set };
}

/** A command to copy that reads no CSV. */
export function folderCommand(name: 'status', outDir: string): string {
	return ['brief-batch', name, ...outOption(outDir).map(quoted)].join(' ');
}

function outOption(outDir: string): string[] {
	return outDir === DEFAULT_OUT ? [] : ['--out', outDir];
}

export function commandLine(...words: readonly string[]): string {
	return words.map(quoted).join(' ');
}

/** As one argument of a shell. */
function quoted(text: string): string {
	return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replace(/(["$`\\])/g, '\\$1')}"`;
}
