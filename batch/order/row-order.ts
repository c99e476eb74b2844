import { PUT_OFF_MS, READ_TRIES } from '../../service/assumptions';
import { concernsAll, ServiceError } from '../../service/api/errors';
import { isAbort, outcomeOf } from '../../service/api/outcome';
import { withRetries } from '../../service/api/resend';
import {
	isRunning,
	summaryOf,
	type Brief,
	type BriefInput,
	type BriefSummary,
} from '../../service/api/resources';
import { instantOf } from '../../service/api/timestamps';
import { createdByOurClock } from '../../service/api/service-time';
import type { Circumstances } from '../../service/order/decide';
import { OrderDriver } from '../../service/order/driver';
import { findOwn } from '../../service/order/find-brief';
import { forOthers, isLeftInDoubt, unbelievedText } from '../../service/order/later-orders';
import {
	NEW_ORDER,
	type BriefEvent,
	type LastingEvent,
	type OrderEvent,
	type OrderState,
	type Part,
	type Wait,
} from '../../service/order/life';
import { expectProduct, isOfOtherProduct, type Product } from '../../service/order/likeness';
import { isPaidBy } from '../../service/order/recall';
import type { Look, OrderShell } from '../../service/order/shell';
import { momentIn } from '../../service/order/times';
import { WaitTimeout } from '../../service/watch/wait';
import {
	fetchEnded,
	fetchKnown,
	isRead,
	isWhole,
	type Fetching,
} from '../../service/watch/whole-brief';
import { briefFileName, writeBrief } from '../folder/brief-files';
import type { EventOf, OrderLine, OrderOf } from '../folder/events';
import { answerOf, isForLater, type ParkCause } from '../folder/journal/causes';
import { orderedContent } from '../folder/journal/content';
import { createdAt as createdAtOf } from '../folder/records';
import { parkedMark } from '../plan/marks';
import { Stop } from '../stop';
import { minuteOf } from '../text';
import { slotWaitText } from '../wait-text';
import type { OrderContext } from './order-context';
import { parkCause } from './park-cause';
import { tellWait, timeOf, waitForSlot } from './waits';

/** The orders of a run. A key has one, however often it is asked for, as long as anything is left to do for it. */
export class RowOrders {
	private readonly byKey = new Map<string, RowOrder>();

	constructor(private readonly run: OrderContext) {}

	of(order: OrderOf, input: BriefInput, wish: OrderWish = {}): RowOrder {
		const rowOrder = this.byKey.get(order.key) ?? new RowOrder(order, input, wish, this.run);
		this.byKey.set(order.key, rowOrder);
		return rowOrder;
	}

	/** Lets one go that is through: a run may have thousands, and the journal knows what came of it. */
	forget({ key }: RowOrder): void {
		this.byKey.delete(key);
	}

	/** Gives those that stayed without an answer: they are settled when all others are through. */
	get unsettled(): RowOrder[] {
		return [...this.byKey.values()].filter(({ isUnsettled }) => isUnsettled);
	}
}

/** What is to be known of an order besides what is on record. */
export interface OrderWish {
	/** A person asks for it even if a listed brief is its own. */
	isAskedAgain?: boolean;
	/** This run has no row of it, so it is not sent. */
	hasNoRow?: boolean;
}

export type { RowOrder };

/**
 * A row's order, from where the journal left it as far as this run can carry it. `recover`, `takeOver`, `orderAndWatch`
 * and `fileBrief` carry it through the parts of its way. Its driver (service/order/driver.ts) decides what is done in each, and
 * asks what only this folder knows: what the list shows of it, which briefs are others', what is on record. None of the
 * four throws: an error is kept for the end of the run.
 */
class RowOrder implements OrderShell {
	readonly key: string;
	private readonly driver: OrderDriver;
	private readonly wasInDoubt: boolean;
	/** Its brief as last seen, and since when it is being written, by this machine's clock. */
	private brief: BriefSummary | null = null;
	private since = 0;
	/** When this run heard that the service took it; null if it did not order it. Its duration counts from then. */
	private acceptedAt: number | null = null;

