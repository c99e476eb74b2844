import { isSameHeader, matchHeader } from '../../core/input/headers';
import type { InputField } from '../../core/input/input-fields';
import { anyOf } from '../../core/input/text';
import { countValues, getCell } from './cells';
import { getColumnName } from './columns';
import type { CsvFinding, Table } from './types';

/** Enough rows to judge what a column contains. */
const MAX_ROWS_SAMPLED = 50;

/**
 * Returns what the user probably wants to know before rows are paid for. The rows are ordered as they are.
 *
 *     “Commission” is not sent.
 *     If it contains campaign_terms, add this option now; after the first order, it would change every row:
 *       { map: { Commission: 'campaign_terms' } }
 */
export function findHints(table: Table): CsvFinding[] {
	const sample = table.rows.slice(0, MAX_ROWS_SAMPLED);
	const columns = table.headers.map((_, index) => {
		const texts = sample.map(({ cells }) => getCell(cells, index));
		return { index, texts: texts.filter((text) => text !== '') };
	});
	return [
		...columns.flatMap(({ index, texts }) => suggestMap(table, index, texts)),
		...columns.flatMap(({ index, texts }) => suggestWhere(table, index, texts)),
	];
}

/** Headers that could mean a field, or something else. Such columns are only sent if `map` says so. */
const POSSIBLE_HEADERS: ReadonlyArray<readonly [field: InputField, header: RegExp]> = [
	['audience', /\bpersonas?\b/i],
	['approved_facts', /\b(?:usps?|selling points|benefits|features|bullet points)\b/i],
	['campaign_terms', /\b(?:commission|offer|deal|conditions)\b|^t&c$/i],
	['reference_urls', /^(?:(?:video )?(?:url|link)|video|website|landing page)s?$/i],
];

/** Words by which shops say whether a product is sold. */
const SALES_STATUS = new RegExp(
	`^${anyOf(
		'(?:in)?active|archived|draft|discontinued|live|hidden|visible',
		'(?:un)?published|unlisted|enabled|disabled|(?:un)?available',
	)}$`,
	'i',
);

function findPossibleField(header: string): InputField | undefined {
	// A column of product links, while another column contains the names.
	if (matchHeader(header)?.field === 'product_name') return 'reference_urls';
	const words = header.replace(/[\s_-]+/g, ' ').trim();
	return POSSIBLE_HEADERS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Suggests `map` for a column that looks like a field. A column is only suggested as links if it contains links. */
function suggestMap(
	{ headers, columns, options }: Table,
	index: number,
	texts: readonly string[],
): CsvFinding[] {
	const header = headers[index] ?? '';
	const field = findPossibleField(header);
	if (field === undefined || columns[field] !== undefined || options.set[field] !== undefined)
		return [];
	const isRead = Object.values(columns).includes(header);
	const isMapped = Object.keys(options.map).some((name) => isSameHeader(name, header));
	const fits = field !== 'reference_urls' || texts.every((text) => /^https:\/\//i.test(text));
	if (isRead || isMapped || texts.length === 0 || !fits) return [];
	const name = getColumnName(headers, index);
	const advice = `If it contains ${field}, add this option now; after the first order, it would change every row:`;
	const step = { text: advice, options: { map: { [name]: field } } };
	return [{ message: `“${name}” is not sent.`, nextSteps: [step] }];
}

/** A column with more values does not contain states. */
const MAX_STATES = 6;

/** Suggests `where` for a column that says which products are on sale. */
function suggestWhere(
	{ headers, rows, options }: Table,
	index: number,
	texts: readonly string[],
): CsvFinding[] {
	// With a condition, the user has already chosen the rows. It cannot name a column without a header.
	const canFilter = options.where.length === 0 && headers[index]?.trim() !== '';
	if (!canFilter || !texts.some((text) => SALES_STATUS.test(text))) return [];
	const counts = countValues(rows, index);
	const named = [...counts.values()].filter(({ value }) => value !== '');
	const [most] = named.sort((a, b) => b.rows - a.rows);
	if (counts.size < 2 || counts.size > MAX_STATES || most === undefined) return [];
	const name = getColumnName(headers, index);
	const values = named.map((count) => `${count.rows} “${count.value}”`).join(', ');
	const advice = 'To order only some of these rows, add a condition such as:';
	const step = { text: advice, options: { where: [`${name}=${most.value}`] } };
	return [{ message: `“${name}” contains ${values}.`, nextSteps: [step] }];
}
