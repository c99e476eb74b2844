import { GIVEN_UP_AFTER_MS } from '../../service/assumptions';
import { explain } from '../../service/api/explain';
import { dayInWords } from '../../service/list/month';
import { readSince } from '../../service/order/ages';
import type { LastingEvent, PassingEvent, Wait } from '../../service/order/events';
import { findBrief, listedSince } from '../../service/order/find-brief';
import { isOlder } from '../../service/order/likeness';
import type { Circumstances, Look, OrderRecord, OrderShell } from '../../service/order/shell';
import type { OrderState } from '../../service/order/states';
import type { BriefInput, BriefSummary } from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { commandFor } from '../command-text';
import { contentOf } from '../folder/journal/content';
import type { BriefRecord } from '../folder/journal/records';
import type { Run } from '../run/prepare';
import { isAsked } from '../plan/asked-rows';
import { named, type RowOrder } from '../plan/row-order';
import { causeOf, parkOrder } from './park';
import { RowBrief } from './row-brief';
import { timeOf } from './slot-wait';

/** What the life of an order means for one row of a batch: in the journal, in the run's budget and in its events. */
export class RowShell implements OrderShell, OrderRecord {
	readonly key: string;
	readonly record: OrderRecord = this;
	readonly brief: RowBrief;
	private isOrderEmitted = false;
	private acceptedByOthersBefore = 0;
	/** How many listed briefs were known when it was last looked for. */
	private compared = 0;

	constructor(
		readonly order: RowOrder,
		readonly input: BriefInput,
		private readonly run: Run,
	) {
		this.key = order.key;
		this.brief = new RowBrief(order, run);
	}

	async keep(event: LastingEvent, state: OrderState): Promise<void> {
		const { journal, budget, tools, emit, ordering } = this.run;
		const { key } = this;
		switch (event.type) {
			case 'intended': {
				budget.reserve(key);
				const service_time = new Date(event.at).toISOString();
				const content = contentOf(this.input);
				return await journal.append({ type: 'intent', ...this.order, service_time, content });
			}
			case 'accepted': {
				const { brief } = event;
				// A key that the service remembers for long gives the brief of an earlier month, and nothing is paid.
				const isOld = !event.found && isOlder(brief, state.firstTried ?? -Infinity);
				const found = event.found || isOld;
				if (found) budget.free(key);
				else budget.spent(key, brief.id);
				const { id: brief_id, created_at, status } = brief;
				const isUnsent = this.isUnsent(state);
				const how = { found, ...(isUnsent || isOld ? { adopted: true as const } : {}) };
				const adopted = { ...this.order, brief_id, created_at, content: contentOf(this.input) };
				await journal.append(
					isUnsent ? { type: 'adopted', ...adopted } : { type: 'accepted', key, brief_id, ...how },
				);
				emit({ event: 'brief_accepted', ...named(this.order), brief_id, status, ...how });
				if (isOld) emit({ event: 'notice', text: this.oldText(brief) });
				if (!found) ordering.accept();
				return this.brief.accepted(brief, found);
			}
			case 'withdrawn':
				return await journal.append({ type: 'withdrawn', key, why: event.why });
			case 'refused': {
				if (state.answer === null) return;
				const { kind, code } = state.answer;
				const why = explain(state.answer, tools.service.now()).what;
				await journal.append({ type: 'refused', key, kind, code, why });
				const error_code = code || kind;
				emit({ event: 'row_failed', ...named(this.order), brief_id: null, error_code, error: why });
				return;
			}
			case 'parked': {
				const cause = causeOf(event.reason, state, this.order, this.run);
				await parkOrder({ order: this.order, isUnsent: this.isUnsent(state) }, cause, this.run);
			}
		}
	}

	waits(what: Wait, until: number): void {
		const { tools, emit } = this.run;
		const times = { since: timeOf(tools.clock.now()), until: timeOf(until) };
		emit({ event: 'waiting', ...named(this.order), for: what, ...times });
	}

