import type { BriefSummary } from '../../core/api/types';
import { formatCount } from '../../core/text';
import type { Finding } from '../../core/finding';
import { getOrderBrief, type StoredOrder } from '../orders/order';
import type { PlannedRow } from '../plan/planned-row';
import type { GroupName } from './groups';
import {
	describeEdit,
	describeState,
	explainState,
	getErrorCode,
	type Wording,
} from './row-messages';
import { ROW_STATES, type LineStatus, type RowState } from './row-state';

/** A row, with the reason for its status and what settles this row alone. The message can be empty. */
export interface ReportRow extends Finding {
	readonly place: RowPlace;
	readonly name: string;
	readonly rowId: string | null;
	readonly productId: string | null;
	readonly state: RowState;
	readonly status: LineStatus;
	readonly group: GroupName;
	readonly brief: BriefSummary | null;
	/** Base name of the brief's files; null if the row's brief is not saved. */
	readonly file: string | null;
	/** What the service warns about in the brief. */
	readonly warnings: readonly string[];
	/** The service's code of a brief that failed, or the code of the reason; empty for other rows. */
	readonly errorCode: string;
	/** The message without what only this row has, so that rows with one reason share a line. */
	readonly reason: string;
	/** Number of the row above with the same content, whose brief the row shares; null if there is none. */
	readonly duplicateOf: number | null;
}

/** Where a row of a report comes from. */
export type RowPlace =
	| { readonly kind: 'row'; readonly number: number }
	/** An order whose row is no longer in the CSV. */
	| { readonly kind: 'removed' }
	/** An order that a newer order of its row has replaced. */
	| { readonly kind: 'replaced' }
	/** An order whose row is unknown, because the CSV cannot be read. */
	| { readonly kind: 'unread' };

/** Returns the numbers of the rows that are in the CSV. */
export function listNumbers(rows: readonly ReportRow[]): number[] {
	return rows.flatMap(({ place }) => (place.kind === 'row' ? [place.number] : []));
}

export function makeReportRow(
	{ row, match, duplicateOf }: PlannedRow,
	state: RowState,
	wording: Wording,
): ReportRow {
	const order = match.kind === 'new' ? null : match.order;
	const { status, group } = ROW_STATES[state.kind];
	const { message, nextSteps } = explainState(state, row, duplicateOf, wording);
	const edit = duplicateOf === null ? describeEdit(state, row) : null;
	const { file, warnings } = getSaved(order);
	return {
		place: { kind: 'row', number: row.number },
		name: row.input.product_name || (row.cells.find((cell) => cell.trim() !== '') ?? ''),
		rowId: row.rowId,
		productId: row.input.product_id ?? null,
		state,
		status,
		group,
		brief: 'brief' in state ? state.brief : order && getOrderBrief(order),
		file,
		warnings,
		errorCode: status === 'failed' && order !== null ? getErrorCode(order.state) : '',
		message,
		nextSteps,
		reason: edit ?? message,
		duplicateOf,
	};
}

/** Returns the line of an order without a row. */
export function makeOrderRow(
	order: StoredOrder,
	place: Exclude<RowPlace, { kind: 'row' }>,
	state: RowState,
	wording: Wording,
): ReportRow {
	const { input, rowIds } = order;
	const { status, group } = ROW_STATES[state.kind];
	const message = describeState(state, wording);
	return {
		place,
		name: input.product_name,
		rowId: rowIds.at(-1)?.rowId ?? null,
		productId: input.product_id ?? null,
		state,
		status: place.kind === 'replaced' ? 'replaced' : status,
		group: place.kind === 'unread' ? group : place.kind,
		brief: getOrderBrief(order),
		...getSaved(order),
		errorCode: getErrorCode(order.state),
		message,
		nextSteps: [],
		reason: message,
		duplicateOf: null,
	};
}

function getSaved(order: StoredOrder | null): Pick<ReportRow, 'file' | 'warnings'> {
	if (order?.state.kind !== 'ready') return { file: null, warnings: [] };
	const { file, warnings } = order.state;
	return { file, warnings };
}

/** Returns the rows whose briefs this run has saved. */
export function findSavedRows(
	{ rows }: { readonly rows: readonly ReportRow[] },
	savedIds: ReadonlySet<string>,
): ReportRow[] {
	return rows.filter(
		({ brief, duplicateOf }) => brief !== null && savedIds.has(brief.id) && duplicateOf === null,
	);
}

/** Returns how many of these rows have a brief with warnings, as a sentence; null if none has. */
export function describeWarnings(rows: readonly ReportRow[]): string | null {
	const found = rows.filter(
		({ warnings, duplicateOf }) => warnings.length > 0 && duplicateOf === null,
	);
	if (found.length === 0) return null;
	const briefs = formatCount(found.length, 'brief has', 'briefs have');
	return `${briefs} warnings: read them before you hand ${found.length === 1 ? 'it' : 'them'} out.`;
}
