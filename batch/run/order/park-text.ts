import { explain } from '../../../service/explain';
import type { OrderState } from '../../../service/order/states';
import type { ParkReason } from '../../../service/order/steps';
import { adoptCommand, commandFor } from '../../command-text';
import type { BriefRecord, Records } from '../../journal/records';
import type { RowOrder } from '../../plan/row-order';

/** What a parked row needs: somebody who looks, or only another run. */
export type ParkNeed = 'person' | 'later';

/** Why a row is put aside. */
export interface ParkCause {
	needs: ParkNeed;
	why: string;
	/** The brief that its create was answered with, if that is not believed to be its own. */
	answered_with?: string | undefined;
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
	{ records, outDir, now }: { records: Records; outDir: string; now: number },
): string {
	const tried = records.of(order.row, order.ordinal)?.first_tried ?? 'then';
	const commands: Commands = {
		// The brief of another row is not to be had.
		adopt: (briefId) => {
			const free = briefId !== undefined && records.owns(briefId) ? undefined : briefId;
			return adoptCommand(order.row_number, free, records, outDir);
		},
		orderAgain: commandFor('run', records, outDir, '--order-again'),
		retry: commandFor('retry', records, outDir),
	};
	return forPerson(reasonText(reason, state, order, tried, commands, now)).why;
}

interface Commands {
	adopt: (briefId?: string) => string;
	orderAgain: string;
	retry: string;
}

function reasonText(
	reason: ParkReason,
	{ finding, answer }: OrderState,
	order: RowOrder,
	tried: string,
	{ adopt, orderAgain, retry }: Commands,
	now: number,
): string {
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const what = answer === null ? '' : `${explain(answer, now).what} `;
	const given = answer?.brief?.id;
	const choose = `If one is the row’s, this takes it and costs nothing: ${adopt(given)}. If none is, this asks before it gives the row another try, which may cost a brief: ${retry}`;
	const look = `Look in the vendor’s web app for a brief of this product created around ${tried}. ${choose}`;
	switch (reason) {
		case 'listed':
			return `It may have been ordered before: the workspace has a brief of this product that the journal does not know (${ids.join(', ')}), which does not show exactly the content of this row. A --set may be missing. If the brief is the row’s, this takes it and costs nothing: ${adopt(ids.length === 1 ? ids[0] : undefined)}. If not, this orders every row like it, for a brief each: ${orderAgain}`;
		case 'other_brief':
			return `${what}The row is of “${order.product_name}”, and nothing is paid again by itself. ${look}`;
		case 'unclear':
			if (ids.length === 0)
				return `No answer to its order of ${tried} is on record, and the service does not list its briefs to the end. ${look}`;
			return `No answer to its order of ${tried} is on record. Look in the vendor’s web app at ${ids.join(' and ')}. ${choose}`;
		case 'refused_in_doubt':
		case 'unanswered':
			return `${what}${look}`;
	}
}
