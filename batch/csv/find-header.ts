import { Failure } from '../failure';
import { isBlank } from './cells';
import type { HeaderMap } from './columns';
import { headerAt, headerBelow, RECORDS_EXAMINED } from './header-row';
import { readRecords, type Dialect } from './read-records';
import { STANDARD_INPUT, type CsvSource } from './source';
import { list, quoted } from './wording';

export interface Header {
	columns: string[];
	/** The number of its row. */
	number: number;
	/** The rows of titles above it, with their texts. */
	titles: ReadonlyMap<number, string>;
	/** The row of a later record that looks like a header. */
	below: number | undefined;
}

/** Finds the header among the first records that are not blank, from row `from` on. */
export async function findHeader(
	source: CsvSource,
	dialect: Dialect,
	from: number,
	map: HeaderMap,
): Promise<Header> {
	const records = await firstRecords(source, dialect, from);
	const cells = records.map((record) => record.cells);
	const at = headerAt(cells, map);
	const header = records[at];
	if (header === undefined) {
		throw new Failure(
			`${source.title} is empty.`,
			source.file === STANDARD_INPUT
				? 'Check the command that writes into the pipe.'
				: 'Check that it is the right file, or export it again.',
		);
	}
	// A broken record holds several lines, perhaps the header among them.
	const broken = records.slice(0, at + 1).find(({ isBroken }) => isBroken);
	if (broken !== undefined) {
		const name = broken === header ? `The header, row ${header.number},` : `Row ${broken.number}`;
		throw new Failure(
			`${name} opens a quotation mark (") that is not closed at the end of a cell.`,
			'Close or remove it. Inside a quoted cell a quotation mark is written twice ("").',
		);
	}
	const titles = records
		.slice(0, at)
		.map(({ number, cells: [...texts] }): [number, string] => [number, titleIn(texts)]);
	const below = records[headerBelow(cells, map)];
	return {
		columns: header.cells,
		number: header.number,
		titles: new Map(titles),
		below: below === header ? undefined : below?.number,
	};
}

/** What was left out above the header. */
export function titlesNotice({ titles, number }: Header): string {
	const numbers = [...titles.keys()].map(String);
	const texts = list([...titles.values()].map(quoted));
	return titles.size === 1
		? `The header is row ${number}. Row ${numbers.join()} above it is a title and left out: ${texts}.`
		: `The header is row ${number}. Rows ${list(numbers)} above it are titles and left out: ${texts}.`;
}

interface FirstRecord {
	cells: string[];
	number: number;
	/** Whether it has a quotation mark that is not closed in its cell. */
	isBroken: boolean;
}

async function firstRecords(
	source: CsvSource,
	dialect: Dialect,
	from: number,
): Promise<FirstRecord[]> {
	const found: FirstRecord[] = [];
	for await (const { records, broken, first } of readRecords(source, dialect)) {
		for (const [at, cells] of records.entries()) {
			const number = first + at;
			if (number < from || isBlank(cells)) continue;
			found.push({ cells, number, isBroken: broken.has(cells) });
			if (found.length === RECORDS_EXAMINED) return found;
		}
	}
	return found;
}

function titleIn(cells: readonly string[]): string {
	const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
	return filled.join(' ');
}
