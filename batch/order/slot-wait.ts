import { SLOTS } from '../../service/api/limits';
import type { SlotWaitReport } from '../../service/watch/slots';
import { quoted } from '../../service/shortened-text';
import { EXIT, Failure } from '../failure';
import { minuteOf } from '../text';
import type { RunEvent } from '../events';

type SlotWaitEvent = Extract<RunEvent, { event: 'waiting_for_slot' }>;

export function waitingForSlot({ cause, since, until, holders }: SlotWaitReport): SlotWaitEvent {
	const briefs = holders.map(({ id, product_name, since: from, isOurs }) => ({
		brief_id: id,
		product_name,
		since: timeOf(from),
		ours: isOurs,
	}));
	return { event: 'waiting_for_slot', cause, since: timeOf(since), until: timeOf(until), briefs };
}

/** The end of a run that waited for a slot for as long as a run may. */
export function noSlotFailure(report: SlotWaitReport): Failure {
	const event = waitingForSlot(report);
	return new Failure(
		`Nothing could be ordered since ${minuteOf(event.since)}: ${slotWaitText(event)}`,
		'Run the same command again: rows that were not ordered are pending. If a running brief never ends, ask the vendor’s support about it.',
		EXIT.stoppedEarly,
	);
}

/** Gives why there is no slot, and which briefs run. */
export function slotWaitText({ cause, briefs }: SlotWaitEvent): string {
	const refused =
		briefs.length < SLOTS
			? 'the service refuses another brief although its list shows a free slot'
			: 'the service refuses another brief';
	return `${cause === 'taken' ? 'both slots are taken' : refused}. ${holdersText(briefs)}`;
}

function holdersText(briefs: SlotWaitEvent['briefs']): string {
	if (briefs.length === 0) return 'The list shows no brief that runs.';
	const names = briefs.map(({ brief_id, product_name, since, ours }) => {
		const whose = ours ? 'of this batch' : 'of somebody else';
		const product = product_name === '' ? '' : ` (${quoted(product_name)})`;
		return `brief ${brief_id}${product} ${whose} since ${minuteOf(since)}`;
	});
	return `Running: ${names.join('; ')}.`;
}

export function timeOf(ms: number): string {
	return new Date(ms).toISOString();
}
