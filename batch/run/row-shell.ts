import { GIVEN_UP_AFTER_MS } from '../../service/assumptions';
import { explain } from '../../service/explain';
import type { OrderingEnd } from '../../service/order/decide';
import type { ParkReason } from '../../service/order/steps';
import type { FollowEvent, Look, OrderShell } from '../../service/order/shell';
import type { LastingEvent, OrderState, PassingEvent, Wait } from '../../service/order/states';
import { isRunning, type BriefInput, type BriefSummary } from '../../service/resources';
import { createdByOurClock } from '../../service/service-time';
import { contentOf } from '../journal/content';
import type { BriefRecord } from '../journal/records';
import type { Reservation } from './budget';
import { lookForListed, lookForSent } from './look-for-brief';
import { collectBrief, findKnown, park, watchBrief } from './collect';
import type { Dependencies } from './dependencies';
import { parkText } from './park-text';
import { named, type RowOrder } from './row-order';
import { timeOf } from './slot-wait';

/** What the life of an order means for one row of a batch: in the journal, in the run's budget and in its events. */
export class RowShell implements OrderShell {
	readonly key: string;
	readonly hasRecord = true;
	/** Its brief as last seen, and since when it is being written, by this machine's clock. */
	private brief: BriefSummary | null = null;
	private since = 0;
	private reservation: Reservation | null = null;
	private isOrderEmitted = false;
	/** When the service accepted it in this run, by this machine's clock: from then it counts how long the brief takes. */
	private acceptedAt: number | null = null;
	private acceptedByOthersBefore = 0;

	constructor(
		readonly order: RowOrder,
		readonly input: BriefInput,
		private readonly run: Dependencies,
	) {
		this.key = order.key;
	}

	async record(event: LastingEvent, state: OrderState): Promise<void> {
		const { journal, budget, service, clock, emit, ordering } = this.run;
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
				const { id: brief_id, created_at } = brief;
				const isAdopted = this.isUnsent(state);
				await journal.append(
					isAdopted
						? {
								type: 'adopted',
								...this.order,
								brief_id,
								created_at,
								content: contentOf(this.input),
							}
						: { type: 'accepted', key, brief_id, found },
				);
				this.emitAccepted(brief, { found, ...(isAdopted ? { adopted: true } : {}) });
				if (!found) ordering.accept();
				this.brief = brief;
				this.since = clock.now();
				this.acceptedAt = found ? null : this.since;
				return;
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
			case 'parked':
				await park(this.order, null, event.why, this.run, { isUnsent: this.isUnsent(state) });
				return;
			case 'filed':
				return;
		}
	}

	waits(what: Wait, until: number): void {
		const { clock, emit } = this.run;
		const times = { since: timeOf(clock.now()), until: timeOf(until) };
		emit({ event: 'waiting', ...named(this.order), for: what, ...times });
	}

	note(event: PassingEvent): void {
		const { budget, service, emit } = this.run;
		if (event.type === 'sent') {
			this.reservation ??= budget.reserve();
			const { key, order } = this;
			if (!this.isOrderEmitted) emit({ event: 'brief_ordered', ...named(order), key });
			this.isOrderEmitted = true;
		}
		if (event.type === 'given_up') this.acceptedByOthersBefore = this.run.ordering.acceptedSince();
		if (event.type === 'answered' && event.error.kind === 'allowance_used_up') {
			budget.usedUp(service.now());
		}
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
		return parkText(reason, state, this.order, this.recordOf(), this.run.service.now());
	}

	async follow(step: 'get' | 'watch' | 'file'): Promise<FollowEvent> {
		switch (step) {
			case 'get':
				return await this.getKnown();
			case 'watch':
				return await this.watch();
			case 'file':
				return await this.file();
		}
	}

	circumstances({ firstTried }: OrderState) {
		const { ordering, service } = this.run;
		const age = service.now() - (firstTried ?? service.now());
		return {
			isLastCall: ordering.isLastCall,
			isHopeless:
				ordering.acceptedSince(this.acceptedByOthersBefore) > 0 || age > GIVEN_UP_AFTER_MS,
			isOverdue: this.isOverdue(),
			mayBeListed: this.run.listed.mayHave(this.order, this.input),
		};
	}

	/** Gets the brief whose ID an earlier run has put on record. */
	private async getKnown(): Promise<FollowEvent> {
		const { service, workspace, clock } = this.run;
		const record = this.recordOf();
		const brief = record === undefined ? null : await findKnown(record, this.run);
		if (record === undefined || brief === null) return { type: 'parked', why: '' };
		workspace.adopt(brief, service.now());
		this.brief = brief;
		const created = createdByOurClock(brief, service, clock);
		this.since = created ?? Date.parse(record.accepted_at ?? record.first_tried);
		const isLeft = record.state === 'parked' && this.isOverdue();
		if (isRunning(brief) && !isLeft) this.emitAccepted(brief, { found: true });
		return { type: 'seen' };
	}

	private async watch(): Promise<FollowEvent> {
		if (this.brief === null) throw new Error('A brief that was never seen cannot be watched');
		const ended = await watchBrief(this.order, this.brief, this.since, this.run);
		if (ended === null) return { type: 'parked', why: '' };
		this.brief = ended;
		return { type: 'ended' };
	}

	private async file(): Promise<FollowEvent> {
		const took =
			this.acceptedAt === null ? null : Math.round(this.run.clock.now() - this.acceptedAt);
		await collectBrief(this.order, this.brief?.id ?? '', took, this.run);
		return this.recordOf()?.state === 'parked' ? { type: 'parked', why: '' } : { type: 'filed' };
	}

	/** Whether its brief has run for longer than one may. */
	private isOverdue(): boolean {
		const isAtWork = this.brief !== null && isRunning(this.brief);
		return isAtWork && this.run.clock.now() > this.since + this.run.timeout;
	}

	private emitAccepted(
		{ id: brief_id, status }: BriefSummary,
		how: { found: boolean; adopted?: true },
	): void {
		this.run.emit({ event: 'brief_accepted', ...named(this.order), brief_id, status, ...how });
	}

	/** Whether this journal never sent it: it is new, or was held back. */
	private isUnsent({ stage }: OrderState): boolean {
		return stage === 'to_order' || this.recordOf()?.unsent === true;
	}

	private recordOf(): BriefRecord | undefined {
		return this.run.journal.records.of(this.order.row, this.order.ordinal);
	}
}
