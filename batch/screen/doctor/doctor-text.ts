import { commandFor, type Paragraph } from '../../command-text';
import type { Paint } from '../event-lines';
import { terminalParagraph, terminalText } from '../format';
import { firstToCure, type Check } from './check';

const STATES = {
	ok: { word: 'ok', style: 'green' },
	warning: { word: 'warning', style: 'yellow' },
	problem: { word: 'problem', style: 'red' },
	unknown: { word: 'not known', style: 'dim' },
} as const;

const WIDTHS = { state: 11, name: 11 };

interface DoctorContext {
	isQuiet: boolean;
	outDir: string;
	/** The words that were typed besides --out, for the command to copy. */
	typed: readonly string[];
}

/** Gives what works and what does not, and what to do first or next. */
export function doctorText(
	checks: readonly Check[],
	{ isQuiet, outDir, typed }: DoctorContext,
	paint: Paint,
): Paragraph[] {
	const lines = checks
		.filter(({ cure }) => !isQuiet || cure !== null)
		.map((check) => checkText(check, paint));
	const first = firstToCure(checks);
	if (first !== null) return [...lines, firstText(first)];
	if (isQuiet) return lines;
	const command = commandFor('plan', { lastCsv: null, lastOptions: typed }, outDir);
	return [...lines, { text: 'All that a run needs works. Next:', command }];
}

function firstText({ name, cure, command }: Check): Paragraph {
	const text = `Do this first (${name}): ${cure ?? ''}`;
	return terminalParagraph({ text, command: command ?? undefined });
}

function checkText({ name, state, what, cure, command }: Check, paint: Paint): Paragraph {
	const { word, style } = STATES[state];
	const head = `${paint(style, word.padEnd(WIDTHS.state))}${name.padEnd(WIDTHS.name - 1)} `;
	const more = cure === null ? '' : `\n${' '.repeat(WIDTHS.state + WIDTHS.name)}${cure}`;
	return { text: `${head}${terminalText(`${what}${more}`)}`, command: command ?? undefined };
}
