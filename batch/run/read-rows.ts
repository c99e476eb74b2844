import { changeEvent } from './rows/change-text';
import { summariseRows, type Summary } from './rows/summarise';
import { changedMark, invalidMark } from './marks';
import type { ReportedRows } from './reported';
import type { RunEnvironment, RunRequest } from './request';

/** Holds the rows of the CSV against the journal, and tells those that need something, before anything is asked. */
export async function readRows(
	request: RunRequest,
	{ journal, emit }: RunEnvironment,
	reported: ReportedRows,
): Promise<Summary> {
	const summary = await summariseRows(request.table, journal.records, request, {
		invalid: ({ number, cells, problems }) => {
			const known = reported.knownFlag(invalidMark(cells, problems));
			emit({ event: 'row_invalid', row: number, problems, ...known });
		},
		duplicate: ({ number }, firstRow) => {
			emit({ event: 'row_duplicate', row: number, first_row: firstRow });
		},
	});
	const { changes } = summary;
	const { set } = request.table;
	for (const change of request.orderChanged ? [] : changes.values()) {
		const known = reported.knownFlag(changedMark(change.row.key, change.order.key));
		emit({ ...changeEvent(change, set), ...known });
	}
	return summary;
}
