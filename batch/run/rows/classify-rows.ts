import type { Row, Table } from '../../csv/table';
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

/** Compares each row of a CSV with the journal. */
export function classifyRows(
	table: Pick<Table, 'rows'>,
	records: Records,
	options: ClassifyOptions,
): ClassifiedRow[] {
	const seen = new Map<string, { ordinal: number; firstRow: number }>();
	return table.rows.map((row) => {
		if (row.problems.length > 0) return { row, fate: 'invalid' };
		const before = seen.get(row.id) ?? { ordinal: 0, firstRow: row.number };
		const same = { ...before, ordinal: before.ordinal + 1 };
		seen.set(row.id, same);
		return classify(row, same, records, options);
	});
}

function classify(
	row: Row,
	{ ordinal, firstRow }: { ordinal: number; firstRow: number },
	records: Records,
	{ allowDuplicates, changes }: ClassifyOptions,
): ClassifiedRow {
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
	return change !== undefined && holdsBack(change.order) ? change : undefined;
}
