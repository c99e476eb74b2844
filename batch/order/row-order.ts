import { isAbort } from '../../service/api/outcome';
import { concernsAll, ServiceError } from '../../service/api/errors';
import { isRunning, type BriefInput, type BriefSummary } from '../../service/api/resources';
import { createdByOurClock } from '../../service/api/service-time';
import { instantOf } from '../../service/api/timestamps';
import { GIVEN_UP_AFTER_MS } from '../../service/assumptions';
import { dayInWords } from '../../service/list/month';
import { listedSince, readSince, momentNow, shortestAge } from '../../service/order/times';
import { OrderDriver } from '../../service/order/driver';
import type {
	BriefEvent,
	LastingEvent,
	OrderState,
	Part,
	PassingEvent,
	Wait,
} from '../../service/order/life';
import { findBrief } from '../../service/order/find-brief';
import { forOthers } from '../../service/order/later-orders';
import { isOlder, isOfOtherProduct } from '../../service/order/likeness';
import type { Circumstances } from '../../service/order/decide';
import type { BriefKeeper, Look, OrderRecord, OrderShell } from '../../service/order/shell';
import { WaitTimeout } from '../../service/watch/wait';
import { fetchKnown } from '../../service/watch/whole-brief';
import { commandFor } from '../command-text';
import { EXIT, Failure, failureOf } from '../failure';
import { answerOf, type ParkCause } from '../folder/journal/causes';
import { contentOf } from '../folder/journal/content';
import type { BriefRecord } from '../folder/journal/brief-record';
import { isAsked } from '../plan/asked-rows';
import { named, type Try } from '../plan/try';
import { serviceFailure } from '../service-failure';
import { believed, collectBrief, fetchingOf, productOfBrief } from './brief';
import type { OrderContext } from './context';
import { orderStateOf } from './order-state';
import { causeOf, lateCause, parkOrder } from './park';
import { noSlotFailure, timeOf } from './slot-wait';

/**
 * A row's order, from where the journal left it as far as this run can carry it. `recover`, `takeOver`, `place` and
 * `collect` carry it through the parts of its way. None throws: an error is kept for the end of the run. Its driver
 * (service/order/driver.ts) decides what is done in each part, and calls the rest of this object: what an order means for
 * the journal, the budget and the events of the run.
 */
export class RowOrder implements OrderShell, OrderRecord, BriefKeeper {
	readonly key: string;
	readonly record: OrderRecord = this;
	readonly brief: BriefKeeper = this;
	private readonly driver: OrderDriver;
	private readonly wasInDoubt: boolean;
	private isOrderEmitted = false;
	private acceptedByOthersBefore = 0;
	/** The number of listed briefs that were known when it was last compared with them. */
	private compared: number;
	/** Its brief as last seen, and since when it is being written, by this machine's clock. */
	private seen: BriefSummary | null = null;
	private since = 0;
	/** The time of its acceptance in this run, by this machine's clock: its duration counts from then. */
	private acceptedAt: number | null = null;
	/** The cause for which its brief cannot be had now. */
	private cause: ParkCause | null = null;

	constructor(
		readonly order: Try,
		readonly input: BriefInput,
		private readonly run: OrderContext,
		{ compared = 0, isGone = false }: { compared?: number; isGone?: boolean } = {},
	) {
		this.compared = compared;
		this.key = order.key;
		const record = this.onRecord();
		const isSame = record?.key === order.key;
		const state = { ...orderStateOf(isSame ? record : undefined, run), isGone };
		this.driver = new OrderDriver(state, this, run);
		this.wasInDoubt = state.inDoubt;
	}

	private get state(): OrderState {
		return this.driver.order;
	}

	// The parts of its way

	/** Finds out about an order that an earlier run left: whether its brief exists, and whether that has ended. */
	async recover(): Promise<boolean> {
		const { stage, isGone } = this.state;
		const { ordering } = this.run;
		// If a paid brief cannot be fetched now, others are still ordered: the next run fetches it.
		const isToBeOrdered = stage === 'in_doubt' && !isGone;
		const isThere = isToBeOrdered
			? await this.carryOn('recover', ordering.signal, 'ends')
			: await this.carryOn('recover', ordering.waiting, 'goes on');
		if (!isThere) this.updateOrdering();
		return isThere;
	}