	constructor(
		private readonly order: OrderOf,
		readonly input: BriefInput,
		private readonly wish: OrderWish,
		private readonly run: OrderContext,
	) {
		this.key = order.key;
		const onRecord = this.record?.state ?? NEW_ORDER;
		// What is done on record has lost its files: its brief is fetched once more.
		const stage = onRecord.stage === 'done' ? 'running' : onRecord.stage;
		const state = { ...onRecord, stage, hasNoRow: wish.hasNoRow === true };
		this.driver = new OrderDriver(state, this, run);
		this.wasInDoubt = state.inDoubt;
	}

	private get state(): OrderState {
		return this.driver.order;
	}

	/** What is on record of it. */
	private get record() {
		return this.run.journal.records.withKey(this.key);
	}

	get briefId(): string | null {
		return this.state.briefId;
	}

	/** Says whether nothing is known of it: no brief is listed that may be its own. */
	get isStillToOrder(): boolean {
		return this.state.stage === 'to_order';
	}

	/** Says whether it stayed without an answer. */
	get isUnsettled(): boolean {
		return isLeftInDoubt(this.state);
	}

	// Its way

	/** Finds out about an order that an earlier run left: whether its brief exists, and whether that has ended. */
	async recover(): Promise<boolean> {
		const { stage, hasNoRow } = this.state;
		const { ordering } = this.run;
		// If a paid brief cannot be fetched now, others are still ordered: the next run fetches it.
		const isToBeOrdered = stage === 'in_doubt' && !hasNoRow;
		const goesOn = isToBeOrdered
			? await this.carryOn('recover', ordering.orderSignal, 'ends')
			: await this.carryOn('recover', ordering.waitSignal, 'goes_on');
		if (!goesOn) this.updateOrdering();
		return goesOn;
	}

	/** Takes over the listed brief that is its own, or parks it beside one that may be. Orders nothing. */
	async takeOver(): Promise<boolean> {
		await this.carryOn('take_over', this.run.ordering.waitSignal, 'ends');
		return this.state.stage === 'running';
	}

	/** Orders the brief, unless ordering has ended, and waits until it has ended. Meanwhile it holds a slot. */
	async orderAndWatch(): Promise<boolean> {
		const { ordering } = this.run;
		if (!(await this.carryOn('order', ordering.orderSignal, 'ends'))) {
			this.updateOrdering();
			return false;
		}
		return await this.carryOn('watch', ordering.waitSignal, 'ends');
	}

	/** Fetches the brief that has ended, and puts it into its files. */
	async fileBrief(): Promise<void> {
		await this.carryOn('file', this.run.ordering.waitSignal, 'goes_on');
	}

	/** Looks for the brief of an order without an answer once more. If it is not listed, the run ends with what was answered. */
	async settle(): Promise<void> {
		const { ordering } = this.run;
		await this.carryOn('file', undefined, 'ends');
		const { answer } = this.state;
		// An interrupted run leaves it to the next one.
		if (!this.isUnsettled || answer === null || ordering.waitSignal.aborted) return;
		ordering.fail(answer);
	}

