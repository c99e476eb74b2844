import type { BriefInput } from '../../service/api/resources';
import type { LastingEvent, OrderState } from '../../service/order/life';
import type { OrderJournal } from '../../service/order/shell';
import { answerOf } from '../folder/journal/causes';
import { contentOf } from '../folder/journal/content';
import type { Try } from '../plan/try';
import type { OrderContext } from './context';
import { acceptanceOf, isParkedAlready, isUnsent } from './order-state';
import { causeOf } from './park';
import type { RowBrief } from './row-brief';

/** What the journal keeps of a row's order. */
export class RowJournal implements OrderJournal {
	constructor(
		private readonly order: Try,
		private readonly input: BriefInput,
		private readonly brief: RowBrief,
		private readonly run: Pick<OrderContext, 'journal'>,
	) {}

	async keep(event: LastingEvent, state: OrderState): Promise<void> {
		const { order, run } = this;
		const { journal } = run;
		const { key } = order;
		switch (event.type) {
			case 'intended': {
				const service_time = new Date(event.at.service).toISOString();
				const content = contentOf(this.input);
				return await journal.append({ type: 'intent', ...order, service_time, content });
			}
			case 'accepted': {
				const { id: brief_id, created_at } = event.brief;
				const { isNew, isOld } = acceptanceOf(event, state);
				if (isUnsent(state)) {
					const content = contentOf(this.input);
					return await journal.append({ type: 'adopted', ...order, brief_id, created_at, content });
				}
				const adopted = isOld ? { adopted: true as const } : {};
				return await journal.append({ type: 'accepted', key, brief_id, found: !isNew, ...adopted });
			}
			case 'withdrawn':
				return await journal.append({ type: 'withdrawn', key, why: event.why });
			case 'refused':
				if (state.answer === null) return;
				return await journal.append({ type: 'refused', key, answer: answerOf(state.answer) });
			case 'parked': {
				if (isParkedAlready(state)) return;
				const cause =
					event.reason === 'brief'
						? this.brief.cause
						: causeOf(event.reason, state, order, journal.records);
				if (cause === null) return;
				return await journal.append(
					state.briefId === null && isUnsent(state)
						? { type: 'parked_unsent', ...order, cause }
						: { type: 'parked', key, cause },
				);
			}
		}
	}
}
