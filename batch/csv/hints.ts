import { PRODUCT_ID_PATTERN } from '../../core/api/limits';
import { isSameHeader, matchHeader } from '../../core/input/headers';
import type { InputField } from '../../core/input/input-fields';
import { quote } from '../../core/input/text';
import { formatCount } from '../../core/text';
import { getCell, normalizeRowId } from './cells';
import { getColumnName } from './columns';
import { isUsable, type CsvFinding, type Row, type Table } from './types';

/**
 * Returns what the user probably wants to know before rows are paid for. The rows are ordered as they are.
 *
 *     “Commission” is not sent.
 *     If it contains campaign_terms, add this option now; after the first order, it would change every row:
 *       { map: { Commission: 'campaign_terms' } }
 */
export function findHints(table: Table): CsvFinding[] {
	return [
		...table.headers.flatMap((_, index) => suggestMap(table, index)),
		...suggestIgnoring(table),
		...suggestWhere(table),
		...suggestId(table),
	];
}

/** Returns the texts of a column that are not empty. */
function getColumnTexts(rows: readonly Row[], index: number): string[] {
	return rows.map(({ cells }) => getCell(cells, index)).filter((text) => text !== '');
}

/** Headers that could mean a field, or something else. Such columns are only sent if `map` says so. */
const POSSIBLE_HEADERS: ReadonlyArray<readonly [field: InputField, header: RegExp]> = [
	['audience', /\bpersonas?\b/i],
	['approved_facts', /\b(?:usps?|selling points|benefits|features|bullet points)\b/i],
	['campaign_terms', /\b(?:commission|offer|deal|conditions)\b|^t&c$/i],
	['reference_urls', /^(?:(?:video )?(?:url|link)|video|website|landing page)s?$/i],
];

function findPossibleField(header: string): InputField | undefined {
	// A column of product links, while another column contains the names.
	if (matchHeader(header)?.field === 'product_name') return 'reference_urls';
	const words = header.replace(/[\s_-]+/g, ' ').trim();
	return POSSIBLE_HEADERS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Suggests `map` for a column that looks like a field. A column is only suggested as links if it contains links. */
function suggestMap({ headers, rows, columns, options }: Table, index: number): CsvFinding[] {
	const header = headers[index] ?? '';
	const field = findPossibleField(header);
	if (field === undefined || columns[field] !== undefined || options.set[field] !== undefined)
		return [];
	const isRead = Object.values(columns).includes(header);
	const isMapped = Object.keys(options.map).some((name) => isSameHeader(name, header));
	const texts = getColumnTexts(rows, index);
	const fits = field !== 'reference_urls' || texts.every((text) => /^https:\/\//i.test(text));
	if (isRead || isMapped || texts.length === 0 || !fits) return [];
	const name = getColumnName(headers, index);
	const advice = `If it contains ${field}, add this option now; after the first order, it would change every row:`;
	const step = { text: advice, options: { map: { [name]: field } } };
	return [{ message: `“${name}” is not sent.`, nextSteps: [step] }];
}

/** Suggests `where` for the variants of products, as some shops export them: only the first row has a name. */
function suggestWhere({ rows, columns }: Table): CsvFinding[] {
	const header = columns.product_name?.trim() ?? '';
	const variants = rows.filter(({ kind, input, cells }, index) => {
		const first = getCell(cells, 0);
		const isNameless = kind === 'invalid' && input.product_name === '';
		return isNameless && first !== '' && first === getCell(rows[index - 1]?.cells ?? [], 0);
	});
	if (variants.length === 0 || header === '') return [];
	const name = quote(header);
	const subject = formatCount(
		variants.length,
		`row has no ${name} and begins`,
		`rows have no ${name} and begin`,
	);
	const step = { text: 'To skip rows without it, add:', options: { where: [`${header}!=`] } };
	return [
		{ message: `${subject} like the row above, as variants of a product do.`, nextSteps: [step] },
	];
}

/** Suggests to ignore a column of product IDs that are not those of a marketplace. */
function suggestIgnoring({ headers, rows, columns }: Table): CsvFinding[] {
	const header = columns.product_id;
	if (header === undefined) return [];
	const index = headers.indexOf(header);
	const ids = getColumnTexts(rows, index);
	const [example] = ids;
	if (example === undefined || ids.some((id) => PRODUCT_ID_PATTERN.test(id))) return [];
	const name = getColumnName(headers, index);
	const text = 'If these are IDs of a shop, ignore the column:';
	const message = `${quote(name)} contains no marketplace IDs (5 to 40 digits), for example ${quote(example)}.`;
	return [{ message, nextSteps: [{ text, options: { map: { [name]: '-' } } }] }];
}

const ID_HEADER = /(?:^|[^a-z])(?:id|sku|code|ref|handle|ean|gtin|asin)(?:$|[^a-z])/i;

/** Fewer different values can be an accident. */
const MIN_IDS = 3;

/** Suggests `id` for the first column whose values identify the rows. */
function suggestId({ headers, rows, columns, options }: Table): CsvFinding[] {
	if (options.id !== null) return [];
	const read = new Set(Object.values(columns));
	const usable = rows.filter(isUsable);
	const index = headers.findIndex((header, at) => {
		if (!ID_HEADER.test(header) || read.has(header)) return false;
		const ids = getColumnTexts(usable, at).map(normalizeRowId);
		const isCount = ids.every((id, position) => id === String(position + 1));
		return ids.length >= MIN_IDS && new Set(ids).size === ids.length && !isCount;
	});
	if (index === -1) return [];
	const name = getColumnName(headers, index);
	const text =
		'If it identifies the product, add this option, so that edited rows keep their briefs:';
	const message = `${quote(name)} is different in each row.`;
	return [{ message, nextSteps: [{ text, options: { id: name } }] }];
}
