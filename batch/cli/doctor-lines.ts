import { firstToCure, type Check } from '../doctor/check';
import type { Way } from '../doctor/ways';
import type { Console } from './console';
import { oneLine, terminalText } from './format';
import type { RawOptions } from './options';

const STATES = {
	ok: { word: 'ok', style: 'green' },
	warning: { word: 'warning', style: 'yellow' },
	problem: { word: 'problem', style: 'red' },
	unknown: { word: 'not known', style: 'dim' },
} as const;

const WIDTHS = { state: 11, name: 30, open: 46, seen: 300 };

/** What was found, one line for each check, and at the end what to do first. */
export function showFindings(
	checks: readonly Check[],
	ways: readonly Way[],
	{ quiet = false, out }: Pick<RawOptions, 'quiet' | 'out'>,
	console: Console,
): void {
	const indent = ' '.repeat(WIDTHS.state + WIDTHS.name);
	for (const { name, state, what, cure } of checks) {
		if (quiet && cure === null) continue;
		const { word, style } = STATES[state];
		const head = `${console.paint(style, word.padEnd(WIDTHS.state))}${name.padEnd(WIDTHS.name)}`;
		const more = cure === null ? '' : `\n${indent}${cure}`;
		console.say(`${head}${terminalText(`${what}${more}`)}`);
	}
	const shown = ways.flatMap(({ open, seen }) => (seen === null ? [] : [{ open, seen }]));
	if (!quiet && shown.length > 0) {
		const title =
			'How this service does what its specification leaves open, as free requests show it';
		console.say(`\n${console.paint('bold', title)}`);
		for (const { open, seen } of shown)
			console.say(`  ${nameOf(open).padEnd(WIDTHS.open)}${oneLine(seen, WIDTHS.seen)}`);
		const others = ways.filter(({ seen }) => seen === null).map(({ open }) => nameOf(open));
		if (others.length > 0) console.say(`Nothing seen yet of: ${others.join('; ')}.`);
		console.say(
			'To attach to a question to support, without key and texts: brief-batch doctor --json\n',
		);
	}
	const first = firstToCure(checks);
	if (first !== null)
		console.say(terminalText(`Do this first (${first.name}): ${first.cure ?? ''}`));
	else if (!quiet)
		console.say(`All that a run needs works. Next: brief-batch plan FILE.csv --out ${out}`);
}

/** docs/service.md section 10 marks names of fields, as a terminal does not. */
function nameOf(open: string): string {
	return open.replaceAll('`', '');
}
