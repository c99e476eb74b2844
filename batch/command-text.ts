import type { Records } from './folder/journal/records';

export const DEFAULT_OUT = 'briefs';

/** The CSV of a run, and what was typed for it besides --out. */
type Typed = Pick<Records, 'lastCsv' | 'lastOptions'>;

/** A command to copy: that of the newest run, with these options too. */
export function commandFor(
	name: 'run' | 'retry' | 'audit',
	{ lastCsv, lastOptions }: Typed,
	outDir: string,
	...options: string[]
): string {
	const typed = [...outOption(outDir), ...lastOptions, ...options];
	return commandLine('brief-batch', name, lastCsv ?? 'FILE.csv', ...typed);
}

/** The command that gives a row its brief, with a placeholder if there is no ID. */
export function adoptCommand(
	row: number,
	briefId: string | undefined,
	newest: Typed,
	outDir: string,
): string {
	return commandFor('run', newest, outDir, '--adopt', `${row}=${briefId ?? '<brief id>'}`);
}

/**
 * The CSV and the --set values that continue a batch: those of the newest run, or those of the whole CSV if that run
 * read a failed.csv or deferred.csv.
 */
export function toGoOnWith(records: Records): Typed {
	const { lastRun, isUnderWay } = records;
	const { failed = 0, invalid = 0, changed = 0, deferred = 0, pending = 0 } = lastRun?.rest ?? {};
	const isLeft = failed + invalid + changed + deferred + pending > 0;
	return isUnderWay || !isLeft ? records : typedForWhole(records);
}

/** The CSV of the whole batch: that of the newest run, unless that read a part of it. */
export function typedForWhole(records: Records): Typed {
	const { whole } = records;
	return whole === null ? records : { lastCsv: whole.csv, lastOptions: whole.options };
}

export function statusCommand(outDir: string): string {
	return commandLine('brief-batch', 'status', ...outOption(outDir));
}

function outOption(outDir: string): string[] {
	return outDir === DEFAULT_OUT ? [] : ['--out', outDir];
}

export function commandLine(...words: readonly string[]): string {
	return words.map(shellWord).join(' ');
}

/** Gives a text as one argument of a shell. */
function shellWord(text: string): string {
	return /^[\w@%+=:,./\\-]+$/.test(text) ? text : `"${text.replace(/(["$`\\])/g, '\\$1')}"`;
}
