import { HEADER_ALIASES } from './header-aliases';
import { INPUT_FIELDS, type InputField } from './input-fields';
import { anyOf, stripInvisible } from './text';

/*
 * Which field of a brief a column header names, by rank. A CSV and a sheet in n8n are read with the same headers.
 *
 *     rank -1  any header                    a column that the user has chosen for the field
 *     rank 0   product_name                  the field itself
 *     rank 1   Product Name, PRODUCT-NAME    the field in another spelling
 *     rank 2   Title                         another name
 *     rank 3   Product Link                  a link that replaces the name
 */

/** Words by which templates and forms say whether a column must be filled. */
const REQUIREMENT = anyOf(
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

/** Indexed when the first header is read. */
let matches: ReadonlyMap<string, HeaderMatch> | undefined;

function indexAliases(): ReadonlyMap<string, HeaderMatch> {
	const index = new Map<string, HeaderMatch>();
	for (const field of INPUT_FIELDS) {
		const { names, links = [] } = HEADER_ALIASES[field];
		index.set(normalizeHeader(field), { field, rank: 1 });
		for (const name of names) index.set(normalizeHeader(name), { field, rank: 2 });
		for (const link of links) index.set(normalizeHeader(link), { field, rank: 3 });
	}
	return index;
}

/** Returns the field that a header names, or undefined if the header is not understood. */
export function matchHeader(header: string): HeaderMatch | undefined {
	matches ??= indexAliases();
	const match = matches.get(normalizeHeader(header));
	return match !== undefined && header.trim() === match.field ? { ...match, rank: 0 } : match;
}

/**
 * Returns the indexes of the columns that fit a field best: several if they fit equally well.
 * @param chosen the fields that the user has chosen, by index; '-' for a column that is not used
 */
export function findBestColumns(
	headers: readonly string[],
	field: InputField,
	chosen: ReadonlyMap<number, InputField | '-'> = new Map(),
): number[] {
	const candidates = headers.flatMap((header, index) => {
		const match = chosen.has(index) ? { field: chosen.get(index), rank: -1 } : matchHeader(header);
		return match?.field === field ? [{ index, rank: match.rank }] : [];
	});
	const bestRank = Math.min(...candidates.map(({ rank }) => rank));
	return candidates.filter(({ rank }) => rank === bestRank).map(({ index }) => index);
}

/** Returns the field with this name, in the spelling of the API (approved_facts) or of a form (Approved Facts). */
export function findField(name: string): InputField | undefined {
	return INPUT_FIELDS.find((field) => normalizeHeader(field) === normalizeHeader(name));
}
