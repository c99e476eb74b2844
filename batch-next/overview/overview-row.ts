import type { BriefSummary } from '../../core/api/types';
import type { Finding } from '../../core/finding';
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
	readonly isDuplicate: boolean;
	/** True if the row is only ordered with --allow damaged-rows. */
	readonly isDamaged: boolean;
}

/** A group is a status, unless its rows have a next step of their own. */
export type GroupName =
	| RowStatus
	| 'to_order'
	| 'to_reuse'
	| 'unconfirmed'
	/** --reorder names these rows, and they have not been ordered again. */
	| 'not_reordered'
	/** Briefs of rows that are no longer in the CSV. */
	| 'removed'
	/** Briefs that a newer order of their row has replaced. */
	| 'replaced';
