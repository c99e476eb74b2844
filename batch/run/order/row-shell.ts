import { GIVEN_UP_AFTER_MS } from '../../../service/assumptions';
import { explain } from '../../../service/explain';
import type { OrderingEnd } from '../../../service/order/decide';
import type { ParkReason } from '../../../service/order/steps';
import type { FollowEvent, Look, OrderShell } from '../../../service/order/shell';
import type { LastingEvent, PassingEvent, Wait } from '../../../service/order/events';
import type { OrderState } from '../../../service/order/states';
import type { BriefInput, BriefSummary } from '../../../service/resources';
import { contentOf } from '../../journal/content';
import type { BriefRecord } from '../../journal/records';
import type { Reservation } from './budget';
import { lookForListed, lookForSent } from './look-for-brief';
import { park } from './collect';
import type { Dependencies } from '../dependencies';
import { FollowedBrief } from './followed-brief';
import { parkText } from './park-text';
import { named, type RowOrder } from '../../plan/row-order';
import { timeOf } from './slot-wait';

/** What the life of an order means for one row of a batch: in the journal, in the run's budget and in its events. */
export class RowShell implements OrderShell {
	readonly key: string;
	readonly hasRecord = true;
	private readonly followed: FollowedBrief;
	private reservation: Reservation | null = null;
	private isOrderEmitted = false;
	private acceptedByOthersBefore = 0;

	constructor(
		readonly order: RowOrder,
		readonly input: BriefInput,
		private readonly run: Dependencies,
	) {
		this.key = order.key;
		this.followed = new FollowedBrief(order, run);
	}

	async record(event: LastingEvent, state: OrderState): Promise<void> {
		const { journal, budget, service, emit, ordering } = this.run;
		const { key } = this;
		switch (event.type) {
			case 'intended': {
				this.reservation ??= budget.reserve();
				const service_time = new Date(event.at).toISOString();
				const content = contentOf(this.input);
				return await journal.append({ type: 'intent', ...this.order, service_time, content });
			}
			case 'accepted': {
				const { brief, found } = event;
				if (found) this.reservation?.free();
				else this.reservation?.spent(brief.id);
				const { id: brief_id, created_at, status } = brief;
				const isAdopted = this.isUnsent(state);
				const adopted = { ...this.order, brief_id, created_at, content: contentOf(this.input) };
				await journal.append(
					isAdopted ? { type: 'adopted', ...adopted } : { type: 'accepted', key, brief_id, found },
				);
				const how = { found, ...(isAdopted ? { adopted: true as const } : {}) };
				emit({ event: 'brief_accepted', ...named(this.order), brief_id, status, ...how });
				if (!found) ordering.accept();
				return this.followed.accepted(brief, found);
			}
			case 'withdrawn':
				return await journal.append({ type: 'withdrawn', key, why: event.why });
			case 'refused': {
				if (state.answer === null) return;
				const { kind, code } = state.answer;
				const why = explain(state.answer, service.now()).what;
				await journal.append({ type: 'refused', key, kind, code, why });
				const error_code = code || kind;
				emit({ event: 'row_failed', ...named(this.order), brief_id: null, error_code, error: why });
				return;
			}
			case 'parked': {
				const answered_with = state.answer?.brief?.id;
				const cause = { needs: 'person', why: event.why, answered_with } as const;
				await park(this.order, null, cause, this.run, { isUnsent: this.isUnsent(state) });
				return;
			}
			case 'filed':
				return;
		}
	}

	waits(what: Wait, until: number): void {
		const { clock, emit } = this.run;
		const times = { since: timeOf(clock.now()), until: timeOf(until) };
		emit({ event: 'waiting', ...named(this.order), for: what, ...times });
	}

	note(event: PassingEvent, { inDoubt }: OrderState): void {
		const { budget, service, emit, ordering } = this.run;
		if (event.type === 'sent') {
			this.reservation ??= budget.reserve();
			const { key, order } = this;
			if (!this.isOrderEmitted) emit({ event: 'brief_ordered', ...named(order), key });
			this.isOrderEmitted = true;
		}
		if (event.type === 'given_up') this.acceptedByOthersBefore = ordering.acceptedSince();
		if (event.type !== 'answered') return;
		const { kind } = event.error;
		if (kind === 'allowance_used_up') budget.usedUp(service.now());
		// One that was in doubt was sent before, and so may be answered with what came of that.
		if (kind === 'other_brief' && !inDoubt)
			ordering.unbelieved.add(this.key, this.order.product_name, event.error);
	}

	end(): OrderingEnd | null {
		return this.run.budget.end(this.run.service.now(), this.reservation);
	}

	/** What is reserved for an order in doubt stays reserved: its brief may have been paid for. */
	leave({ inDoubt }: Pick<OrderState, 'inDoubt'>): void {
		if (!inDoubt) this.reservation?.free();
		this.reservation = null;
	}

	find(state: OrderState): Promise<{ look: Look; asOf: number }> {
		const { order, input, run } = this;
		if (this.isUnsent(state)) return lookForListed(order, input, run);
		return lookForSent(order, input, state, run);
	}

	claim({ id }: BriefSummary): boolean {
		return this.run.claims.take(id, this.key);
	}

	parkText(reason: ParkReason, state: OrderState): string {
		const { journal, outDir, service } = this.run;
		const { records } = journal;
		return parkText(reason, state, this.order, { records, outDir, now: service.now() });
	}

	follow(step: 'get' | 'watch' | 'file'): Promise<FollowEvent> {
		return this.followed.follow(step);
	}

	circumstances({ firstTried }: OrderState) {
		const { ordering, service } = this.run;
		const age = service.now() - (firstTried ?? service.now());
		return {
			isLastCall: ordering.isLastCall,
			isHopeless:
				ordering.acceptedSince(this.acceptedByOthersBefore) > 0 || age > GIVEN_UP_AFTER_MS,
			isOverdue: this.followed.isOverdue(),
			mayBeListed: this.run.listed.mayHave(this.order, this.input),
		};
	}

	/** Whether this journal never sent it: it is new, or was parked before it was ordered. */
	private isUnsent({ stage }: OrderState): boolean {
		return stage === 'to_order' || this.recordOf()?.unsent === true;
	}

	private recordOf(): BriefRecord | undefined {
		return this.run.journal.records.of(this.order.row, this.order.ordinal);
	}
}
