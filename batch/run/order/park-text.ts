import { explain } from '../../../service/explain';
import type { OrderState } from '../../../service/order/states';
import type { ParkReason } from '../../../service/order/steps';
import type { BriefRecord } from '../../journal/records';
import type { RowOrder } from '../rows/row-order';

/** What a parked row needs: somebody who looks, or only another run. */
export type ParkNeed = 'person' | 'later';

/** Why a row is put aside. */
export interface ParkCause {
	needs: ParkNeed;
	why: string;
}

/** A text that a person must act on, which says so at its start. */
export function forPerson(text: string): ParkCause {
	return { needs: 'person', why: `A person must look. ${text}` };
}

/** The same for what another run may cure. Each run tries again, and pays for nothing. */
export function forLater(text: string): ParkCause {
	return { needs: 'later', why: `To be run again later. ${text}` };
}

/** Older journals do not say it; then every run asks again for a brief that is known, and only for that. */
export function needOf({ needs, brief_id }: Pick<BriefRecord, 'needs' | 'brief_id'>): ParkNeed {
	return needs ?? (brief_id === null ? 'person' : 'later');
}

/**
 * Why a row is put aside, for the person who is to look after it, and what to do.
 * @param now the service's time in milliseconds
 */
export function parkText(
	reason: ParkReason,
	state: OrderState,
	order: RowOrder,
	record: BriefRecord | undefined,
	now: number,
): string {
	return forPerson(reasonText(reason, state, order, record, now)).why;
}

function reasonText(
	reason: ParkReason,
	{ finding, answer }: OrderState,
	order: RowOrder,
	record: BriefRecord | undefined,
	now: number,
): string {
	const tried = record?.first_tried ?? 'then';
	const ids = finding?.is === 'unclear' ? finding.ids.join(' or ') : '';
	const what = answer === null ? '' : `${explain(answer, now).what} `;
	const look = `Look in the vendor’s web app for a brief of this product created around ${tried}.`;
	const startAnew =
		'If there is none, give the row a new start, which may cost a brief, with: brief-batch retry.';
	switch (reason) {
		case 'listed':
			return `It is not ordered, because it may have been ordered before: the workspace has a brief of this product that the journal does not know (${ids}), and what the service shows of it does not tell whether it was made from this row. A --set may be missing, for example. Look at it in the vendor’s web app. If the row is to have another one: brief-batch run with --order-again.`;
		case 'other_brief':
			return `${what}The row is of “${order.product_name}”, so that brief is not taken for its own, and nothing is paid again by itself. ${look} If there is none, give the row a key of its own, and have it ordered, with: brief-batch retry.`;
		case 'unclear':
			if (ids === '')
				return `It was ordered at ${tried}, the answer was lost, and the service does not list its briefs to the end. ${look} ${startAnew}`;
			return `It was ordered at ${tried} and the answer was lost. Its brief is one of ${ids}: look at them in the vendor’s web app. If none is its own, give the row a new start with: brief-batch retry.`;
		case 'refused_in_doubt':
		case 'unanswered':
			return `${what}${look} ${startAnew}`;
	}
}
