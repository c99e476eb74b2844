import type { Row, Table } from '../csv/table';
import type { BriefRecord, Records } from '../journal/records';
import { judgeRows } from './judge';

/** A CSV held against the journal, in numbers, with the few rows that an earlier run left in the middle. */
export interface Survey {
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

export interface SurveyListener {
	invalid?(row: Row): void;
	duplicate?(row: Row, firstRow: number): void;
}

export async function surveyRows(
	table: Table,
	records: Records,
	options: { allowDuplicates: boolean },
	listener: SurveyListener = {},
): Promise<Survey> {
	const survey: Survey = {
		...{ rows: 0, fresh: 0, invalid: 0, duplicates: 0, done: 0, failed: 0 },
		...{ begun: [], parked: [] },
	};
	for await (const batch of judgeRows(table, records, options)) {
		survey.rows += batch.length;
		for (const judged of batch) {
			switch (judged.fate) {
				case 'invalid':
					survey.invalid += 1;
					listener.invalid?.(judged.row);
					break;
				case 'duplicate':
					survey.duplicates += 1;
					listener.duplicate?.(judged.row, judged.firstRow);
					break;
				case 'new':
					survey.fresh += 1;
					break;
				case 'begun':
				case 'parked':
					survey[judged.fate].push(judged);
					break;
				case 'done':
					if (judged.record.status === 'failed') survey.failed += 1;
					else survey.done += 1;
					break;
			}
		}
	}
	return survey;
}
