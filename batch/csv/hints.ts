import { makeFinding, type Finding } from '../../core/finding';
import { INPUT_FIELDS } from '../../core/input/input-fields';
import { getCell } from './cells';
import { getColumnName, isSameHeader, matchHeader, normalizeHeader } from './columns';
import { POSSIBLE_HEADERS, SALES_STATUS } from './header-aliases';
import type { Table } from './types';

/**
 * What the user probably wants to know before rows are paid for. The rows are ordered as they are.
 *
 *     “Commission” is not sent.
 *     If it contains campaign_terms, add this option now; after the first order, it would change every row:
 *       --map "Commission=campaign_terms"
 */
export function findHints(table: Table): Finding[] {
	// With --where, the user has already chosen the rows.
	const states = table.options.where.length > 0 ? [] : suggestWhere(table);
	return [...suggestMaps(table), ...states];
}

const POSSIBLE_FIELDS = new Map(
	INPUT_FIELDS.flatMap((field) =>
		(POSSIBLE_HEADERS[field] ?? []).map((header) => [normalizeHeader(header), field] as const),
	),
);

/** Enough rows to judge what a column contains. */
const MAX_ROWS_SAMPLED = 50;

/** Suggests --map for columns that look like a field. A column is only suggested as links if it contains links. */
function suggestMaps({ headers, rows, columns, options }: Table): Finding[] {
	return headers.flatMap((header, index) => {
		// A column of product links, while another column contains the names.
		const isProductLink = matchHeader(header)?.field === 'product_name';
		const field = isProductLink ? 'reference_urls' : POSSIBLE_FIELDS.get(normalizeHeader(header));
		if (field === undefined || columns[field] !== undefined || options.set[field] !== undefined)
			return [];
		const isRead = Object.values(columns).includes(header);
		const isMapped = Object.keys(options.map).some((name) => isSameHeader(name, header));
		const texts = rows
			.slice(0, MAX_ROWS_SAMPLED)
			.map(({ cells }) => getCell(cells, index))
			.filter((text) => text !== '');
		const fits = field !== 'reference_urls' || texts.every((text) => /^https:\/\//i.test(text));
		if (isRead || isMapped || texts.length === 0 || !fits) return [];
		const name = getColumnName(headers, index);
		return makeFinding(`“${name}” is not sent.`, {
			text: `If it contains ${field}, add this option now; after the first order, it would change every row:`,
			commands: [`--map "${name}=${field}"`],
		});
	});
}

/** A column with more values does not contain states. */
const MAX_STATES = 6;

interface ValueCount {
	/** In the first spelling that the CSV has. */
	readonly value: string;
	readonly rows: number;
}

/** Suggests --where for columns that say which products are on sale. */
function suggestWhere(table: Table): Finding[] {
	return table.headers.flatMap((header, index) => {
		// --where cannot name a column without a header.
		const counts = header.trim() === '' ? [] : countValues(table, index);
		const named = counts.filter(({ value }) => value !== '').sort((a, b) => b.rows - a.rows);
		const [most] = named;
		const hasStates = named.some(({ value }) => SALES_STATUS.test(value));
		if (counts.length < 2 || most === undefined || !hasStates) return [];
		const name = getColumnName(table.headers, index);
		const values = named.map(({ value, rows }) => `${rows} “${value}”`).join(', ');
		return makeFinding(`“${name}” contains ${values}.`, {
			text: 'To order only some of these rows, add a condition such as:',
			commands: [`--where "${name}=${most.value}"`],
		});
	});
}

/** Returns no counts if the column has too many values for states. */
function countValues({ rows }: Table, index: number): ValueCount[] {
	const counts = new Map<string, ValueCount>();
	for (const { cells } of rows) {
		const value = getCell(cells, index);
		const key = value.toLowerCase();
		const count = counts.get(key) ?? { value, rows: 0 };
		counts.set(key, { ...count, rows: count.rows + 1 });
		if (counts.size > MAX_STATES) return [];
	}
	return [...counts.values()];
}
