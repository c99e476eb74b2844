import { quote } from '../../service/shortened-text';
import { Stop } from '../stop';
import { count, list } from '../text';
import {
	columnsOf,
	FIELD_NAMES,
	fieldOf,
	knownFields,
	normalised,
	REQUIREMENT_WORDS,
	type Column,
	type FieldColumns,
	type HeaderMap,
} from './columns';
import { UNCLOSED, type CsvLine } from './csv-records';

/*
 * Which records of a CSV are products: those below its header, without the headers of exports that were joined, and
 * without the lines by which a marketplace's upload template describes its columns. What is left out is said.
 */

/** Above a header there may be a title, a date and the like, four lines at most. */
const LINES_EXAMINED = 5;

interface Header {
	columns: Column[];
	/** The lines below it. */
	below: CsvLine[];
	/** A sentence about what was left out above it. */
	notices: string[];
}

/**
 * Finds the header among the first lines.
 * @throws {Stop} if there is none
 */
export function findHeader(title: string, lines: readonly CsvLine[], map: HeaderMap): Header {
	const at = headerAt(lines, map);
	const header = lines[at];
	if (header === undefined)
		throw new Stop(`${title} is empty.`, 'Check that it is the right file, or export it again.');
	// A broken record contains several lines, perhaps the header too.
	const brokenLine = lines.slice(0, at + 1).find(({ brokenLines }) => brokenLines !== undefined);
	if (brokenLine !== undefined)
		throw new Stop(`Row ${brokenLine.number} ${UNCLOSED.what}.`, UNCLOSED.cure);
	const { number, cells } = header;
	const titles = lines
		.slice(0, at)
		.map((line) => [line.number, textsIn(line.cells).join(' ')] as const);
	const leftOut = leftOutText(
		titles,
		'above it is a title and left out',
		'above it are titles and left out',
	);
	return {
		columns: columnsOf(cells),
		below: lines.slice(at + 1),
		notices: leftOut.map((text) => `The header is row ${number}. ${text}`),
	};
}

/**
 * Finds the header among the first records: the first, unless the records above another one are titles. Titles name no
 * field or are alone on their line, and have at most half as many cells as the header.
 */
export function headerAt(lines: readonly CsvLine[], map: HeaderMap): number {
	const first = lines.slice(0, LINES_EXAMINED).map(({ cells }) => ({
		length: textsIn(cells).length,
		fields: knownFields(cells, map),
	}));
	const at = first.findIndex(({ length, fields }, place) => {
		const longest = Math.max(...first.slice(0, place).map((above) => above.length));
		const most = first[0]?.fields.size ?? 0;
		if (place === 0 || 2 * longest > length) return false;
		if (most === 0 && fields.has('product_name')) return true;
		return longest === 1 && fields.size > 1 && fields.size > most;
	});
	return Math.max(0, at);
}

/** Gives the texts of the cells that are not empty. */
function textsIn(cells: readonly string[]): string[] {
	return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}

/** Names the rows that are left out, with their texts. */
function leftOutText(
	rows: ReadonlyArray<readonly [number: number, text: string]>,
	one: string,
	several: string,
): string[] {
	if (rows.length === 0) return [];
	const texts = list([...new Set(rows.map(([, text]) => text))].map(quote), 3);
	const numbers = list(rows.map(([number]) => String(number)));
	return [`Row${rows.length === 1 ? ` ${numbers} ${one}` : `s ${numbers} ${several}`}: ${texts}.`];
}

/** A checkbox that nobody ticked, in a sheet that has one in each row. */
const NOT_TICKED = /^(false|falsch|faux|falso)?$/i;

/**
 * Gives the lines of products below the header.
 * @throws {Stop} if a second header has another order
 */
export function productLines(
	{ columns, below }: Header,
	fieldColumns: FieldColumns,
): { lines: CsvLine[]; notices: string[] } {
	const names = new HeaderNames(columns, fieldColumns);
	const places = [...fieldColumns.values()].map(({ place }) => place);
	const isUsed = ({ cells }: CsvLine) =>
		places.some((place) => (cells[place] ?? '').trim() !== '') ||
		!cells.every((cell) => NOT_TICKED.test(cell.trim()));
	const usedLines = below.filter(isUsed);
	const template = findTemplate(usedLines.slice(0, TEMPLATE_LINES), fieldColumns, names);
	const lines = usedLines.filter(
		(line) => !template.has(line.number) && !names.areRepeatedIn(line),
	);
	const repeats = usedLines.length - template.size - lines.length;
	const [that, is] = repeats === 1 ? ['repeats', 'is'] : ['repeat', 'are'];
	const notices = [
		...leftOutText(
			[...template],
			'describes the columns and is left out',
			'describe the columns and are left out',
		),
		...(repeats === 0 ? [] : [`${count(repeats, 'row')} that ${that} the header ${is} left out.`]),
	];
	return { lines, notices };
}