	/** Takes over the listed brief that is its own, or parks it beside one that may be. Orders nothing. */
	async takeOver(): Promise<boolean> {
		await this.carryOn('take_over', this.run.ordering.waiting, 'ends');
		return this.state.stage === 'running';
	}

	/** Orders the brief, unless ordering has ended, and waits until it has ended. Meanwhile it holds a slot. */
	async place(): Promise<boolean> {
		const { ordering } = this.run;
		if (!(await this.carryOn('order', ordering.signal, 'ends'))) {
			this.updateOrdering();
			return false;
		}
		return await this.carryOn('watch', ordering.waiting, 'ends');
	}

	/** Fetches the brief that has ended, and puts it into its files. */
	async collect(): Promise<void> {
		await this.carryOn('file', this.run.ordering.waiting, 'goes on');
	}

	/** Says whether nothing is known of it: no brief is listed that may be its own. */
	get isOpen(): boolean {
		return this.state.stage === 'to_order';
	}

	/** Says whether it stayed without an answer: it is settled when all other rows are through. */
	get isUnsettled(): boolean {
		return this.state.stage === 'in_doubt' && forOthers(this.state) === 'unclear';
	}

	/** Parks an order without an answer if the service took others meanwhile; else the service is at fault. */
	async settle(): Promise<void> {
		const { ordering, service } = this.run;
		await this.carryOn('file', undefined, 'ends');
		const { stage, answer } = this.state;
		// An interrupted run leaves it to the next one.
		if (stage === 'parked' || answer === null || ordering.waiting.aborted) return;
		ordering.fail(serviceFailure(answer, service.now()));
	}

	/**
	 * @param otherwise whether the other rows go on when this part fails: a paid brief that cannot be fetched now is
	 *   fetched by the next run, and is no reason to order nothing
	 * @returns whether another part of its way follows
	 */
	private async carryOn(
		part: Part,
		signal: AbortSignal | undefined,
		otherwise: 'goes on' | 'ends',
	): Promise<boolean> {
		const { budget } = this.run;
		try {
			if (await this.driver.carryOn(part, signal)) return true;
		} catch (error) {
			budget.free(this.key);
			this.handleError(error, otherwise);
			return false;
		}
		// The place of an order in doubt stays reserved: its brief may be paid for.
		if (!this.state.inDoubt) budget.free(this.key);
		return false;
	}

	/** Says what the end of this order means for the rows after it. */
	private updateOrdering(): void {
		const { ordering, budget, service } = this.run;
		const { answer } = this.state;
		const { reason } = ordering.unbelieved;
		if (reason !== null)
			return ordering.fail(new Failure(reason.what, reason.cure, EXIT.stoppedEarly));
		switch (forOthers(this.state)) {
			case 'nothing':
				return;
			case 'ordering_ends':
				return ordering.close(budget.end(service.now()) ?? 'allowance');
			case 'all_fail':
				if (answer !== null) ordering.fail(this.failureFor(answer));
				return;
			case 'unclear':
				if (answer !== null && ordering.giveUp(this.wasInDoubt))
					ordering.fail(serviceFailure(answer, service.now()));
		}
	}

	private failureFor(answer: ServiceError): Failure {
		const { poller, service } = this.run;
		const { slotPatience } = poller;
		if (answer.kind === 'slots_busy' && slotPatience?.isOver === true)
			return noSlotFailure(slotPatience.report());
		return serviceFailure(answer, service.now());
	}

	private handleError(error: unknown, otherwise: 'goes on' | 'ends'): void {
		const { ordering, service } = this.run;
		if (ordering.waiting.aborted || (ordering.signal.aborted && isAbort(error))) return;
		if (!(error instanceof ServiceError)) return ordering.fail(failureOf(error), true);
		const failure = serviceFailure(error, service.now());
		const isPointless = concernsAll(error.kind);
		if (otherwise === 'goes on' && !isPointless) ordering.keepFailure(failure);
		else ordering.fail(failure, isPointless);
	}

	// What the driver asks for

