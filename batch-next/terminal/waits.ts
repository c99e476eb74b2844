import { describeAnswer } from '../../core/api/error-messages';
import type { SlotWait } from '../../core/workspace/slot-gate';
import type { Outage } from '../run/outage-watch';
import { nameBriefs } from '../text';
import { formatMinute } from './format';

/** A wait of a run. The text says what the run is waiting for, since when and until when. */
export interface Wait {
	readonly since: number;
	readonly text: string;
}

/** Shorter waits are normal and not shown. */
const LONG_WAIT_MS = 10_000;

interface WaitSources {
	readonly slotWait: SlotWait | null;
	readonly outage: Outage | null;
	/** `Orders.shortenId` */
	readonly shortenId: (briefId: string) => string;
}

/** Returns the waits that are long enough to be shown. */
export function findLongWaits({ slotWait, outage, shortenId }: WaitSources, now: number): Wait[] {
	const waits: Wait[] = [];
	if (slotWait !== null) {
		waits.push({ since: slotWait.since, text: describeSlotWait(slotWait, shortenId) });
	}
	if (outage !== null) {
		waits.push({ since: outage.since, text: describeOutage(outage, now) });
	}
	return waits.filter(({ since }) => now - since >= LONG_WAIT_MS);
}

function describeSlotWait(
	{ since, until, runningIds }: SlotWait,
	shortenId: (briefId: string) => string,
): string {
	const briefs = nameBriefs(runningIds.map(shortenId));
	const reason =
		runningIds.length === 0
			? 'an order is not listed yet'
			: `${briefs} ${runningIds.length === 1 ? 'is' : 'are'} running`;
	return `Waiting for a slot since ${formatMinute(since)}, until ${formatMinute(until)} at most: ${reason}.`;
}

function describeOutage({ error, since, until }: Outage, now: number): string {
	if (error.kind === 'rate_limited')
		return `Rate limit reached (429): waiting since ${formatMinute(since)}, until ${formatMinute(until)}.`;
	return `The service has not answered since ${formatMinute(since)}; waiting until ${formatMinute(until)} at most. ${describeAnswer(error)}`;
}
