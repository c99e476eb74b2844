import { isUsable, type Row } from '../csv/types';

/**
 * Finds the rows that share a brief with a row above them: both ask for the same content.
 * @returns the number of the first row with the content, by the number of each later row
 */
export function findFirstRows(rows: readonly Row[]): ReadonlyMap<number, number> {
	const byContent = new Map<string, number>();
	const firstRows = new Map<number, number>();
	for (const { number, contentId } of rows.filter(isUsable)) {
		const first = byContent.get(contentId);
		if (first === undefined) byContent.set(contentId, number);
		else firstRows.set(number, first);
	}
	return firstRows;
}
