import type { Table } from '../csv/table';
import type { Events } from '../folder/events';
import { differencesText } from '../plan/change-text';
import { differingFields } from '../plan/changes';
import { marksOf } from '../plan/marks';
import { rowStatus, type Plan, type PlannedRow } from '../plan/plan';
import { ownNumberField } from '../plan/try';

/** Reports the rows that need something, before anything is asked. */
export function reportRows(
	{ rows, source: { records } }: Plan,
	{ set }: Table,
	tell: Events['tell'],
): void {
	const marks = marksOf(rows);
	const knownField = (plannedRow: PlannedRow) =>
		records.reportedMarks.has(marks.get(plannedRow) ?? '') ? { known: true as const } : {};
	for (const plannedRow of rows) {
		const { row, sameAs } = plannedRow;
		const { number, problems, input } = row;
		const at = { row: number, ...ownNumberField(row.ownNumber) };
		const { product_name } = input;
		if (sameAs !== undefined)
			tell({ event: 'row_duplicate', ...at, product_name, first_row: sameAs.row.number });
		else if (problems.length > 0)
			tell({ event: 'row_invalid', ...at, product_name, problems, ...knownField(plannedRow) });
	}
	for (const plannedRow of rows) {
		const { row, heldBy } = plannedRow;
		if (heldBy === undefined || rowStatus(plannedRow) !== 'changed') continue;
		const { number, input } = row;
		tell({
			event: 'row_changed',
			key: heldBy.key,
			row: number,
			product_name: input.product_name,
			...ownNumberField(row.ownNumber),
			brief_id: heldBy.state.briefId,
			fields: differingFields(row, heldBy),
			differences: differencesText(row, heldBy, set),
			...knownField(plannedRow),
		});
	}
}
