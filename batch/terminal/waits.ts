import { describeAnswer } from '../../core/api/error-messages';
import type { SlotWait } from '../../core/workspace/slot-gate';
import { formatCount } from '../../core/text';
import type { Outage, TimeSpan, WaitWatch } from '../run/wait-watch';
import { nameBriefs } from '../text';
import { formatDuration, formatMinute } from './format';

/** A wait of a run. The text says what the run is waiting for, since when and until when. */
export interface Wait {
	readonly kind: 'slot' | 'outage' | 'list' | 'request';
	readonly since: number;
	readonly text: string;
}

/** Shorter waits are normal and not shown. */
const LONG_WAIT_MS = 10_000;

interface WaitSources {
	readonly slotWait: SlotWait | null;
	readonly waits: WaitWatch;
	/** `Orders.shortenId` */
	readonly shortenId: (briefId: string) => string;
}

/** Returns the waits that are long enough to be shown. */
export function findLongWaits({ slotWait, waits, shortenId }: WaitSources, now: number): Wait[] {
	const { currentOutage, currentListWaits, oldestRequest } = waits;
	const all: Wait[] = [];
	if (slotWait !== null)
		all.push({ kind: 'slot', since: slotWait.since, text: describeSlotWait(slotWait, shortenId) });
	if (currentOutage !== null)
		all.push({
			kind: 'outage',
			since: currentOutage.since,
			text: describeOutage(currentOutage),
		});
	const [firstListWait] = currentListWaits;
	if (firstListWait !== undefined)
		all.push({
			kind: 'list',
			since: firstListWait.since,
			text: describeListWaits(currentListWaits),
		});
	if (oldestRequest !== undefined)
		all.push({
			kind: 'request',
			since: oldestRequest.since,
			text: `Waiting for an answer ${formatSpan(oldestRequest)}.`,
		});
	return all.filter(({ since }) => now - since >= LONG_WAIT_MS);
}

function formatSpan({ since, until }: TimeSpan): string {
	return `since ${formatMinute(since)}, until ${formatMinute(until)} at most`;
}

function describeListWaits(waits: readonly TimeSpan[]): string {
	const since = Math.min(...waits.map((wait) => wait.since));
	const until = Math.max(...waits.map((wait) => wait.until));
	const orders = formatCount(waits.length, 'order');
	return `Waiting ${formatSpan({ since, until })}: the brief list might not show yet whether ${orders} without an answer created a brief.`;
}

function describeSlotWait(
	{ runningIds, ...span }: SlotWait,
	shortenId: (briefId: string) => string,
): string {
	const briefs = nameBriefs(runningIds.map(shortenId));
	const reason =
		runningIds.length === 0
			? 'an order is not listed yet'
			: `${briefs} ${runningIds.length === 1 ? 'is' : 'are'} running`;
	return `Waiting for a slot ${formatSpan(span)}: ${reason}.`;
}

function describeOutage({ error, since, until }: Outage): string {
	if (error.kind === 'rate_limited')
		return `Rate limit reached (429): waiting since ${formatMinute(since)}, until ${formatMinute(until)}.`;
	return `The service has not answered since ${formatMinute(since)}; waiting ${formatDuration(until - since)} at most. ${describeAnswer(error)}`;
}