	hear(event: LastingEvent | PassingEvent, { inDoubt }: OrderState): void {
		const { budget, tools, emit, ordering } = this.run;
		if (event.type === 'sent') {
			const { key, order } = this;
			budget.reserve(key);
			if (!this.isOrderEmitted) emit({ event: 'brief_ordered', ...named(order), key });
			this.isOrderEmitted = true;
		}
		if (event.type === 'given_up') this.acceptedByOthersBefore = ordering.accepted;
		if (event.type !== 'answered') return;
		const { kind } = event.error;
		if (kind === 'allowance_used_up') budget.usedUp(tools.service.now());
		// An order in doubt was sent before, so its answer may be what came of that.
		if (kind === 'other_brief' && !inDoubt)
			ordering.unbelieved.add(this.key, this.order.product_name, event.error);
	}

	/** The place of an order in doubt stays reserved: its brief may be paid for. */
	leave({ inDoubt }: Pick<OrderState, 'inDoubt'>): void {
		if (!inDoubt) this.run.budget.free(this.key);
	}

	find(state: OrderState): Promise<{ look: Look; asOf: number }> {
		this.compared = this.run.listed.size;
		if (this.isUnsent(state)) return this.run.listed.take(this.order, this.input);
		return this.lookForSent(state);
	}

	claim({ id }: BriefSummary): boolean {
		return this.run.claims.take(id, this.key);
	}

	circumstances({ firstTried }: OrderState): Circumstances {
		const { order, input, compared } = this;
		const { ordering, tools, budget, listed, orderAgain } = this.run;
		const now = tools.service.now();
		const isOthersAnswered = ordering.accepted > this.acceptedByOthersBefore;
		return {
			end: budget.end(now, order.key),
			isLastCall: ordering.isLastCall,
			isHopeless: isOthersAnswered || now - (firstTried ?? now) > GIVEN_UP_AFTER_MS,
			isOverdue: this.brief.isOverdue(),
			mayBeListed: !isAsked(orderAgain, order.row_number) && listed.mayHave(order, input, compared),
		};
	}

	/** Looks in the list for the brief that a create without an answer may have made. */
	private async lookForSent(state: OrderState): Promise<{ look: Look; asOf: number }> {
		const { order, input, run } = this;
		const { service, clock, interval } = run.tools;
		const signal = run.ordering.waiting;
		const now = service.now();
		const firstTried = state.firstTried ?? now;
		// A parked order is never sent, so any reading of this run will do.
		const enough =
			state.stage === 'parked'
				? { maxAge: Infinity }
				: { maxAge: interval.shortest, since: readSince(state, now) };
		const listing = await run.list.downTo(listedSince(firstTried), enough, signal);
		const isOwned = (id: string) => run.journal.records.owns(id);
		const tools = { service, clock, interval, signal };
		const look = await findBrief(tools, { input, firstTried }, listing, isOwned);
		return { look: run.claims.withoutThoseOfOthers(look, order), asOf: listing.asOf };
	}

	private oldText({ created_at }: BriefSummary): string {
		const { journal, outDir } = this.run;
		const { product_name, row_number } = this.order;
		const again = ['--order-again', String(row_number)];
		const orderAgain = commandFor('run', journal.records, outDir, ...again);
		return `Row ${row_number} (${product_name}) got the brief of ${dayInWords(instantOf(created_at) ?? 0)} that the service already had for it, and nothing was paid. For a new one: ${orderAgain}`;
	}

	/** Whether nothing is known to be sent: it is new, or nothing came of it, or it was parked before it was ordered. */
	private isUnsent({ stage, inDoubt }: OrderState): boolean {
		const isOpen = stage === 'to_order' || (stage === 'cleared' && !inDoubt);
		return isOpen || this.recordOf()?.unsent === true;
	}

	private recordOf(): BriefRecord | undefined {
		return this.run.journal.records.of(this.order.row, this.order.ordinal);
	}
}
