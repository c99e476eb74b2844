import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf } from '../failure-of';
import { temporaryFolder } from '../temporary-folder';
import { openTable, type Row, type Table, type TableOptions } from '../../../batch/csv/table';
import { Stop } from '../../../batch/stop';

export const folder = temporaryFolder();

let files = 0;

/** A file with this content, gone after the tests. */
export function fileOf(content: string | Uint8Array): string {
	const file = join(folder, `${files++}.csv`);
	writeFileSync(file, content);
	return file;
}

export async function open(
	content: string | Uint8Array,
	options: Partial<TableOptions> = {},
): Promise<Table> {
	return await openTable(fileOf(content), { map: [], set: {}, ...options });
}

export async function read(
	content: string | Uint8Array,
	options: Partial<TableOptions> = {},
): Promise<readonly Row[]> {
	return (await open(content, options)).rows;
}

/** What the command would end with for this CSV. */
export async function failure(
	content: string | Uint8Array,
	options: Partial<TableOptions> = {},
): Promise<Stop> {
	return await failureOf(read(content, options), Stop);
}

/** The problems of all rows as lines for a person. */
export function problemsOf(rows: readonly Row[]): string[] {
	return rows.flatMap(({ number, problems }) =>
		problems.map(({ column, what }) => `row ${number}, ${column}: ${what}`),
	);
}