	async keep(event: LastingEvent, state: OrderState): Promise<void> {
		const { journal, budget, emit } = this.run;
		const { key, order } = this;
		switch (event.type) {
			case 'intended': {
				budget.reserve(key);
				const service_time = new Date(event.at.service).toISOString();
				const content = contentOf(this.input);
				return await journal.append({ type: 'intent', ...order, service_time, content });
			}
			case 'accepted':
				return await this.accepted(event, state);
			case 'withdrawn':
				return await journal.append({ type: 'withdrawn', key, why: event.why });
			case 'refused': {
				if (state.answer === null) return;
				const answer = answerOf(state.answer);
				await journal.append({ type: 'refused', key, answer });
				const error_code = answer.code ?? answer.kind;
				const cause = { reason: 'refused', answer } as const;
				emit({ event: 'row_failed', ...named(order), brief_id: null, error_code, ...cause });
				return;
			}
			case 'parked': {
				const { briefId } = state;
				const cause =
					event.reason === 'brief'
						? this.cause
						: causeOf(event.reason, state, order, journal.records);
				// It is parked for that already.
				if (cause === null || (state.stage === 'parked' && briefId !== null)) return;
				const how = { order, briefId, isUnsent: briefId === null && this.isUnsent(state) };
				await parkOrder(how, cause, this.run);
			}
		}
	}

	private async accepted(
		{ brief, found: isListed }: Extract<LastingEvent, { type: 'accepted' }>,
		state: OrderState,
	): Promise<void> {
		const { journal, budget, clock, emit, ordering } = this.run;
		const { key, order } = this;
		// A key that the service remembers for long gives the brief of an earlier month, and nothing is paid.
		const isOld = !isListed && isOlder(brief, state.firstTried);
		const found = isListed || isOld;
		if (found) budget.free(key);
		else budget.spent(key, brief.id);
		const { id: brief_id, created_at, status } = brief;
		const isUnsent = this.isUnsent(state);
		const isTakenOver = isUnsent || isOld;
		const adopted = isOld ? { adopted: true as const } : {};
		const content = contentOf(this.input);
		await journal.append(
			isUnsent
				? { type: 'adopted', ...order, brief_id, created_at, content }
				: { type: 'accepted', key, brief_id, found, ...adopted },
		);
		const taken = isTakenOver ? { taken_over: true as const } : {};
		emit({ event: 'brief_accepted', ...named(order), brief_id, status, found, ...taken });
		if (isOld) emit({ event: 'notice', text: this.oldText(brief) });
		if (!found) ordering.accept();
		this.seen = brief;
		this.since = clock.now();
		this.acceptedAt = found ? null : this.since;
	}

	waits(what: Wait, until: number): void {
		const { clock, emit } = this.run;
		const times = { since: timeOf(clock.now()), until: timeOf(until) };
		emit({ event: 'waiting', ...named(this.order), for: what, ...times });
	}

	hear(event: LastingEvent | PassingEvent, { inDoubt }: OrderState): void {
		const { budget, service, emit, ordering } = this.run;
		const { key, order } = this;
		if (event.type === 'sent') {
			budget.reserve(key);
			if (!this.isOrderEmitted) emit({ event: 'brief_ordered', ...named(order), key });
			this.isOrderEmitted = true;
		}
		if (event.type === 'given_up') this.acceptedByOthersBefore = ordering.accepted;
		if (event.type !== 'answered') return;
		const { kind } = event.error;
		if (kind === 'allowance_used_up') budget.usedUp(service.now());
		// An order in doubt was sent before, so its answer may be what came of that.
		if (kind === 'other_brief' && !inDoubt)
			ordering.unbelieved.add(key, order.product_name, event.error);
	}

	find(state: OrderState): Promise<{ look: Look; asOf: number }> {
		if (!this.isUnsent(state)) return this.lookForSent(state);
		const { listed } = this.run;
		this.compared = listed.size;
		return listed.take(this.order, this.input);
	}

	claim({ id }: BriefSummary): boolean {
		return this.run.owners.take(id, this.key);
	}

	circumstances({ firstTried }: OrderState): Circumstances {
		const { order, seen } = this;
		const { ordering, budget, timeout } = this.run;
		const now = momentNow(this.run);
		const age = shortestAge(firstTried ?? now, now);
		const isOthersAnswered = ordering.accepted > this.acceptedByOthersBefore;
		const isAtWork = seen !== null && isRunning(seen);
		return {
			end: budget.end(now.service, order.key),
			isLastCall: ordering.isLastCall,
			isHopeless: isOthersAnswered || age > GIVEN_UP_AFTER_MS,
			isOverdue: isAtWork && now.own > this.since + timeout,
		};
	}

	mayBeListed(): boolean {
		const { order, input, compared } = this;
		const { listed, orderAgain } = this.run;
		return !isAsked(orderAgain, order.row_number) && listed.mayHave(order, input, compared);
	}

