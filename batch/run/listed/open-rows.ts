import type { Records } from '../../journal/records';
import { classifyRows, type ClassifiedRow } from '../rows/classify-rows';
import type { RunRequest } from '../request';
import { inPlaceOf, rowOrderOf, type RowOrder } from '../../plan/row-order';
import type { Summary } from '../rows/summarise';

export function isNew({ fate }: ClassifiedRow): boolean {
	return fate === 'new';
}

/** Whether a row has taken over a listed brief, or was parked because of one. */
export function hasListed(row: ClassifiedRow): boolean {
	if (row.fate === 'parked') return row.record.unsent === true;
	return row.fate === 'done' && row.record.adopted === true && row.record.status === 'ready';
}

export type OpenRow = Extract<ClassifiedRow, { fate: 'new' | 'parked' | 'done' }> & {
	order: RowOrder;
};

/** A changed row is held back all the same, unless it is asked for. */
export function rowsIn(
	request: Pick<RunRequest, 'table' | 'batch' | 'allowDuplicates' | 'orderChanged'>,
	{ changes }: Summary,
	records: Records,
	isMeant: (row: ClassifiedRow) => boolean,
): OpenRow[] {
	return classifyRows(request.table, records, { ...request, changes }).flatMap((classified) => {
		const { fate } = classified;
		if ((fate !== 'new' && fate !== 'parked' && fate !== 'done') || !isMeant(classified)) return [];
		const { row, record } = classified;
		const isOpen = classified.fate === 'new';
		const change = isOpen ? classified.change : undefined;
		if (change !== undefined && !request.orderChanged) return [];
		const ordinal = isOpen ? classified.ordinal : classified.record.ordinal;
		const order = rowOrderOf(request.batch, row, ordinal, record?.generation ?? 1);
		return [{ ...classified, order: inPlaceOf(change, order) }];
	});
}
