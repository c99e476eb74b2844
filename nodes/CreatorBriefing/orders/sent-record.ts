import type { BriefSource, SentTimes } from '../../../core/orders/order';

/** What is kept of an order that was sent, by its key: in the memory of a process, and in the context of n8n's node. */
export interface SentRecord extends SentTimes {
	readonly contentId: string;
	readonly result: SentResult;
}

export type SentResult =
	/** The brief might have been created. */
	| { readonly kind: 'unconfirmed' }
	| { readonly kind: 'nothing_created' }
	| { readonly kind: 'has_brief'; readonly briefId: string; readonly source: BriefSource };

/**
 * Chooses between the records of a process and of the saved context: in queue mode, another process can have sent the
 * order since. The later request counts, and a brief counts more than any request.
 */
export function chooseRecord(a: SentRecord | null, b: SentRecord | null): SentRecord | null {
	if (a === null || b === null) return a ?? b;
	const later = a.lastSentAt >= b.lastSentAt ? a : b;
	const withBrief = [a, b].find(({ result }) => result.kind === 'has_brief');
	return {
		...later,
		result: (withBrief ?? later).result,
		firstSentAt: Math.min(a.firstSentAt, b.firstSentAt),
	};
}
