import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { fieldOf } from '../csv/headers';
import type { Disk } from '../disk';
import { unescapeFormula } from './formula';
import { fileChunks } from './file-chunks';
import { RESULT_COLUMNS, ROW_STATUSES, type RowStatus } from './results';

/** A row of results.csv, as far as a report needs it. */
export interface ReportRow {
	/** As a spreadsheet counts: the header is row 1. */
	number: number;
	product: string;
	status: RowStatus;
	brief_id: string;
	url: string;
	error_code: string;
	error: string;
}

/** The result columns at the end of the header. The character between them is the delimiter. */
const [FIRST_NAME, ...OTHER_NAMES] = RESULT_COLUMNS;
const HEADER_END = new RegExp(
	`(?:^|[^a-z_])${FIRST_NAME}"?(.)${OTHER_NAMES.map((name) => `"?${name}"?`).join('\\1')}\r?\n`,
);
const LONGEST_HEADER = 1024 * 1024;

/** The delimiter of a results.csv by its first bytes; undefined where they are not of one that a run has written. */
export function delimiterOfResults(start: Buffer): string | undefined {
	// Latin-1, because the names are ASCII and a chunk may end within a character.
	return HEADER_END.exec(start.toString('latin1'))?.[1];
}

/**
 * Reads the rows of results.csv in constant memory. Null where there is no such file, or a spreadsheet program has
 * saved it in another form.
 */
export async function readResults(
	disk: Disk,
	outDir: string,
): Promise<AsyncGenerator<ReportRow> | null> {
	const rest = fileChunks(disk, join(outDir, 'results.csv'));
	let start = Buffer.alloc(0);
	while (start.length < LONGEST_HEADER) {
		const chunk = await rest.next();
		if (chunk.done === true) break;
		start = Buffer.concat([start, chunk.value]);
		const delimiter = delimiterOfResults(start);
		if (delimiter !== undefined) return rowsOf(start, rest, delimiter);
	}
	await rest.return(undefined);
	return null;
}

async function* rowsOf(
	start: Buffer,
	rest: AsyncGenerator<Uint8Array>,
	delimiter: string,
): AsyncGenerator<ReportRow> {
	async function* bytes() {
		yield start;
		yield* rest;
	}
	const options = { delimiter, bom: true, relax_column_count: true, relax_quotes: true };
	const parser = parse(options);
	// The loop below throws an error of either stream; the callback need not report it.
	pipeline(Readable.from(bytes(), { objectMode: false }), parser, () => undefined);
	let product: ((cells: string[]) => string) | null = null;
	let number = 0;
	for await (const cells of parser as AsyncIterable<string[]>) {
		number += 1;
		if (product === null) product = productIn(cells);
		else yield reportRow(number, cells, product);
	}
}

/** Finds the product's name in a row: by the header as when the CSV is read, else the first cell that is not empty. */
function productIn(header: string[]): (cells: string[]) => string {
	const own = header.slice(0, -RESULT_COLUMNS.length);
	const ranked = own
		.map((name, column) => ({ column, known: fieldOf(name) }))
		.filter(({ known }) => known?.field === 'product_name')
		.sort((a, b) => (a.known?.rank ?? 0) - (b.known?.rank ?? 0));
	const column = ranked[0]?.column;
	return (cells) => {
		const given = column === undefined ? '' : (cells[column] ?? '').trim();
		return given || (cells.slice(0, own.length).find((cell) => cell.trim() !== '') ?? '');
	};
}

function reportRow(
	number: number,
	cells: string[],
	product: (cells: string[]) => string,
): ReportRow {
	const [brief_id, status, , url, , error_code, error] = cells
		.slice(-RESULT_COLUMNS.length)
		.map(unescapeFormula);
	return {
		...{ number, product: product(cells), status: statusIn(status) },
		...{ brief_id: brief_id ?? '', url: url ?? '' },
		...{ error_code: error_code ?? '', error: error ?? '' },
	};
}

function statusIn(text = ''): RowStatus {
	return ROW_STATUSES.find((status) => status === text) ?? 'pending';
}