	/**
	 * @param othersThen whether the other rows go on when this part fails: a paid brief that cannot be fetched now is
	 *   fetched by the next run, and is no reason to order nothing
	 * @returns whether another part of its way follows
	 */
	private async carryOn(
		part: Part,
		signal: AbortSignal | undefined,
		othersThen: 'goes_on' | 'ends',
	): Promise<boolean> {
		const { budget } = this.run;
		try {
			if (await this.driver.carryOn(part, signal)) return true;
		} catch (error) {
			budget.free(this.key);
			this.handleError(error, othersThen);
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
		switch (forOthers(this.state)) {
			case 'nothing':
				return;
			case 'ordering_ends':
				return ordering.close(budget.end(service.now()) ?? 'allowance');
			case 'all_fail':
				if (answer !== null) ordering.fail(this.stopFor(answer));
				return;
			case 'unclear':
				if (answer !== null && ordering.giveUp(this.wasInDoubt)) ordering.fail(answer);
		}
	}

	private stopFor(answer: ServiceError): ServiceError | Stop {
		const { slotPatience } = this.run.poller;
		const { kind, brief } = answer;
		const { product_name } = this.order;
		if (kind === 'other_brief' && brief !== undefined) {
			const { what, cure } = unbelievedText({ product_name, brief });
			return new Stop(what, cure, 'unbelieved');
		}
		if (kind !== 'slots_busy' || slotPatience?.isOver !== true) return answer;
		const wait = waitForSlot(slotPatience.report());
		return new Stop(
			`Nothing could be ordered since ${minuteOf(wait.since)}: ${slotWaitText(wait)}`,
			'Run the same command again: rows that were not ordered are pending. If a running brief never ends, ask the vendor’s support about it.',
			'no_slot',
		);
	}

	private handleError(error: unknown, othersThen: 'goes_on' | 'ends'): void {
		const { ordering } = this.run;
		if (ordering.waitSignal.aborted || (ordering.orderSignal.aborted && isAbort(error))) return;
		const isPointless = !(error instanceof ServiceError) || concernsAll(error.kind);
		if (othersThen === 'goes_on' && !isPointless) ordering.keepFailure(error);
		else ordering.fail(error, isPointless);
	}

	// What its driver asks for

	mayBeListed(): boolean {
		const { order, input, wish, run } = this;
		return wish.isAskedAgain !== true && run.freeBriefs.mayHave(order, input);
	}

	/** Looks for a brief that was there before it was sent, or for the one that a create without an answer may have made. */
	async find(state: OrderState): Promise<{ look: Look; asOf: number }> {
		const { order, input, run } = this;
		const { stage, inDoubt } = state;
		if (stage === 'to_order' || (stage === 'cleared' && !inDoubt))
			return run.freeBriefs.take(order, input);
		const { service, workspace, clock, list, journal, ordering, freeBriefs } = run;
		const { records } = journal;
		const { look, asOf } = await findOwn(
			state,
			{ service, workspace, clock, list, signal: ordering.waitSignal },
			{
				input,
				isFurther: order.try > 1,
				listedBefore: this.record?.listed ?? [],
				isOthers: (id) => records.ownerOf(id) !== undefined,
			},
		);
		return { look: freeBriefs.ownIn(look, order), asOf };
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
			isOverdue: this.isOverdue,
		};
	}

	/** Puts on record what happened, with what was ordered before the first line about it. */
	async keep(event: LastingEvent, state: OrderState): Promise<void> {
		const { journal } = this.run;
		const line = this.lineOf(event, state);
		if (line === null) return;
		const lines = [...this.orderedBefore(event, state), line];
		// An earlier run has told that it is parked.
		if (event.event === 'parked' && state.stage === 'parked') await journal.keep(...lines);
		else await journal.append(...lines);
	}

	/** Gives the line about an event, with the facts that only this folder knows. */
	private lineOf(event: LastingEvent, state: OrderState): OrderLine | null {
		const { key } = this;
		switch (event.event) {
			case 'intended':
			case 'withdrawn':
				return { key, ...event };
			case 'accepted':
				return { key, ...event, brief: summaryOf(event.brief), paid: isPaidBy(state, event) };
			case 'refused':
				return state.answer === null ? null : { key, ...event, answer: answerOf(state.answer) };
			case 'unanswered':
				return { key, ...event, runs: state.runsUnanswered };
			case 'parked': {
				const { records } = this.run.journal;
				const firstTried = this.record?.at ?? timeOf(this.run.clock.now());
				return this.parkedLine(
					parkCause(event.reason, state, { input: this.input, firstTried }, records),
				);
			}
		}
	}

	private parkedLine(cause: ParkCause): OrderLine {
		const { records } = this.run.journal;
		const isKnown =
			this.state.stage === 'parked' || records.reportedMarks.has(parkedMark(this.key, cause));
		return { event: 'parked', key: this.key, ...cause, ...(isKnown && { known: true as const }) };
	}

