import type { EventType } from '../service/order/events';
import { LIFE } from '../service/order/life';
import type { Stage } from '../service/order/states';

const BEGIN = '<!-- order life: begin -->';
const END = '<!-- order life: end -->';

/** What an order in this stage is, for who reads the diagram. */
const MEANING: Readonly<Record<Stage, string>> = {
	to_order: 'To order: no brief exists',
	waiting: 'Waiting for one of the two slots',
	cleared: 'Cleared: it has a slot, and is checked once more',
	sent: 'Sent: its create is on its way',
	answered: 'Answered, but not with a brief',
	in_doubt: 'In doubt: its brief may exist',
	running: 'Running: its brief is being written',
	ended: 'Ended: its brief is to be fetched',
	done: 'Done: its brief is kept, or has failed',
	refused: 'Refused for good',
	deferred: 'Deferred to the next month or run',
	parked: 'Parked: a person must look',
	changed: 'Changed: ordered before with other content',
};

/** The life of an order as a Mermaid state diagram, from the table that the code goes by. */
export function drawOrderLife(): string {
	const lines = ['stateDiagram-v2', '\t[*] --> to_order'];
	for (const [stage, meaning] of Object.entries(MEANING)) lines.push(`\t${stage}: ${meaning}`);
	for (const [stage, ways] of Object.entries(LIFE)) {
		// Events with the same outcome share one arrow.
		const events = new Map<Stage, EventType[]>();
		for (const [event, next] of Object.entries(ways) as Array<[EventType, Stage]>) {
			events.set(next, [...(events.get(next) ?? []), event]);
		}
		for (const [next, names] of events) lines.push(`\t${stage} --> ${next}: ${names.join(', ')}`);
		if (events.size === 0) lines.push(`\t${stage} --> [*]`);
	}
	return ['```mermaid', ...lines, '```'].join('\n');
}

/** A page with the diagram as it is now between its two markers. */
export function withOrderLife(page: string): string {
	const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
	if (begin < 0 || end < begin) throw new Error(`The page lacks ${BEGIN} or ${END}`);
	const before = page.slice(0, begin + BEGIN.length);
	return `${before}\n\n${drawOrderLife()}\n\n${page.slice(end)}`;
}
