import { LOOK_FRESH_MS } from '../../service/assumptions';
import type { BriefInput, BriefSummary } from '../../service/api/resources';
import type { Circumstances } from '../../service/order/decide';
import { findBrief } from '../../service/order/find-brief';
import type { OrderEvent, OrderState } from '../../service/order/life';
import type { Look, OrderListener, OrderShell } from '../../service/order/shell';
import { listedSince, readSince, momentNow } from '../../service/order/times';
import { isRead } from '../../service/watch/whole-brief';
import { isSelected } from '../plan/row-selection';
import type { Try } from '../plan/try';
import type { OrderContext } from './order-context';
import { isUnsent } from './order-state';
import type { RowBrief } from './row-brief';

/** What is around a row's order: the list, the other rows and the run. */
export class RowShell implements OrderShell, OrderListener {
	readonly key: string;

	constructor(
		private readonly order: Try,
		readonly input: BriefInput,
		private readonly run: OrderContext,
		private readonly brief: RowBrief,
	) {
		this.key = order.key;
	}

	hear(event: OrderEvent): void {
		if (event.type === 'accepted' && !event.isFound && isRead(event.brief))
			this.run.freeBriefs.learn(event.brief, this.input);
	}

	mayBeListed(): boolean {
		const { order, input } = this;
		const { freeBriefs, orderAgain, rows } = this.run;
		const isAskedAgain = isSelected(orderAgain, rows.of(order.key)?.number);
		return !isAskedAgain && freeBriefs.mayHave(order, input);
	}

	find(state: OrderState): Promise<{ look: Look; asOf: number }> {
		if (!isUnsent(state)) return this.lookForSent(state);
		return this.run.freeBriefs.take(this.order, this.input);
	}

	/** Looks in the list for the brief that a create without an answer may have made. */
	private async lookForSent(state: OrderState): Promise<{ look: Look; asOf: number }> {
		const { order, input, run } = this;
		const now = momentNow(run);
		// A parked order is never sent, so any reading of this run will do.
		const enough =
			state.stage === 'parked'
				? { maxAge: Infinity }
				: { maxAge: LOOK_FRESH_MS, since: readSince(state, now) };
		const listing = await run.list.downTo(listedSince(state, now), enough, run.ordering.waitSignal);
		const isFurther = order.generation > 1;
		const isOwned = (id: string) => run.journal.records.ownerOf(id) !== undefined;
		const listedBefore = run.journal.records.withKey(order.key)?.listed_before ?? [];
		const sought = { ...state, input, isFurther, listedBefore };
		const look = await findBrief(run, sought, listing, isOwned);
		return {
			look: run.owners.withoutThoseOfOthers(look, order, run.keysWithoutRow),
			asOf: listing.asOf,
		};
	}

	claim({ id }: BriefSummary): boolean {
		return this.run.owners.take(id, this.key);
	}

	circumstances(): Circumstances {
		const { ordering, budget, service, maxTries } = this.run;
		return {
			end: budget.end(service.now(), this.key),
			isLastCall: ordering.isLastCall,
			maxTries,
			isOverdue: this.brief.isOverdue,
		};
	}
}
