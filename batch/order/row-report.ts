import type { OrderEvent, OrderState, Wait } from '../../service/order/life';
import type { OrderListener } from '../../service/order/shell';
import { answerOf, isFailure } from '../folder/journal/causes';
import { parkedMark } from '../plan/marks';
import { orderName, type Try } from '../plan/try';
import type { OrderContext } from './order-context';
import { acceptanceOf, isUnsent } from './order-state';
import { timeOf } from './slot-wait';

/** What a row's order means for the budget, for the ordering of the others, and for whoever reads the events of the run. */
export class RowReport implements OrderListener {
	private isOrderEmitted = false;

	constructor(
		private readonly order: Try,
		private readonly run: OrderContext,
	) {}

	hear(event: OrderEvent, state: OrderState): void {
		const { type } = event;
		if (type === 'intended' || type === 'sent') this.run.budget.reserve(this.order.key);
		if (type === 'sent') this.onSent();
		if (type === 'answered') this.onAnswered(event);
		if (type === 'accepted') this.onAccepted(event, state);
		if (type === 'refused') this.onRefused(state);
		if (type === 'unanswered') this.onUnanswered();
		if (type === 'parked') this.onParked(state);
	}

	waits(what: Wait, until: number): void {
		const { clock, emit } = this.run;
		const times = { since: timeOf(clock.now()), until: timeOf(until) };
		emit({ event: 'waiting', ...orderName(this.order), for: what, ...times });
	}

	/** It is about to be sent. --json prints that once the service has taken it (screen/console.ts). */
	private onSent(): void {
		const { order, run } = this;
		if (!this.isOrderEmitted) run.emit({ event: 'brief_ordered', ...orderName(order) });
		this.isOrderEmitted = true;
	}

	private onAnswered({ error }: Extract<OrderEvent, { type: 'answered' }>): void {
		const { budget, service } = this.run;
		if (error.kind === 'allowance_used_up') budget.usedUp(service.now());
	}

	private onAccepted(event: Extract<OrderEvent, { type: 'accepted' }>, state: OrderState): void {
		const { budget, emit, ordering } = this.run;
		const { order } = this;
		const { brief } = event;
		const { isNew, isOld } = acceptanceOf(event, state);
		if (isNew) budget.spent(order.key, brief.id);
		else budget.free(order.key);
		const takenOver = isUnsent(state) || isOld ? { taken_over: true as const } : {};
		const facts = { brief_id: brief.id, status: brief.status, found: !isNew };
		emit({ event: 'brief_accepted', ...orderName(order), ...facts, ...takenOver });
		if (isOld)
			emit({ event: 'remark', is: 'old_brief', ...orderName(order), created_at: brief.created_at });
		if (isNew) ordering.accept();
	}

	private onRefused({ answer: error }: OrderState): void {
		if (error === null) return;
		const answer = answerOf(error);
		const cause = { reason: 'refused', answer } as const;
		const error_code = answer.code ?? answer.kind;
		const facts = { ...orderName(this.order), brief_id: null, error_code, ...cause };
		this.run.emit({ event: 'row_failed', ...facts });
	}

	private onUnanswered(): void {
		const { journal, emit } = this.run;
		const record = journal.records.withKey(this.order.key);
		if (record?.cause?.reason !== 'unanswered') return;
		const { cause, error_code } = record;
		const facts = { brief_id: null, error_code: error_code ?? '', ...cause };
		emit({ event: 'row_failed', ...orderName(this.order), ...facts });
	}

	private onParked(state: OrderState): void {
		const { journal, emit } = this.run;
		const { order } = this;
		const cause = journal.records.withKey(order.key)?.cause;
		// If an earlier run parked it, it is no news that its brief cannot be had.
		if (state.stage === 'parked' || cause == null || isFailure(cause)) return;
		const isKnown = journal.records.reportedMarks.has(parkedMark(order.key, cause));
		const knownField = isKnown ? { known: true as const } : {};
		emit({
			event: 'row_parked',
			...orderName(order),
			brief_id: state.briefId,
			...cause,
			...knownField,
		});
	}
}
