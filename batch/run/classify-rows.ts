import type { Row, Table } from '../csv/table';
import { DuplicateIndex } from '../csv/duplicate-index';
import type { BriefRecord } from '../journal/records';
import type { Records } from '../journal/records';

/** A row of the CSV, and what the journal says of it. */
export type ClassifiedRow = { row: Row } & (
	| { fate: 'invalid' }
	/** The same content as an earlier row, which it shares its brief with. */
	| { fate: 'duplicate'; firstRow: number; record: BriefRecord | undefined }
	/** Never sent, or certain that nothing came of it. */
	| { fate: 'new'; ordinal: number; record: BriefRecord | undefined }
	/** Begun by an earlier run, and not at its end. */
	| { fate: 'begun'; record: BriefRecord }
	| { fate: 'done'; record: BriefRecord }
	| { fate: 'parked'; record: BriefRecord }
);

/** Reads a CSV and compares each row with the journal. */
export async function* classifyRows(
	table: Table,
	records: Records,
	{ allowDuplicates }: { allowDuplicates: boolean },
): AsyncGenerator<ClassifiedRow[]> {
	const seen = new DuplicateIndex();
	for await (const rows of table.rows()) {
		yield rows.map((row) => classify(row, seen, records, allowDuplicates));
	}
}

function classify(
	row: Row,
	seen: DuplicateIndex,
	records: Records,
	allowDuplicates: boolean,
): ClassifiedRow {
	if (row.problems.length > 0) return { row, fate: 'invalid' };
	const { ordinal, firstRow } = seen.add(row.id, row.number);
	if (ordinal > 1 && !allowDuplicates) {
		return { row, fate: 'duplicate', firstRow, record: records.of(row.id, 1) };
	}
	const record = records.of(row.id, ordinal);
	switch (record?.state) {
		case undefined:
		case 'withdrawn':
			return { row, fate: 'new', ordinal, record };
		case 'in_doubt':
		case 'accepted':
		case 'ended':
			return { row, fate: 'begun', record };
		case 'done':
			return { row, fate: 'done', record };
		case 'parked':
			return { row, fate: 'parked', record };
	}
}
