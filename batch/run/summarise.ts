import type { Row, Table } from '../csv/table';
import type { BriefRecord, Records } from '../journal/records';
import { classifyRows } from './classify-rows';

/** A CSV compared with the journal: numbers, and the few rows that an earlier run did not bring to an end. */
export interface Summary {
	rows: number;
	/** Rows that can be ordered. */
	fresh: number;
	invalid: number;
	duplicates: number;
	done: number;
	failed: number;
	begun: Array<{ row: Row; record: BriefRecord }>;
	parked: Array<{ row: Row; record: BriefRecord }>;
}

export interface SummaryListener {
	invalid?(row: Row): void;
	duplicate?(row: Row, firstRow: number): void;
}

export async function summariseRows(
	table: Table,
	records: Records,
	options: { allowDuplicates: boolean },
	listener: SummaryListener = {},
): Promise<Summary> {
	const summary: Summary = {
		...{ rows: 0, fresh: 0, invalid: 0, duplicates: 0, done: 0, failed: 0 },
		...{ begun: [], parked: [] },
	};
	for await (const batch of classifyRows(table, records, options)) {
		summary.rows += batch.length;
		for (const classified of batch) {
			switch (classified.fate) {
				case 'invalid':
					summary.invalid += 1;
					listener.invalid?.(classified.row);
					break;
				case 'duplicate':
					summary.duplicates += 1;
					listener.duplicate?.(classified.row, classified.firstRow);
					break;
				case 'new':
					summary.fresh += 1;
					break;
				case 'begun':
				case 'parked':
					summary[classified.fate].push(classified);
					break;
				case 'done':
					if (classified.record.status === 'failed') summary.failed += 1;
					else summary.done += 1;
					break;
			}
		}
	}
	return summary;
}

/** Whether a run would send an order, new or once more. */
export function mayOrder({ fresh, begun }: Summary): boolean {
	return fresh > 0 || begun.some(({ record }) => record.state === 'in_doubt');
}
