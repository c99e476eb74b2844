/** The groups of rows with the same next step, as every screen and file names them. The most urgent group comes first. */
export const GROUPS = {
	/** In a plan: what the run does with the row. */
	to_reuse: 'to reuse',
	to_resend: 'to send again',
	to_order: 'to order',
	/** In a plan: the brief that would be reused has failed. */
	to_reuse_failed: 'failed in the workspace',
	needs_review: 'to review',
	changed: 'changed',
	failed: 'failed',
	invalid: 'invalid',
	/** The order might have created its brief. */
	unconfirmed: 'sent without an answer',
	being_written: 'being written',
	not_saved: 'not saved yet',
	/** --reorder names these rows, and they have not been ordered again. */
	not_reordered: 'not ordered again',
	not_ordered: 'not ordered yet',
	deferred: 'deferred',
	ready: 'ready',
	/** Briefs of rows that are no longer in the CSV. */
	removed: 'no longer in the CSV',
	/** Briefs whose row has another order now. */
	replaced: 'replaced by other orders',
	skipped: 'skipped',
} as const;

export type GroupName = keyof typeof GROUPS;

export const GROUP_NAMES = Object.keys(GROUPS) as readonly GroupName[];
