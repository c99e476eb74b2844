import { CreatorBriefing } from '../nodes/CreatorBriefing/CreatorBriefing.node';
import { CreatorBriefingWait } from '../nodes/CreatorBriefingWait/CreatorBriefingWait.node';
import { withoutKey } from '../service/api/without-key';
import {
	patternsIn,
	patternsMade,
	patternsOfLoading,
	piecesOf,
	sourcesOf,
	type FoundPattern,
} from './support/patterns';

/* A text may come from a sheet, a webhook or the service, and be of any length: none makes a pattern slow. */

jest.setTimeout(120_000);

const LENGTH = 100_000;
/** A pattern whose time grows with the square of the length takes seconds, any other a few milliseconds. */
const LIMIT_MS = 200;
/** Short enough to try many texts. */
const SHORT = 4000;
const SUSPICIOUS_MS = 0.6;

/** Patterns that are made by a call, with that call. */
const MADE_BY_CALLS: Record<string, () => void> = {
	'service/api/without-key.ts': () => {
		withoutKey(() => Promise.reject(new Error()), 'key-%/&1');
	},
};

/** Patterns that only meet what is short by itself. */
const MEETS_NUMBERS = /^batch\/text\.ts/;

const sources = ['service', 'batch', 'nodes', 'credentials'].flatMap(sourcesOf);
const read = new Map(sources.map((file) => [file, patternsIn(file)]));
const making = sources.filter((file) => read.get(file)!.made > 0);
const made = new Map(making.map((file) => [file, patternsOfLoading(file)]));
const madeByCalls = Object.entries(MADE_BY_CALLS).flatMap(([file, call]) =>
	patternsMade(file, call),
);
/** Patterns that n8n uses itself, for what a field gets. */
const ofFields = [new CreatorBriefing(), new CreatorBriefingWait()].flatMap(({ description }) => {
	const found: FoundPattern[] = [];
	JSON.stringify(description, (key, value: unknown) => {
		if (key === 'regex')
			found.push({ place: description.name, pattern: new RegExp(String(value)) });
		return value;
	});
	return found;
});
const patterns = [
	...[...read.values()].flatMap(({ literals }) => literals),
	...[...made.values()].flat(),
	...madeByCalls,
	...ofFields,
];

/** Texts that begin as the pattern does, go on with a piece of it again and again, and do not end as it does. */
function hostileTexts(pattern: RegExp): Array<(length: number) => string> {
	const pieces = piecesOf(pattern).slice(0, 80);
	const single = [...new Set([...pieces, ' ', '\n', 'a', 'A', '1', '.', '\u0301'])];
	const texts = new Map<string, [start: string, again: string]>();
	const add = (start: string, again: string) => texts.set(`${start}\0${again}`, [start, again]);
	for (const again of single) for (const start of ['', ...single]) add(start, again);
	for (let from = 0; from < pieces.length; from++)
		for (let to = from + 1; to <= Math.min(pieces.length, from + 8); to++) {
			const again = pieces.slice(from, to).join('');
			for (const start of ['', pieces.slice(0, from).join('')]) add(start, again);
		}
	return [...texts.values()].map(
		([start, again]) =>
			(length) =>
				`${start}${again.repeat(length / again.length)}\0`,
	);
}

/** Gives the milliseconds of this process, however busy the machine is. */
function timeOf(pattern: RegExp, text: string): number {
	const before = process.cpuUsage();
	if (pattern.global) text.replace(pattern, '');
	else pattern.exec(text);
	return process.cpuUsage(before).user / 1000;
}

/** Gives a text that makes a pattern slow, for a person; undefined if none does. */
function slowText({ pattern }: FoundPattern): string | undefined {
	const slow = hostileTexts(pattern).find((textOf) => {
		const short = textOf(SHORT);
		const isSuspicious = [1, 2, 3].every(() => timeOf(pattern, short) > SUSPICIOUS_MS);
		return (
			isSuspicious &&
			[LENGTH / 10, LENGTH / 3, LENGTH].some((length) =>
				[1, 2].every(() => timeOf(pattern, textOf(length)) > LIMIT_MS),
			)
		);
	});
	return slow && JSON.stringify(slow(10));
}

test('every pattern of the product is known here', () => {
	expect([...made].filter(([file, found]) => found.length !== read.get(file)!.made)).toEqual([]);
	const inFunctions = sources.filter((file) => read.get(file)!.madeInFunctions > 0);
	expect(inFunctions.sort()).toEqual(Object.keys(MADE_BY_CALLS));
	expect(new Set(madeByCalls.map(({ place }) => place)).size).toBe(inFunctions.length);
	expect(ofFields).not.toEqual([]);
	expect(patterns.length).toBeGreaterThan(190);
});

test('no text of 100,000 characters makes a pattern slow', () => {
	const slow = patterns.flatMap((found) => {
		if (MEETS_NUMBERS.test(found.place)) return [];
		const text = slowText(found);
		return text === undefined ? [] : [`${found.place} ${String(found.pattern)}: ${text}`];
	});
	expect(slow).toEqual([]);
});