	/** Looks in the list for the brief that a create without an answer may have made. */
	private async lookForSent(state: OrderState): Promise<{ look: Look; asOf: number }> {
		const { order, input, run } = this;
		const now = momentNow(run);
		// A parked order is never sent, so any reading of this run will do.
		const enough =
			state.stage === 'parked'
				? { maxAge: Infinity }
				: { maxAge: run.interval.shortest, since: readSince(state, now) };
		const listing = await run.list.downTo(listedSince(state, now), enough, run.signal);
		const isFurther = order.generation > 1;
		const isOwned = (id: string) => run.journal.records.ownerOf(id) !== undefined;
		const look = await findBrief(run, { ...state, input, isFurther }, listing, isOwned);
		return {
			look: run.owners.withoutThoseOfOthers(look, order, run.goneKeys),
			asOf: listing.asOf,
		};
	}

	private oldText({ created_at }: BriefSummary): string {
		const { journal, outDir } = this.run;
		const { product_name, row_number } = this.order;
		const again = ['--order-again', String(row_number)];
		const orderAgain = commandFor('run', journal.records, outDir, ...again);
		return `Row ${row_number} (${product_name}) got the brief of ${dayInWords(instantOf(created_at) ?? 0)} that the service already had for it, and nothing was paid. For a new one: ${orderAgain}`;
	}

	/** Says whether nothing is known to be sent: it is new, or nothing came of it, or it was parked before it was ordered. */
	private isUnsent({ stage, inDoubt }: OrderState): boolean {
		const isOpen = stage === 'to_order' || (stage === 'cleared' && !inDoubt);
		return isOpen || this.onRecord()?.unsent === true;
	}

	private onRecord(): BriefRecord | undefined {
		return this.run.journal.records.of(this.order.row);
	}

	// Its brief, once that exists

	async get(): Promise<BriefEvent> {
		const { order, run } = this;
		const { service, workspace, clock } = run;
		const record = this.onRecord();
		if (record === undefined) throw new Error('A brief that is not on record cannot be got');
		const id = record.brief_id ?? '';
		const wasParked = record.stage === 'parked';
		// A brief that an earlier run did not find is rarely there now, and must not delay the others for long.
		const fetched = fetchKnown(id, fetchingOf(record, run), wasParked ? 2 : undefined);
		const found = await believed(id, fetched, run);
		if ('cause' in found) return this.putAside(found.cause);
		const brief = (this.seen = found.brief);
		workspace.addOwn(brief, service.now());
		const created = createdByOurClock(brief, service, clock);
		this.since = created ?? Date.parse(record.accepted_at ?? record.first_tried);
		const isOverdue = clock.now() > this.since + run.timeout;
		if (isRunning(brief) && !(wasParked && isOverdue)) {
			const { status } = brief;
			run.emit({
				event: 'brief_accepted',
				...named(order),
				brief_id: brief.id,
				status,
				found: true,
			});
		}
		return { type: 'seen' };
	}

	async watch(): Promise<BriefEvent> {
		const { seen, since, order, run } = this;
		if (seen === null) throw new Error('A brief that was never seen cannot be watched');
		const { id } = seen;
		const product = productOfBrief(order, run.journal);
		const watched = run.poller.ended(seen, {
			since,
			deadline: since + run.timeout,
			signal: run.ordering.waiting,
			onStatus: ({ status }) =>
				run.emit({ event: 'brief_status', ...named(order), brief_id: id, status }),
			isItself: (brief) => !isOfOtherProduct(brief, product),
		});
		try {
			this.seen = await watched;
			return { type: 'ended' };
		} catch (error) {
			if (error instanceof WaitTimeout) return this.putAside(lateCause(error, run.timeout));
			if (error instanceof ServiceError && error.kind === 'not_found')
				return this.putAside({ reason: 'unknown_brief' });
			throw error;
		}
	}

	async file(): Promise<BriefEvent> {
		const { acceptedAt, order, run, seen } = this;
		const took = acceptedAt === null ? null : Math.round(run.clock.now() - acceptedAt);
		const cause = await collectBrief(order, seen?.id ?? '', took, run);
		return cause === null ? { type: 'filed' } : this.putAside(cause);
	}

	private putAside(cause: ParkCause): BriefEvent {
		this.cause = cause;
		return { type: 'parked', reason: 'brief' };
	}
}
