import { columnName } from './column-names';
import type { Table } from './table';

/** Values by which systems say whether a product is sold. */
const STATES = new Set(
	'active inactive archived draft published unpublished unlisted enabled disabled discontinued available unavailable hidden visible live aktiv inaktiv archiviert entwurf actif inactif archivé brouillon activo inactivo archivado borrador'.split(
		' ',
	),
);

/** A shop's sizes and colours, which are rows of their own below their product. */
const VARIATION = /^variation(,|$)/;

/** A column of more values does not speak of a state. */
const MOST_VALUES = 6;

/** Names the columns that say which rows are on sale, or are products, for a person to choose by. */
export function stateNotices({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string[] {
	return columns.flatMap((header, place) => {
		// A --where cannot name it.
		if (header.trim() === '') return [];
		const column = columnName(header, place);
		const counts = new Map<string, number>();
		const spellings = new Map<string, string>();
		for (const { cells } of rows) {
			const cell = (cells[place] ?? '').trim();
			const value = cell.toLowerCase();
			counts.set(value, (counts.get(value) ?? 0) + 1);
			if (!spellings.has(value)) spellings.set(value, cell);
			if (counts.size > MOST_VALUES) return [];
		}
		const values = [...counts].filter(([value]) => value !== '');
		const [most] = values.sort(([, a], [, b]) => b - a);
		if (most === undefined || counts.size < 2) return [];
		const spelt = (value: string) => spellings.get(value) ?? value;
		const variations = values.filter(([value]) => VARIATION.test(value));
		const wheres = values.some(([value]) => STATES.has(value))
			? [`${column}=${spelt(most[0])}`]
			: variations.map(([value]) => `${column}!=${spelt(value)}`);
		if (wheres.length === 0) return [];
		const text = values.map(([value, n]) => `${n} ${spelt(value)}`).join(', ');
		const options = wheres.map((where) => `--where "${where}"`).join(' ');
		return [`${column}: ${text}. To leave some out: ${options}`];
	});
}
