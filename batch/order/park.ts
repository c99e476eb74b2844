import { quoted } from '../../service/text';
import { explain } from '../../service/api/explain';
import type { ParkReason, OrderState } from '../../service/order/life';
import type { WaitTimeout } from '../../service/watch/wait';
import { adoptCommand, commandFor } from '../command-text';
import { count } from '../text';
import { named, type Try } from '../plan/try';
import type { Emit } from '../events';
import type { Journal } from '../folder/journal/journal';
import type { Records } from '../folder/journal/records';
import { parkedMark } from '../plan/reported';

export interface ParkCause {
	/** A person, or only another run. */
	needs: 'person' | 'later';
	why: string;
	/** The brief that its create was answered with, if that is not believed to be its own. */
	answered_with?: string | undefined;
}

/** A text for a row that needs attention, which says so at its start. */
function forPerson(text: string): ParkCause {
	return { needs: 'person', why: `Needs attention. ${text}` };
}

/** The same for what another run may cure. Each run tries again, and pays for nothing. */
export function forLater(text: string): ParkCause {
	return { needs: 'later', why: `Run it again later. ${text}` };
}

export function unknownTo(id: string): ParkCause {
	return forPerson(
		`The service accepted brief ${id} but does not know it any more. Ask the vendor’s support about it; brief-batch run looks for it again each time.`,
	);
}

/** Gives why an order is put aside, and what to do about it. */
export function causeOf(
	reason: Exclude<ParkReason, 'brief'>,
	{ finding, answer, isGone }: OrderState,
	order: Try,
	{ records, outDir, now }: { records: Records; outDir: string; now: number },
): ParkCause {
	const adopt = (id?: string) => {
		// The brief of another row cannot be adopted.
		const free = id !== undefined && records.ownerOf(id) !== undefined ? undefined : id;
		return adoptCommand(order.row_number, free, records, outDir);
	};
	const tried = records.of(order.row)?.first_tried ?? 'then';
	const ids = finding?.is === 'unclear' ? finding.ids : [];
	const what = answer === null ? '' : `${explain(answer, now).what} `;
	const only = ids.length === 1 ? ids[0] : undefined;
	const given = answer?.brief?.id;
	const choose = `take it, which costs nothing: ${adopt(given ?? only)}. If not, retry the row, which may cost a brief: ${commandFor('retry', records, outDir)}`;
	const look =
		ids.length === 0
			? `If the vendor’s web app shows a brief of this product created around ${tried}, ${choose}`
			: `If the vendor’s web app shows that ${ids.join(' or ')} is its brief, ${choose}`;
	const cause = (text: string) => ({ ...forPerson(text), answered_with: given });
	switch (reason) {
		case 'listed': {
			const orderAgain = commandFor(
				'run',
				records,
				outDir,
				'--order-again',
				String(order.row_number),
			);
			return cause(
				`Held, nothing paid: the workspace has ${count(ids.length, 'brief')} of ${quoted(order.product_name)} (${ids.join(', ')}), but not with exactly this content. A --set may be missing. If the brief is the row’s, take it, which costs nothing: ${adopt(only)}. If not, order the row, for one brief: ${orderAgain}`,
			);
		}
		case 'unclear':
			if (isGone && ids.length > 0)
				return cause(
					`No answer to its order of ${tried} is on record, its row is no longer in the CSV, and ${ids.join(' or ')} may be its brief. If so, it is paid for and lies in the vendor’s web app; to have it here, put the row back as it was and run again.`,
				);
			return cause(
				`No answer to its order of ${tried} is on record${ids.length === 0 ? ', and the service does not list its briefs to the end' : ''}. ${look}`,
			);
		case 'other_brief':
		case 'refused_in_doubt':
		case 'unanswered':
			return cause(`${what}${look}`);
	}
}

/** Gives why a brief is put aside that has not ended in its time. */
export function lateCause(
	{ brief, unseenFor }: WaitTimeout,
	id: string,
	timeout: number,
): ParkCause {
	const minutes = (ms: number) => count(Math.round(ms / 60_000), 'minute');
	const status = brief?.status ?? 'running';
	const what =
		unseenFor === 0
			? `The brief was still ${status} after ${minutes(timeout)}`
			: `The brief could not be looked at for ${minutes(unseenFor)}, and was ${status} before that`;
	return forLater(
		`${what}: it is paid for, and the next brief-batch run fetches it. If it never ends, ask the vendor’s support about brief ${id}.`,
	);
}

interface Parked {
	order: Try;
	briefId: string | null;
	/** It was never sent, so that the journal does not know it yet. */
	isUnsent: boolean;
}

/** Puts an order aside: the only place where that is done. */
export async function parkOrder(
	{ order, briefId, isUnsent }: Parked,
	{ why, needs, answered_with }: ParkCause,
	{ journal, emit }: { journal: Journal; emit: Emit },
): Promise<void> {
	const isKnown = journal.records.reported.has(parkedMark(order.key, why));
	await journal.append(
		isUnsent
			? { type: 'parked_unsent', ...order, why }
			: { type: 'parked', key: order.key, why, needs, ...(answered_with && { answered_with }) },
	);
	const known = isKnown ? { known: true as const } : {};
	emit({ event: 'row_parked', ...named(order), brief_id: briefId, error: why, ...known });
}
