/** Why a run stopped ordering. Briefs that were being written have still been waited for and saved, except after Ctrl-C. */
export type RunStop =
	| {
			readonly kind:
				| 'allowance_used_up'
				/** Several orders in a row failed. */
				| 'failures_in_row'
				/** Several orders in a row got no usable answer. */
				| 'no_answers'
				/** Ctrl-C */
				| 'interrupted';
	  }
	/** No slot became free while these briefs were running. */
	| { readonly kind: 'slots_busy'; readonly runningIds: readonly string[] }
	/** The service refused the run, the disk is full, the lock is lost, and the like. */
	| { readonly kind: 'error'; readonly error: unknown };
