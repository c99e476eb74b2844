import { SLOTS } from '../service/api/limits';
import { quote } from '../service/shortened-text';
import type { EventOf } from './folder/events';
import { minuteOf } from './text';

/** Says for what a run waits. */
export function waitText(wait: EventOf<'waits' | 'waits_for_slot'>): string {
	if (wait.event === 'waits_for_slot') return slotWaitText(wait);
	switch (wait.for) {
		case 'rate_limit':
			return 'the service takes no more requests for now';
		case 'retry':
			return 'the service is down or cannot answer';
		case 'month_turn':
			return 'the month turns, and an order could count in either one';
		case 'list':
			return 'the list of briefs has to show first whether a row was ordered';
	}
}

/** Says why there is no slot, and which briefs run. */
export function slotWaitText({ cause, running }: EventOf<'waits_for_slot'>): string {
	const refusedText =
		running.length < SLOTS
			? 'the service refuses another brief although its list shows a free slot'
			: 'the service refuses another brief';
	if (cause === 'taken' && running.length === 0)
		return 'both slots are taken by orders that have no answer yet.';
	return `${cause === 'taken' ? 'both slots are taken' : refusedText}. ${holdersText(running)}`;
}

function holdersText(running: EventOf<'waits_for_slot'>['running']): string {
	if (running.length === 0) return 'The list shows no brief that runs.';
	const names = running.map(({ brief_id, product_name, since, ours }) => {
		// Another one may be that of an order without an answer.
		const whose = ours ? ' of this batch' : '';
		const product = product_name === '' ? '' : ` (${quote(product_name)})`;
		return `brief ${brief_id}${product}${whose} since ${minuteOf(since)}`;
	});
	return `Running: ${names.join('; ')}.`;
}
