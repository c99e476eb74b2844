export const DEFAULT_OUT = 'briefs';

const PROGRAM = 'brief-batch';

/** What to do, with the command for it. */
export interface NextStep {
	text: string;
	command?: string | undefined;
}

/** What a person reads in one piece. Its command, if it has one, is on a line of its own below it. */
export type Paragraph = string | NextStep;

/** The folder that commands are for, and the newest run in it: its CSV, and what was typed for it besides --out. */
export interface Place {
	outDir: string;
	lastCommand: { lastCsv: string | null; lastOptions: readonly string[] };
}

/** The place of words whose commands nobody is shown. */
export const NOWHERE: Place = { outDir: '', lastCommand: { lastCsv: null, lastOptions: [] } };

/** Gives a command to copy: that of the newest run, with these options too. */
export function commandFor(
	name: 'plan' | 'run' | 'retry',
	{ outDir, lastCommand: { lastCsv, lastOptions } }: Place,
	...options: string[]
): string {
	const typed = [...outOption(outDir), ...lastOptions, ...options];
	return commandLine(PROGRAM, name, lastCsv ?? 'FILE.csv', ...typed);
}

export function folderCommand(name: 'status' | 'unlock', outDir: string): string {
	return commandLine(PROGRAM, name, ...outOption(outDir));
}

function outOption(outDir: string): string[] {
	return outDir === DEFAULT_OUT ? [] : ['--out', outDir];
}

export function commandLine(...words: readonly string[]): string {
	return words.map((word) => quotedFor(process.platform, word)).join(' ');
}

/** The characters that a shell takes as they are, changes between double quotation marks, or ends single ones with. */
const POSIX = { plain: /^[\w@%+=:,./-]+$/, changed: /["$`\\!]/, end: /'/g, escaped: "'\\''" };
/** PowerShell and cmd. PowerShell takes curly quotation marks for straight ones, and a comma for a list. */
const WINDOWS = { plain: /^[\w+=:./\\-]+$/, changed: /["“”„$`]/, end: /['‘’‚‛]/g, escaped: '$&$&' };

/** Gives a text as one argument of the system's shells. */
function quotedFor(platform: NodeJS.Platform, text: string): string {
	const isWindows = platform === 'win32';
	const { plain, changed, end, escaped } = isWindows ? WINDOWS : POSIX;
	if (plain.test(text)) return text;
	if (changed.test(text)) return `'${text.replace(end, escaped)}'`;
	// A backslash in front of the closing mark would make it a part of the text.
	return `"${isWindows ? text.replace(/(?<!\\)\\+$/, '$&$&') : text}"`;
}
