import { INPUT_FIELDS, type InputField } from '../../core/input/input-fields';
import { anyOf, quote, stripInvisible } from '../../core/input/text';
import { CliError } from '../cli-error';
import { listQuoted, quoteWords } from '../text';
import { HEADER_ALIASES } from './header-aliases';
import type { CsvOptions } from './types';

/*
 * Finds the column of each field, by the rank of its header.
 *
 *     rank -1  any header                    the column that --map names
 *     rank 0   product_name                  the field itself
 *     rank 1   Product Name, PRODUCT-NAME    the field in another spelling
 *     rank 2   Title                         another name
 *     rank 3   Product Link                  a link that replaces the name
 */

/** Words by which templates and forms say whether a column must be filled. */
export const REQUIREMENT = anyOf(
	'(?:conditionally |conditional )?(?:mandatory|required)',
	'conditional',
	'optional',
	'recommended',
);
const REQUIREMENT_IN_BRACKETS = new RegExp(`[([]${REQUIREMENT}[)\\]]`, 'g');

/** ASCII has no lookalike characters and needs no Unicode normalization. */
const ASCII = /^[ -~]*$/;

/** Returns the form in which headers are compared: without case, spaces, hyphens, quotes, *, : and (required). */
export function normalizeHeader(header: string): string {
	const plain = ASCII.test(header) ? header : stripInvisible(header).normalize('NFKC');
	return plain
		.toLowerCase()
		.replace(REQUIREMENT_IN_BRACKETS, '')
		.replace(/[\s_*:"-]+/g, '');
}

export function isSameHeader(header: string, other: string): boolean {
	const name = normalizeHeader(header);
	return header.trim() === other.trim() || (name !== '' && name === normalizeHeader(other));
}

interface HeaderMatch {
	readonly field: InputField;
	/** Lower is better. */
	readonly rank: number;
}

const MATCHES = indexAliases();

function indexAliases(): ReadonlyMap<string, HeaderMatch> {
	const matches = new Map<string, HeaderMatch>();
	for (const field of INPUT_FIELDS) {
		const { names, links = [] } = HEADER_ALIASES[field];
		matches.set(normalizeHeader(field), { field, rank: 1 });
		for (const name of names) matches.set(normalizeHeader(name), { field, rank: 2 });
		for (const link of links) matches.set(normalizeHeader(link), { field, rank: 3 });
	}
	return matches;
}

export function isFieldName(name: string): boolean {
	return MATCHES.has(name);
}

/** Returns the field that a header names, or undefined if the header is not understood. */
export function matchHeader(header: string): HeaderMatch | undefined {
	const match = MATCHES.get(normalizeHeader(header));
	return match !== undefined && header.trim() === match.field ? { ...match, rank: 0 } : match;
}

/** Returns the field with this name, in the spelling of the API (approved_facts) or of a form (Approved Facts). */
export function findField(name: string): InputField | undefined {
	return INPUT_FIELDS.find((field) => normalizeHeader(field) === normalizeHeader(name));
}

/** Returns the fields that the headers name, with or without --map. */
export function findFields(
	headers: readonly string[],
	map: CsvOptions['map'],
): ReadonlySet<InputField> {
	const mapped = Object.entries(map);
	const fields = headers.map((header) => {
		const [, field] = mapped.find(([name]) => isSameHeader(name, header)) ?? [];
		return field ?? matchHeader(header)?.field;
	});
	return new Set(fields.filter((field) => field !== undefined && field !== '-'));
}

/** Returns the name of a column for messages: the header on one line, or the column's letter if the header is empty. */
export function getColumnName(headers: readonly string[], index: number): string {
	const name = (headers[index] ?? '').trim().replace(/\s+/g, ' ');
	return name === '' ? `column ${toColumnLetter(index)}` : name;
}

/** Returns A, B, … Z, AA, AB, … */
export function toColumnLetter(index: number): string {
	const last = String.fromCharCode(65 + (index % 26));
	return index < 26 ? last : toColumnLetter(Math.floor(index / 26) - 1) + last;
}

/** Returns the index of the column with this header, or -1. The exact spelling wins over a similar spelling. */
export function findColumn(headers: readonly string[], name: string): number {
	const exact = headers.findIndex((header) => header.trim() === name.trim());
	return exact !== -1 ? exact : headers.findIndex((header) => isSameHeader(header, name));
}

/**
 * Returns the index of the column that an option names.
 * @param option as it was typed: --id "SKU"
 * @throws {CliError} if no column has this header, or several columns have it
 */
export function requireColumn(headers: readonly string[], name: string, option: string): number {
	const index = findColumn(headers, name);
	if (index === -1)
		throw new CliError(
			`${option}: the CSV has no column ${quote(name)}.`,
			`Its columns are: ${listQuoted(headers)}.`,
		);
	if (headers.filter((header) => header.trim() === name.trim()).length > 1)
		throw new CliError(
			`${option}: several columns are named ${quote(name)}.`,
			'Rename or remove the other columns.',
		);
	return index;
}

/** The index of the column that contains each field. */
export type FieldColumns = ReadonlyMap<InputField, number>;

/**
 * Finds the column of each field.
 * @throws {CliError} if several columns fit equally well, or none contains the product name
 */
export function findFieldColumns(
	headers: readonly string[],
	{ map, set }: Pick<CsvOptions, 'map' | 'set'>,
): FieldColumns {
	const mapped = findMappedColumns(headers, map);
	const byField = new Map<InputField, number>();
	for (const field of INPUT_FIELDS) {
		const best = findBestColumn(headers, field, mapped);
		if (best !== undefined) byField.set(field, best);
	}
	const hasName = byField.has('product_name') || set.product_name !== undefined;
	// No column is suggested: a wrong guess would pay for a brief per SKU or brand.
	if (!hasName || byField.size === 0)
		throw new CliError(`No column is named product_name. Columns found: ${listQuoted(headers)}.`, [
			{
				text: 'Choose the column with the product’s name or link, by the text in its header:',
				commands: ['--map "COLUMN=product_name"'],
			},
		]);
	return byField;
}

type MappedColumns = ReadonlyMap<number, InputField | '-'>;

function findMappedColumns(headers: readonly string[], map: CsvOptions['map']): MappedColumns {
	const pairs = Object.entries(map).map(([header, field]) => {
		const index = requireColumn(headers, header, `--map "${header}=${field}"`);
		return [index, field] as const;
	});
	return new Map(pairs);
}

function findBestColumn(
	headers: readonly string[],
	field: InputField,
	mapped: MappedColumns,
): number | undefined {
	const candidates = headers.flatMap((header, index) => {
		const match = mapped.has(index) ? { field: mapped.get(index), rank: -1 } : matchHeader(header);
		return match?.field === field ? [{ index, rank: match.rank }] : [];
	});
	const bestRank = Math.min(...candidates.map(({ rank }) => rank));
	const best = candidates.filter(({ rank }) => rank === bestRank).map(({ index }) => index);
	if (best.length > 1) {
		const names = best.map((index) => getColumnName(headers, index));
		const choice = {
			text: 'Choose a column:',
			commands: [quoteWords('--map', `${names[0] ?? ''}=${field}`)],
		};
		throw new CliError(
			`Several columns could be ${field}: ${listQuoted(names)}.`,
			new Set(names).size < names.length ? 'Rename or remove the other columns.' : [choice],
		);
	}
	return best[0];
}
