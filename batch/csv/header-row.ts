import { countKnownFields, namesProduct, type HeaderMap } from './columns';

/** A title, a date and the like stand above a header, not more than four lines. Blank ones do not count. */
export const RECORDS_EXAMINED = 5;

/**
 * Which of the first records of a CSV is the header: the first, unless those above another one are titles. Titles name
 * no field, or are alone on their line, and have at most half as many cells as the header.
 */
export function headerAt(records: readonly string[][], map: HeaderMap): number {
	const first = countKnownFields(records[0] ?? [], map);
	for (let at = 1; at < Math.min(records.length, RECORDS_EXAMINED); at++) {
		const above = records.slice(0, at).map(countFilled);
		const longest = Math.max(...above);
		const record = records[at] ?? [];
		if (2 * longest > countFilled(record)) continue;
		const known = countKnownFields(record, map);
		if (first === 0 && namesProduct(record, map)) return at;
		if (longest === 1 && known > 1 && known > first) return at;
	}
	return 0;
}

/** Which record looks like the header although rows stand above it; -1 where none does. */
export function headerBelow(records: readonly string[][], map: HeaderMap): number {
	return records.slice(0, RECORDS_EXAMINED).findIndex((record) => namesProduct(record, map));
}

function countFilled(cells: readonly string[]): number {
	return cells.filter((cell) => cell.trim() !== '').length;
}
