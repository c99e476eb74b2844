import type { BriefSummary } from '../../core/api/types';
import { describeAnswer } from '../../core/api/error-messages';
import type { SlotWait } from '../../core/workspace/slot-gate';
import { formatCount } from '../../core/text';
import type { Outage, TimeSpan, WaitWatch } from '../run/wait-watch';
import { describeRunningBriefs, formatDuration, formatMinute } from '../text';

/** A wait of a run. The text says what the run is waiting for, since when and until when. */
export interface Wait extends TimeSpan {
	readonly kind: 'slot' | 'outage' | 'list' | 'request';
	readonly text: string;
}

/** Shorter waits are normal and not shown. */
const LONG_WAIT_MS = 10_000;

interface WaitSources {
	readonly slotWait: SlotWait | null;
	readonly waits: WaitWatch;
	readonly findBrief: (id: string) => BriefSummary | undefined;
}

/** Returns the waits that are long enough to be shown. */
export function findLongWaits({ slotWait, waits, findBrief }: WaitSources, now: number): Wait[] {
	const { currentOutage, currentListWaits, oldestRequest } = waits;
	const all: Wait[] = [];
	const add = (kind: Wait['kind'], { since, until }: TimeSpan, text: string) =>
		all.push({ kind, since, until, text });
	if (slotWait !== null) add('slot', slotWait, describeSlotWait(slotWait, findBrief));
	if (currentOutage !== null) add('outage', currentOutage, describeOutage(currentOutage));
	if (currentListWaits.length > 0) {
		const span = joinSpans(currentListWaits);
		add('list', span, describeListWaits(span, currentListWaits.length));
	}
	if (oldestRequest !== undefined)
		add('request', oldestRequest, `Waiting for an answer ${formatSpan(oldestRequest)}.`);
	return all.filter(({ since }) => now - since >= LONG_WAIT_MS);
}

function joinSpans(spans: readonly TimeSpan[]): TimeSpan {
	const since = Math.min(...spans.map((span) => span.since));
	return { since, until: Math.max(...spans.map((span) => span.until)) };
}

function formatSpan({ since, until }: TimeSpan): string {
	return `since ${formatMinute(since)}, until ${formatMinute(until)} at most`;
}

function describeListWaits(span: TimeSpan, count: number): string {
	const orders = formatCount(count, 'order');
	return `Waiting ${formatSpan(span)}: the brief list might not show yet whether ${orders} without an answer created a brief.`;
}

function describeSlotWait(
	{ runningIds, ...span }: SlotWait,
	findBrief: WaitSources['findBrief'],
): string {
	const briefs = runningIds.flatMap((id) => findBrief(id) ?? []);
	const reason =
		briefs.length === 0
			? 'an order is not listed yet'
			: `${describeRunningBriefs(briefs)} ${briefs.length === 1 ? 'is' : 'are'} running`;
	return `Waiting for a slot ${formatSpan(span)}: ${reason}.`;
}

function describeOutage({ error, since, until }: Outage): string {
	if (error.kind === 'rate_limited')
		return `Rate limit reached (429): waiting since ${formatMinute(since)}, until ${formatMinute(until)}.`;
	return `The service has not answered since ${formatMinute(since)}; waiting ${formatDuration(until - since)} at most. ${describeAnswer(error)}`;
}
