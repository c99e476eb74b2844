import type { BriefInput } from '../../service/api/resources';
import type { LastingEvent, OrderState } from '../../service/order/life';
import type { OrderJournal } from '../../service/order/shell';
import { answerOf } from '../folder/journal/causes';
import { orderedContent } from '../folder/journal/content';
import type { Try } from '../plan/try';
import type { OrderContext } from './order-context';
import { acceptanceOf, isUnsent } from './order-state';
import { causeOf } from './park';

/** What the journal keeps of a row's order. */
export class RowJournal implements OrderJournal {
	constructor(
		private readonly order: Try,
		private readonly input: BriefInput,
		private readonly run: Pick<OrderContext, 'journal' | 'freeBriefs'>,
	) {}

	async keep(event: LastingEvent, state: OrderState): Promise<void> {
		const { order, run } = this;
		const { journal } = run;
		const { key } = order;
		switch (event.type) {
			case 'intended': {
				const service_time = new Date(event.at.service).toISOString();
				const content = orderedContent(this.input);
				const intent = { type: 'intent', ...order, service_time, content } as const;
				if (state.inDoubt) return await journal.append(intent);
				// Nothing has come of it so far, so that what is listed now is of other orders.
				const ids = run.freeBriefs.listedBefore(this.input, event.at);
				return await journal.append(ids.length === 0 ? intent : { ...intent, listed: ids });
			}
			case 'accepted': {
				const { id: brief_id, created_at } = event.brief;
				const { isNew, isOld } = acceptanceOf(event, state);
				if (isUnsent(state)) {
					const content = orderedContent(this.input);
					return await journal.append({ type: 'adopted', ...order, brief_id, created_at, content });
				}
				const facts = isOld ? { adopted: true as const } : {};
				return await journal.append({ type: 'accepted', key, brief_id, found: !isNew, ...facts });
			}
			case 'withdrawn':
				return await journal.append({ type: 'withdrawn', key, why: event.why });
			case 'refused':
				if (state.answer === null) return;
				return await journal.append({ type: 'refused', key, answer: answerOf(state.answer) });
			case 'unanswered':
				return await journal.append({ type: 'unanswered', key, runs: state.runsUnanswered });
			case 'parked': {
				const cause = causeOf(event.reason, state, order, journal.records);
				return await journal.append(
					isUnsent(state)
						? { type: 'parked_unsent', ...order, cause }
						: { type: 'parked', key, cause },
				);
			}
		}
	}
}