/** No header that is known is longer. */
const LONGEST_NAME = 60;

/** The names of the columns, by which another header is known. */
class HeaderNames {
	private readonly names: readonly string[];
	private readonly allNames: ReadonlySet<string>;
	private readonly fieldPlaces: readonly number[];
	private readonly product: number;

	constructor(columns: readonly Column[], fieldColumns: FieldColumns) {
		this.names = columns.map(({ header }) => nameIn(header));
		this.allNames = new Set([...this.names, ...FIELD_NAMES].filter((name) => name !== ''));
		this.fieldPlaces = [...fieldColumns.values()].map(({ place }) => place);
		this.product = fieldColumns.get('product_name')?.place ?? this.fieldPlaces[0] ?? 0;
	}

	/** Checks if each field with a column has a name of it there, as in the other header lines of a template. */
	areFieldsOf(cells: readonly string[]): boolean {
		return this.fieldPlaces.every((place) => {
			const [name, here] = [this.names[place] ?? '', nameIn(cells[place] ?? '')];
			return name === here || (fieldOf(name) !== undefined && fieldIn(name) === fieldIn(here));
		});
	}

	/**
	 * Checks if a line repeats the header, perhaps in another spelling.
	 * @throws {Stop} if its columns have another order: what is below would be read as other fields
	 */
	areRepeatedIn(line: CsvLine): boolean {
		const { cells, number } = line;
		if (!this.has(cells[this.product] ?? '')) return false;
		line.mayBeHeader = true;
		if (this.fieldPlaces.length > 1 && this.areFieldsOf(cells)) return true;
		if (this.names.every((name, at) => name === nameIn(cells[at] ?? ''))) return true;
		const texts = textsIn(cells);
		const isOfProduct = (text: string) =>
			nameIn(text) === this.names[this.product] || fieldIn(nameIn(text)) === 'product_name';
		if (texts.length < 2 || !texts.every((text) => this.has(text)) || !texts.some(isOfProduct))
			return false;
		throw new Stop(
			`Row ${number} is a second header with its columns in another order: ${list(texts.map(quote))}.`,
			'Bring the columns of both parts into one order, or run each part as a file of its own.',
		);
	}

	private has(text: string): boolean {
		return text.length <= LONGEST_NAME && this.allNames.has(nameIn(text));
	}
}

/** Gives a header's name, without quotation marks that stay behind a byte order mark. */
function nameIn(text: string): string {
	return normalised(text.includes('"') ? text.replaceAll('"', '') : text);
}

function fieldIn(name: string): string | undefined {
	return fieldOf(name)?.field;
}

/** More rows than any template has above its products. */
const TEMPLATE_LINES = 8;

/** Whole cells that say whether a column must be filled, or may be edited. */
const REQUIREMENT = new RegExp(
	`^\\(?(${REQUIREMENT_WORDS}|(cannot|can(not)?|do not|not) be edited|(un|not )?editable|do not edit)\\)?[.*]?$`,
	'i',
);

/**
 * Says what to enter, in words that a product's name may begin with too, so they count only below a line of
 * requirements.
 */
const DESCRIPTION =
	/^[•*]|^(please )?(enter|fill in|input|provide|select|choose|add|copy) |\b(must|should) (be|not|have|contain)\b|\bcharacters?\b/i;

const VERSION = /^v\d+(\.\d+)*$/i;

/**
 * Finds the lines that describe the columns, by row, with the text in the product's column. The seller centre's exports
 * have five: field names, a version, headers for people, “Mandatory” or “Optional”, and what to enter.
 */
function findTemplate(
	lines: readonly CsvLine[],
	fieldColumns: FieldColumns,
	names: HeaderNames,
): ReadonlyMap<number, string> {
	const template = new Map<number, string>();
	const textOf = ({ cells }: CsvLine, field: 'product_name' | 'product_id') =>
		(cells[fieldColumns.get(field)?.place ?? -1] ?? '').trim();
	const hasId = (line: CsvLine) => /^\d{5,}$/.test(textOf(line, 'product_id'));
	const isDescribing = (line: CsvLine) => {
		const texts = textsIn(line.cells);
		const saying = texts.filter((text) => REQUIREMENT.test(text) || DESCRIPTION.test(text));
		const name = textOf(line, 'product_name');
		return !hasId(line) && REQUIREMENT.test(name) && saying.length * 2 > texts.length;
	};
	const last = lines.findLastIndex(isDescribing);
	if (last === -1) return template;
	for (const [at, line] of lines.slice(0, last + 2).entries()) {
		const [name, [start = '']] = [textOf(line, 'product_name'), textsIn(line.cells)];
		const isLine =
			at > last
				? DESCRIPTION.test(name) && !hasId(line)
				: VERSION.test(start) || isDescribing(line);
		if (isLine || names.areFieldsOf(line.cells))
			template.set(line.number, name === '' ? start : name);
		else if (at < last) line.isInTemplate = true;
	}
	return template;
}