	/** Gives what was ordered, unless it is on record with the briefs that are listed before it is sent. */
	private orderedBefore(event: LastingEvent, { inDoubt }: OrderState): Array<EventOf<'ordered'>> {
		const { order, input, record } = this;
		// As long as nothing has come of it, what is listed is of other orders.
		const briefIds =
			event.event === 'intended' && !inDoubt
				? this.run.freeBriefs.listedBefore(input, momentIn(event))
				: [];
		if (record !== undefined && briefIds.every((id) => record.listed?.includes(id))) return [];
		const content = orderedContent(input);
		const line = { event: 'ordered', ...order, content } as const;
		return [briefIds.length > 0 ? { ...line, listed: briefIds } : line];
	}

	/** What happens to it means something for the budget, for the others' turn and for its brief, in this order. */
	hear(event: OrderEvent, before: OrderState): void {
		const { budget, journal, service } = this.run;
		if (event.event === 'intended' || event.event === 'sent') budget.reserve(this.key);
		if (event.event === 'sent') journal.tell({ event: 'sent', key: this.key });
		if (event.event === 'answered' && event.error.kind === 'allowance_used_up')
			budget.usedUp(service.now());
		if (event.event === 'accepted') this.hearAccepted(event, before);
	}

	private hearAccepted(
		event: Extract<OrderEvent, { event: 'accepted' }>,
		before: OrderState,
	): void {
		const { budget, clock, freeBriefs, journal, ordering } = this.run;
		const { brief, found } = event;
		const isNew = !found && isPaidBy(before, event);
		if (!found && isRead(brief)) freeBriefs.learn(brief, this.input);
		this.brief = brief;
		this.since = clock.now();
		this.acceptedAt = isNew ? this.since : null;
		budget.free(this.key);
		if (isNew) ordering.accept();
		else if (!found)
			journal.tell({ event: 'old_brief', key: this.key, created_at: brief.created_at });
	}

	waits(what: Wait, until: number): void {
		const { clock, journal } = this.run;
		const times = { since: timeOf(clock.now()), until: timeOf(until) };
		tellWait({ event: 'waits', key: this.key, for: what, ...times }, journal);
	}

	// Its brief

	/** Says whether it has run for longer than a brief may. */
	private get isOverdue(): boolean {
		const { brief, since, run } = this;
		return brief !== null && isRunning(brief) && run.clock.now() > since + run.timeout;
	}

	/** Gets the brief that an earlier run put on record. */
	async get(): Promise<BriefEvent> {
		const { record, run } = this;
		const { service, workspace, clock, journal } = run;
		if (record === undefined) throw new Error('A brief that is not on record cannot be got');
		const id = record.state.briefId ?? '';
		const { stage } = record.state;
		// A brief that an earlier run did not find is rarely there now, and must not delay the others for long.
		const gets = stage === 'parked' ? 2 : stage === 'done' ? 1 : undefined;
		const got = await this.briefOrCause(fetchKnown(id, this.fetching, gets));
		// That it cannot be had is no news if an earlier run parked it.
		if ('cause' in got && stage === 'parked') return { event: 'parked' };
		if (stage === 'done' && ('cause' in got || got.brief.markdown === null)) {
			journal.tell({ event: 'brief_gone', key: this.key, brief_id: id });
			return { event: 'parked' };
		}
		if ('cause' in got) return this.putAside(got.cause);
		const brief = (this.brief = got.brief);
		workspace.addOwn(brief, service.now());
		const createdAt = createdByOurClock(brief, service, clock);
		this.since = createdAt ?? Date.parse(record.accepted_at ?? record.at);
		if (isRunning(brief) && !(stage === 'parked' && this.isOverdue))
			journal.tell({ event: 'resumed', key: this.key, brief: summaryOf(brief) });
		return { event: 'seen' };
	}

