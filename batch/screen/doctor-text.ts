import { commandFor, folderCommand, type Paragraph } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { nameOf, type AtWork } from '../folder/lock/holder';
import type { Stop } from '../stop';
import type { Console } from './console';
import type { Paint } from './event-lines';
import { terminalParagraph, terminalText } from './format';

const STATES = {
	ok: { word: 'ok', style: 'green' },
	warning: { word: 'warning', style: 'yellow' },
	problem: { word: 'problem', style: 'red' },
	/** It could not be tried, or nothing shows it. */
	unknown: { word: 'not known', style: 'dim' },
} as const;

/** A finding about one thing that a run needs. */
export interface Check {
	name: string;
	state: keyof typeof STATES;
	what: string;
	/** The cure; null if there is nothing to do. */
	cure: string | null;
	/** Its command; null if it has none. */
	command: string | null;
	/** The end of a run because of it. */
	exit_code: ExitCode;
}

/** What was found of something that does not fail. A text alone: it works. */
export type TryResult =
	string | (Pick<Check, 'state' | 'what'> & Partial<Pick<Check, 'cure' | 'command'>>);

export function checkOf(name: string, finding: TryResult): Check {
	const facts = typeof finding === 'string' ? { state: 'ok' as const, what: finding } : finding;
	return { name, cure: null, command: null, exit_code: EXIT.ok, ...facts };
}

export function problem(name: string, { what, cure, exitCode }: Stop): Check {
	return { name, state: 'problem', what, cure, command: null, exit_code: exitCode };
}

/** Gives the check to cure first: the rest may follow from it. Null if there is nothing to do. */
export function firstToCure(checks: readonly Check[]): Check | null {
	const inState = (state: Check['state']) => checks.find((check) => check.state === state);
	return inState('problem') ?? inState('warning') ?? null;
}

const WIDTHS = { state: 11, name: 11 };

/**
 * Gives what works and what does not, and what to do first or next.
 * @param typed the words besides --out, for the command to copy
 */
export function doctorText(
	checks: readonly Check[],
	outDir: string,
	typed: readonly string[],
	{ isQuiet, paint }: Console,
): Paragraph[] {
	const lines = checks
		.filter(({ cure }) => !isQuiet || cure !== null)
		.map((check) => checkText(check, paint));
	const first = firstToCure(checks);
	if (first !== null) {
		const text = `Do this first (${first.name}): ${first.cure ?? ''}`;
		return [...lines, terminalParagraph({ text, command: first.command ?? undefined })];
	}
	if (isQuiet) return lines;
	const lastCommand = { lastCsv: null, lastOptions: typed };
	const command = commandFor('plan', { outDir, lastCommand });
	return [...lines, { text: 'All that a run needs works. Next:', command }];
}

function checkText({ name, state, what, cure, command }: Check, paint: Paint): Paragraph {
	const { word, style } = STATES[state];
	const head = `${paint(style, word.padEnd(WIDTHS.state))}${name.padEnd(WIDTHS.name - 1)} `;
	const more = cure === null ? '' : `\n${' '.repeat(WIDTHS.state + WIDTHS.name)}${cure}`;
	return { text: `${head}${terminalText(`${what}${more}`)}`, command: command ?? undefined };
}

/**
 * Says whose the folder's lock is. A run would say the same when it begins, and end or take it over.
 * @param atWork null if the lock cannot be read
 */
export function lockFinding(atWork: AtWork | null, outDir: string): TryResult {
	if (atWork === null) return { state: 'unknown', what: 'it cannot be read' };
	if (atWork.is === 'nobody') return 'no run holds the folder';
	const holder = nameOf(atWork.by);
	if (atWork.is === 'dead') return `left by ${holder}, which has ended: the next run takes it over`;
	if (atWork.is === 'alive') {
		const what = `${holder}, holds the folder and is at work.`;
		const cure = 'Wait until it is done: a second run would end with 6.';
		return { state: 'warning', what, cure };
	}
	return {
		state: 'warning',
		what: `The folder has a lock of ${holder}. Nothing here shows whether that run is alive.`,
		cure: 'See with:',
		command: folderCommand('unlock', outDir),
	};
}
