import { SLOTS } from '../../../service/api/limits';
import { count, holderOf, allowanceLeft, outerMoves, type Move } from './service';
import { ProcessMoves, REAL_RULES, type Rules } from './process';
import { simplified } from './simplify';
import { keyOf, startOf, type Adversary, type State } from './state';

interface SearchResult {
	states: number;
	moves: number;
	/** The promise that broke, and how; null if all hold. */
	breach: string | null;
	/** The way to it with the fewest troubles, and of these the shortest: one thing that happens a line. */
	story: string[];
}

interface Reached {
	key: string;
	state: State;
	parent: number;
}

/**
 * Goes through every state that can be reached, those with the fewest troubles first and of these the nearest, and holds
 * the promises against each. At the end it goes backwards: from every state an end must be in reach of moves that need
 * nobody to fail.
 */
export function search(adversary: Adversary, rules: Rules = REAL_RULES): SearchResult {
	const process = new ProcessMoves(adversary, rules);
	const answer = process.answer.bind(process);
	const movesOf = (state: State) => {
		const moves = [...process.of(state), ...outerMoves(state, adversary, answer)];
		for (const move of moves) move.next = simplified(move.next, state, adversary);
		return moves;
	};
	const start = startOf(adversary);
	const numbers = new Map<string, number>();
	const parents: number[] = [];
	const fairWays = { from: [] as number[], to: [] as number[] };
	const ends: number[] = [];
	let moves = 0;
	const result = (at: number, last: string[], breach: string): SearchResult => ({
		states: numbers.size,
		moves,
		breach,
		story: [...storyOf(start, pathTo(at, parents, numbers), movesOf), ...last],
	});
	const isCounted = adversary.troubles < Infinity;
	let reached: Reached[] = [{ key: keyOf(start), state: start, parent: -1 }];
	for (let troubles = 0; reached.length > 0; troubles += 1) {
		const withTrouble: Reached[] = [];
		const queue: State[] = [];
		const add = ({ key, state, parent }: Reached): number => {
			const knownNumber = numbers.get(key);
			if (knownNumber !== undefined) return knownNumber;
			const number = numbers.size;
			numbers.set(key, number);
			parents.push(parent);
			queue.push(state);
			return number;
		};
		let number = numbers.size;
		reached.forEach(add);
		for (let state = queue[0], at = 0; state !== undefined; at += 1, state = queue[at]) {
			if (isEnd(state, adversary)) ends.push(number);
			for (const move of movesOf(state)) {
				const isTrouble = isCounted && !move.isFair;
				if (isTrouble && troubles >= adversary.troubles) continue;
				moves += 1;
				const breach = move.breach ?? lostBrief(move.next, adversary);
				if (breach !== null) return result(number, [move.words], breach);
				const next = { key: keyOf(move.next), state: move.next, parent: number };
				if (isTrouble) {
					if (!numbers.has(next.key)) withTrouble.push(next);
					continue;
				}
				const knownNumber = add(next);
				if (!move.isFair || knownNumber === number) continue;
				fairWays.from.push(number);
				fairWays.to.push(knownNumber);
			}
			number += 1;
		}
		reached = withTrouble;
	}
	const stuck = firstWithoutEnd(numbers.size, fairWays, ends);
	if (stuck !== null) return result(stuck, [], 'P11: no end can be reached any more');
	return { states: numbers.size, moves, breach: null, story: [] };
}

/**
 * P12: a brief of another product is nobody’s result. P2: each brief belongs to one record, or its row’s record leads to it, or that of another row of the same content. What a journal
 * that was lost had on record is in the list.
 */
function lostBrief({ rows, isJournalLost }: State, { isSameContent }: Adversary): string | null {
	const isOpen = ({ record, recordBrief, lastTried }: State['rows'][number]) =>
		record === 'in_doubt' ||
		(record === 'parked' && recordBrief === null && lastTried !== 'none') ||
		(isJournalLost && (record === 'none' || record === 'to_order' || record === 'listed'));
	for (const [index, row] of rows.entries()) {
		// A guest has no record, and finds its brief in the list.
		if (row.brief === 'none' || row.guest !== null) continue;
		const isHeldTwice =
			row.recordBrief === 'own' &&
			count(rows, ({ recordBrief }, at) => at !== index && recordBrief === 'next') > 0;
		if (isHeldTwice) return 'P2: two rows have the same brief';
		// Of briefs of the same content, each may be in the place of the other.
		const isNamed =
			isOpen(row) || (isSameContent && (rows.some(isOpen) || row.recordBrief !== null));
		if (!isNamed && holderOf(rows, index) === null)
			return `P2: no record leads to the brief of a row that is ${row.record} on record`;
	}
	return null;
}

/** Every row is at its end, as far as the allowance goes. */
function isEnd(state: State, adversary: Adversary): boolean {
	if (state.isUp) return false;
	// A run that ends although its rows wait for a slot is what is wanted if no slot ever comes free.
	if (adversary.areOthersEndless && state.others >= SLOTS) return true;
	const isUsedUp = allowanceLeft(state, adversary) <= 0;
	return state.rows.every(({ record, guest, place }) => {
		if (guest !== null) return place === 'none';
		if (['done', 'refused', 'parked', 'listed'].includes(record)) return true;
		return isUsedUp && (record === 'none' || record === 'to_order');
	});
}

/** The first state from which no fair way leads to an end. */
function firstWithoutEnd(
	states: number,
	{ from, to }: { from: readonly number[]; to: readonly number[] },
	ends: readonly number[],
): number | null {
	// The ways into each state, side by side in one list.
	const begin = new Int32Array(states + 1);
	for (const state of to) begin[state + 1]! += 1;
	for (let state = 0; state < states; state += 1) begin[state + 1]! += begin[state]!;
	const bytes = begin.slice();
	const before = new Int32Array(from.length);
	to.forEach((state, way) => (before[bytes[state]!++] = from[way]!));
	const hasEnd = new Uint8Array(states);
	for (const end of ends) hasEnd[end] = 1;
	const todo = [...ends];
	for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
		for (let way = begin[state]!; way < begin[state + 1]!; way += 1) {
			const earlier = before[way]!;
			if (hasEnd[earlier] === 1) continue;
			hasEnd[earlier] = 1;
			todo.push(earlier);
		}
	}
	const stuck = hasEnd.indexOf(0);
	return stuck < 0 ? null : stuck;
}

/** The keys of the states on the way to one. */
function pathTo(last: number, parents: readonly number[], numbers: Map<string, number>): string[] {
	const places = new Map<number, number>();
	const path: number[] = [];
	for (let at = last; at > 0; at = parents[at]!) path.unshift(at);
	path.forEach((number, place) => places.set(number, place));
	const keys: string[] = [];
	for (const [key, number] of numbers) {
		const place = places.get(number);
		if (place !== undefined) keys[place] = key;
	}
	return keys;
}

/** Goes the way once more with the rows in one and the same order, so that each keeps its number. */
function storyOf(
	start: State,
	path: readonly string[],
	movesOf: (state: State) => Move[],
): string[] {
	let state = start;
	return path.map((key) => {
		const move = movesOf(state).find(({ next }) => keyOf(next) === key);
		if (move === undefined) throw new Error('The story cannot be repeated');
		state = move.next;
		return move.words;
	});
}
