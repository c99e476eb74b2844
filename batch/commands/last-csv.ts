import { INPUT_FIELDS } from '../../service/input/input';
import { STANDARD_INPUT } from '../csv/csv-text';
import { openTable, type TableOptions } from '../csv/table';
import type { RunStart } from '../folder/journal/brief-record';
import type { Records } from '../folder/journal/records';
import { withOwnNumbers } from '../plan/own-numbers';
import { makePlan, type Plan } from '../plan/plan';
import { Stop } from '../stop';

/**
 * Plans the CSV of the newest run as it is now, by the journal alone: so commands name rows by the numbers that they have
 * now. Null if it is not there any more, or cannot be read.
 */
export async function planOfLastCsv(records: Records): Promise<Plan | null> {
	const { run, batch } = records;
	if (run === undefined || run.csv === STANDARD_INPUT) return null;
	try {
		const table = withOwnNumbers(
			await openTable(run.csv, asRead(run)),
			run.form?.id_column ?? null,
		);
		return makePlan({ batch: batch ?? '', rows: table.rows, records, options: {} });
	} catch (error) {
		if (error instanceof Stop) return null;
		throw error;
	}
}

/** Gives the options with which a run has read its CSV: a --map may have named its columns, or that it does not read one. */
export function asRead({ headers, set, form }: Pick<RunStart, 'headers' | 'set' | 'form'>) {
	const map = INPUT_FIELDS.flatMap((field) => {
		const header = headers[field];
		return header === undefined ? [] : [{ header, field }];
	});
	const { delimiter, encoding } = form ?? {};
	return { map, set, delimiter, encoding, onlyMapped: true } satisfies TableOptions;
}
