import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameCsvOptions } from '../../../batch/cli/command-line';
import { CsvProblem } from '../../../batch/csv/csv-problem';
import { readTable } from '../../../batch/csv/read-table';
import {
	DEFAULT_CSV_OPTIONS,
	type CsvFinding,
	type CsvOptions,
	type Row,
	type Table,
} from '../../../batch/csv/types';
import { formatCommand } from '../../../batch/text';
import { makeTemporaryFolder } from '../../support/temporary-folder';

export const folder = makeTemporaryFolder();

/** Writes products.csv into the folder, and reads it. */
export async function readCsv(
	csv: string | Uint8Array,
	options: Partial<CsvOptions> = {},
): Promise<Table> {
	const file = join(folder, 'products.csv');
	writeFileSync(file, csv);
	return await readTable(file, { ...DEFAULT_CSV_OPTIONS, ...options });
}

/** Title, CSV, expected text as `describeRows` or `describeError` returns it, options. */
type CsvCase = readonly [
	title: string,
	csv: string | Uint8Array,
	expected: string,
	options?: Partial<CsvOptions>,
];

/** Defines a test for each CSV, by the rows that are read from it. */
export function testCsvs(cases: readonly CsvCase[]): void {
	test.each(cases.map(([title, ...rest]) => ({ title, rest })))('$title', async ({ rest }) => {
		const [csv, expected, options] = rest;
		expect(await readCsv(csv, options).then(describeRows, describeError)).toBe(expected);
	});
}

/** Returns a line for each row, such as `2 Mug; audience: Bakers`. */
export function describeRows({ rows }: Table): string {
	return rows.map(describeRow).join('\n');
}

export function listProblems({ rows }: Table): Array<readonly string[]> {
	return rows.map((row) => (row.kind === 'invalid' ? row.problems : []));
}

export function listWarnings({ rows }: Table): Array<readonly string[]> {
	return rows.map((row) => (row.kind === 'usable' ? row.warnings : []));
}

function describeRow(row: Row): string {
	const { number, kind, input } = row;
	if (kind === 'invalid') return `${number} INVALID`;
	const { product_name: name, ...others } = input;
	const fields = Object.entries(others).map(([field, value]) => `; ${field}: ${String(value)}`);
	const isDamaged = kind === 'usable' && row.warnings.length > 0;
	const mark = kind === 'skipped' ? ' SKIPPED' : isDamaged ? ' DAMAGED' : '';
	return `${number} ${name}${fields.join('')}${mark}`;
}

/** Returns the message of a refused CSV, such as `ERROR products.csv is empty.` */
export function describeError(error: unknown): string {
	if (!(error instanceof CsvProblem)) throw error;
	return `ERROR ${nameCsvOptions(error).message.replaceAll(`${folder}/`, '')}`;
}

/** Returns the error of a CSV that cannot be used. */
export async function readError(
	csv: string | Uint8Array,
	options: Partial<CsvOptions> = {},
): Promise<CsvProblem> {
	const error: unknown = await readCsv(csv, options).catch((reason: unknown) => reason);
	if (error instanceof CsvProblem) return error;
	throw new Error('The CSV was read.', { cause: error });
}

/** Returns all next steps of a finding as one text. */
export function describeSteps(finding: CsvFinding): string {
	return nameCsvOptions(finding)
		.nextSteps.flatMap(({ text, commands = [] }) => [text, ...commands.map(formatCommand)])
		.join(' ');
}

/** Returns the notices of a CSV as the user sees them. */
export function describeNotices({ notices }: Table): string[] {
	return notices.map((notice) => nameCsvOptions(notice).message);
}
