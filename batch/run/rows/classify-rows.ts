import type { Row, Table } from '../../csv/table';
import { EXIT, Failure } from '../../failure';
import { DuplicateIndex } from '../../csv/duplicate-index';
import { isResultsFile } from '../../results/result-columns';
import type { BriefRecord, Records } from '../../journal/records';
import { holdsBack, isUnasked, rowKey, type Change, type Changes } from './changed-rows';

/** A row of the CSV, and what the journal says of it. */
export type ClassifiedRow = { row: Row } & (
	| { fate: 'invalid' }
	/** The same content as an earlier row, which it shares its brief with. */
	| {
			fate: 'duplicate';
			ordinal: number;
			firstRow: number;
			record: BriefRecord | undefined;
			change: Change | undefined;
	  }
	/** Never sent, or certain that nothing came of it. With `change` an earlier order of its product holds it back. */
	| {
			fate: 'new';
			ordinal: number;
			record: BriefRecord | undefined;
			change: Change | undefined;
	  }
	/** Begun by an earlier run, and not at its end. */
	| { fate: 'begun'; record: BriefRecord }
	| { fate: 'done'; record: BriefRecord }
	| { fate: 'parked'; record: BriefRecord }
);

export interface ClassifyOptions {
	allowDuplicates: boolean;
	/** The changed rows, where they are known already. */
	changes?: Changes;
}

/** Reads a CSV and compares each row with the journal. */
export async function* classifyRows(
	table: Table,
	records: Records,
	options: ClassifyOptions,
): AsyncGenerator<ClassifiedRow[]> {
	const seen = new DuplicateIndex();
	for await (const rows of table.rows()) {
		yield rows.map((row) => classify(row, seen, records, options));
	}
}

/**
 * The same for rows that may be ordered. A row that was edited after the CSV was compared with the journal would be paid
 * for beside the order that it was made from: nobody has looked which row that is (P10).
 * @throws {Failure} where the CSV has changed since the run began to compare it
 */
export async function* classifyToOrder(
	table: Table,
	records: Records,
	options: ClassifyOptions & { changes: Changes },
): AsyncGenerator<ClassifiedRow[]> {
	for await (const rows of classifyRows(table, records, options)) {
		// A results.csv is written by the run itself, with the same products.
		if (!isResultsFile(table) && (await table.hasChanged())) throw hasChanged(table);
		yield rows;
	}
}

function hasChanged({ file }: Table): Failure {
	return new Failure(
		`“${file}” was changed after this command had compared it with the journal, so no more of its rows are ordered.`,
		'Run the same command again: it looks at the rows as they are now. Nothing was paid that is not on record.',
		EXIT.stoppedEarly,
	);
}

function classify(
	row: Row,
	seen: DuplicateIndex,
	records: Records,
	{ allowDuplicates, changes }: ClassifyOptions,
): ClassifiedRow {
	if (row.problems.length > 0) return { row, fate: 'invalid' };
	const { ordinal, firstRow } = seen.add(row.id, row.number);
	if (ordinal > 1 && !allowDuplicates) {
		const record = records.of(row.id, 1);
		const change = changeOf(row.id, 1, record, changes);
		return { row, fate: 'duplicate', ordinal, firstRow, record, change };
	}
	const record = records.of(row.id, ordinal);
	switch (record?.state) {
		case undefined:
		case 'withdrawn':
			return {
				row,
				fate: 'new',
				ordinal,
				record,
				change: changeOf(row.id, ordinal, record, changes),
			};
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

/** The earlier order may have failed since. Then it holds nothing back any more. */
function changeOf(
	id: string,
	ordinal: number,
	record: BriefRecord | undefined,
	changes: Changes | undefined,
): Change | undefined {
	if (changes === undefined || changes.size === 0 || !isUnasked(record)) return undefined;
	const change = changes.get(rowKey(id, ordinal));
	return change !== undefined && holdsBack(change.order.record) ? change : undefined;
}