	/** Waits until it has ended. */
	async watch(): Promise<BriefEvent> {
		const { since, run, product } = this;
		const end = run.poller.waitForEnd(this.seenBrief, {
			since,
			deadline: since + run.timeout,
			signal: run.ordering.waitSignal,
			onStatus: (now) =>
				run.journal.tell({ event: 'status', key: this.key, brief: summaryOf(now) }),
			isItself: (other) => !isOfOtherProduct(other, product),
		});
		try {
			this.brief = await end;
			return { event: 'ended' };
		} catch (error) {
			if (error instanceof WaitTimeout) {
				const status = error.brief?.status ?? 'running';
				const times = { waited_ms: run.timeout, unseen_ms: error.unseenFor };
				return this.putAside({ reason: 'late', status, ...times });
			}
			if (error instanceof ServiceError && error.kind === 'not_found')
				return this.putAside({ reason: 'unknown_brief' });
			throw error;
		}
	}

	/** Fetches it, and puts it into its files. May be repeated at any point: the same brief gives the same files. */
	async file(): Promise<BriefEvent> {
		const { key, record } = this;
		const { journal, disk, outDir, clock } = this.run;
		const got = await this.briefOrCause(fetchEnded(this.seenBrief, this.fetching));
		if ('cause' in got) return this.putAside(got.cause);
		const { brief } = got;
		const isFailed = brief.status === 'failed';
		if (!isWhole(brief) || (!isFailed && brief.markdown === null))
			return this.putAside({ reason: 'without_text', status: brief.status });
		if (record?.state.stage === 'done') {
			// Its files were removed, and have their names again.
			await writeBrief(disk, outDir, record.file ?? '', brief);
			return { event: 'filed' };
		}
		const took_ms = this.acceptedAt === null ? null : Math.round(clock.now() - this.acceptedAt);
		const ended = { ...summaryOf(brief), error_code: brief.error_code };
		await journal.append({ event: 'ended', key, brief: ended, took_ms });
		if (isFailed) return { event: 'filed' };
		const file = briefFileName(brief, (name) => journal.records.isNameTaken(name, key));
		await writeBrief(disk, outDir, file, brief);
		await journal.append({ event: 'filed', key, file });
		return { event: 'filed' };
	}

	private get seenBrief(): BriefSummary {
		if (this.brief === null) throw new Error('A brief that was never seen has no end');
		return this.brief;
	}

	/** Gives the brief, or why it is put aside: the service does not know it, or goes on giving another one. */
	private async briefOrCause(
		fetched: Promise<Brief | null>,
	): Promise<{ brief: Brief } | { cause: ParkCause }> {
		const outcome = await outcomeOf(fetched);
		if ('error' in outcome) {
			if (outcome.error.brief === undefined) throw outcome.error;
			return { cause: { reason: 'wrong_brief', answer: answerOf(outcome.error) } };
		}
		if (outcome.value !== null) return { brief: outcome.value };
		this.run.workspace.forget(this.state.briefId ?? '');
		return { cause: { reason: 'unknown_brief' } };
	}

	/** Puts on record why it cannot be had now: it is waited for, for a day from when it was created. */
	private async putAside(cause: ParkCause): Promise<BriefEvent> {
		const { record, run, key } = this;
		const createdAt = instantOf(record === undefined ? null : createdAtOf(record)) ?? 0;
		const isYoung = run.service.now() - createdAt < PUT_OFF_MS;
		const isPutOff = isForLater(cause) && isYoung && record?.state.stage === 'running';
		await run.journal.append(
			isPutOff ? { event: 'put_off', key, ...cause } : this.parkedLine(cause),
		);
		return { event: 'parked' };
	}

	/** What its brief is of: the row's product, unless a person gave it the brief of another one. */
	private get product(): Product {
		const brief = this.record?.brief ?? this.order;
		return isOfOtherProduct(brief, this.order) ? brief : this.order;
	}

	/** Gets its brief. One of another product is no answer, and is asked for again. */
	private get fetching(): Fetching {
		const { product } = this;
		const { service, clock, owners, ordering } = this.run;
		const signal = ordering.waitSignal;
		const retrying = { clock, limits: READ_TRIES, signal };
		const ask = async (id: string) => expectProduct(await service.brief(id, signal), product);
		const get = (id: string) =>
			owners.orKept(
				withRetries(() => ask(id), retrying),
				id,
			);
		return { get, clock, signal };
	}
}
