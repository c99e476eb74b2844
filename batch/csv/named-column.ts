import { spelling } from '../../service/input/spelling';
import { Stop } from '../stop';

/**
 * Gives the place of a column that an option names.
 * @throws {Stop} if the CSV does not have it
 */
export function placeOf(option: string, column: string, columns: readonly string[]): number {
	const place = placeIn(column, columns);
	if (place !== -1) return place;
	throw new Stop(
		`${option} names the column “${column}”, which the CSV does not have.`,
		`The nearest is “${nearest(columns, column)[0] ?? ''}”.`,
	);
}

/** Gives the same, or -1. */
export function placeIn(column: string, columns: readonly string[]): number {
	return columns.findIndex((header) => spelling(header) === spelling(column));
}

/** Puts the texts first that are most like another one. */
export function nearest(texts: readonly string[], to: string): string[] {
	return [...texts].sort((a, b) => likeness(b, to) - likeness(a, to));
}

/** The share of the pairs of letters that two names have in common. */
function likeness(one: string, other: string): number {
	const [a, b] = [pairsOf(one), pairsOf(other)];
	return a.filter((pair) => b.includes(pair)).length / (a.length + b.length);
}

function pairsOf(name: string): string[] {
	const letters = Array.from(spelling(name));
	return letters.map((letter, at) => letter + (letters[at + 1] ?? ''));
}
