import { distance } from 'fastest-levenshtein';
import { addCount } from '../collections';
import type { LiveOrder } from './order';
import {
	isFree,
	pairInGroups,
	type Candidate,
	type EditedRows,
	type Pair,
	type Unpaired,
} from './pairing';

/** A row is compared with at most this many orders, so that 20,000 edited names are matched in seconds. */
const MAX_COMPARED = 100;

/**
 * Pairs rows whose product name was edited. Only the name identifies a row without a row ID and without a product ID, so an
 * edited name would look like a new product and would be paid for:
 *
 *     order   Glow Serum      row   Glow Serum 2026    has all words of the order
 *     order   Glow Serun      row   Glow Serum         one letter is different
 *     order   Lipstick 120    row   Lipstick 1         another product: other numbers
 *     order   Red Lipstick    row   Pink Lipstick      another product: four letters are different
 *
 * All other fields have to be equal. Each row, in sequence, gets the most similar order that is free.
 */
export function pairRenamedRows({ rows, candidates }: Unpaired): Pair[] {
	const withoutIds = rows.filter((each) => each.rows.every(({ rowId }) => rowId === null));
	return pairInGroups({ rows: withoutIds, candidates }, getOtherFields, pairNames);
}

function getOtherFields({ fields }: EditedRows | Candidate): string {
	return JSON.stringify({ ...fields, product_name: '' });
}

function pairNames({ rows, candidates }: Unpaired): Pair[] {
	const index = new Map<string, Set<NamedCandidate>>();
	for (const [rank, candidate] of candidates.entries()) {
		const named = { ...candidate, rank, name: toName(candidate) };
		for (const token of listTokens(named.name))
			index.set(token, (index.get(token) ?? new Set()).add(named));
	}
	const gained = new Map<LiveOrder, number>();
	return rows.flatMap((row) => {
		const best = findAlike(toName(row), index).find((each) => isFree(each, gained));
		if (best === undefined) return [];
		addCount(gained, best.order, row.rows.length);
		// So that the next rows do not pass over thousands of candidates that are taken.
		if (!isFree(best, gained))
			for (const token of listTokens(best.name)) index.get(token)?.delete(best);
		return [[row, best.order]];
	});
}

interface NamedCandidate extends Candidate {
	readonly name: Name;
	/** In a tie, the lowest wins. */
	readonly rank: number;
}

/** The candidates by the parts of their names: alike names have words or some letters in a row in common. */
type NameIndex = ReadonlyMap<string, ReadonlySet<NamedCandidate>>;

/** Returns the candidates whose names are alike, the most similar first. */
function findAlike(name: Name, index: NameIndex): NamedCandidate[] {
	const alike = listCandidates(name, index).flatMap((candidate) => {
		const edits = countEdits(name, candidate.name);
		return edits === null ? [] : [{ candidate, edits }];
	});
	alike.sort((a, b) => a.edits - b.edits || a.candidate.rank - b.candidate.rank);
	return alike.map(({ candidate }) => candidate);
}

/** Returns the candidates of the rarest tokens. */
function listCandidates(name: Name, index: NameIndex): NamedCandidate[] {
	const sets = listTokens(name).flatMap((token) => index.get(token) ?? []);
	const found = new Set<NamedCandidate>();
	for (const set of sets.sort((a, b) => a.size - b.size))
		for (const candidate of set) {
			found.add(candidate);
			if (found.size === MAX_COMPARED) return [...found];
		}
	return [...found];
}

/** The parts of a name that are compared. */
interface Name {
	readonly text: string;
	readonly words: ReadonlySet<string>;
	readonly numbers: ReadonlySet<string>;
}

function toName({ fields: { product_name: text } }: EditedRows | Candidate): Name {
	// Without thousands separators: “1,000” is 1000.
	const digits = text.replace(/(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu, '');
	return {
		text,
		words: new Set(text.match(/[\p{L}\p{N}]+/gu)),
		numbers: new Set(digits.match(/\p{N}+/gu)),
	};
}

/** A shorter name has single letters as tokens, too: with two typos, no three letters in a row need be the same. */
const SHORT_NAME_LENGTH = 10;

/**
 * Returns words, pairs of words, and parts of three letters without spaces, so that “GlowSerum” has the same parts as “Glow
 * Serum”. A pair is rare even if many names consist of the same words.
 */
function listTokens({ words }: Name): string[] {
	const list = [...words];
	const pairs = list.slice(1).map((word, index) => `${list[index]} ${word}`);
	const letters = list.join('');
	const single = letters.length <= SHORT_NAME_LENGTH ? listParts(letters, 1) : [];
	return [...list, ...pairs, ...listParts(letters, 3), ...single];
}

/** Returns all parts of a text with this length. */
function listParts(text: string, length: number): string[] {
	return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) =>
		text.slice(at, at + length),
	);
}

/** Returns the edit distance of two names; null if they are not alike. */
function countEdits(a: Name, b: Name): number | null {
	const edits = distance(a.text, b.text);
	const isAddition =
		(isPart(a.words, b.words) && isPart(a.numbers, b.numbers)) ||
		(isPart(b.words, a.words) && isPart(b.numbers, a.numbers));
	if (isAddition) return edits;
	const hasSameNumbers = isPart(a.numbers, b.numbers) && isPart(b.numbers, a.numbers);
	const length = Math.max(a.text.length, b.text.length);
	const isTypo = edits <= Math.max(2, length / 5) && edits <= length / 3;
	return hasSameNumbers && isTypo ? edits : null;
}

function isPart(set: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return [...set].every((item) => other.has(item));
}
