import type { BriefSummary } from '../../core/api/types';
import type { Finding } from '../../core/finding';
import type { LeaveAction } from '../plan/planned-row';
import type { RowStatus } from '../plan/row-status';
import type { RatedRow } from './exit-code';

/** A row, with the reason for its status and what settles this row alone. The message can be empty. */
export interface OverviewRow extends Finding, RatedRow {
	readonly name: string;
	readonly rowId: string | null;
	readonly productId: string | null;
	readonly group: GroupName;
	readonly brief: BriefSummary | null;
	/** Base name of the brief's files; null if the row's brief is not saved. */
	readonly file: string | null;
	/** The service's code of a brief that failed, or the code of the reason. */
	readonly errorCode: string;
	/** The message without what only this row has, so that rows with one reason share a line. */
	readonly reason: string;
	readonly isDuplicate: boolean;
	/** Why nothing is ordered for the row; null if its status says why. */
	readonly leaveReason: LeaveAction['reason'];
}

/** A group is a status, unless its rows have a next step of their own. */
export type GroupName =
	| Exclude<RowStatus, 'pending'>
	/** In a plan: what the run does with the row. */
	| 'to_order'
	| 'to_resend'
	| 'to_reuse'
	/** In a plan: the brief that would be reused has failed. */
	| 'to_reuse_failed'
	/** Pending rows. An order without an answer might have created its brief. */
	| 'not_ordered'
	| 'being_written'
	| 'unconfirmed'
	/** --reorder names these rows, and they have not been ordered again. */
	| 'not_reordered'
	/** Briefs of rows that are no longer in the CSV. */
	| 'removed'
	/** Briefs that a newer order of their row has replaced. */
	| 'replaced';
