import type { IExecuteFunctions } from 'n8n-workflow';
import { LOOK_FRESH_MS } from '../../../../service/assumptions';
import { leavesInDoubt, ServiceError } from '../../../../service/api/errors';
import { createdByOurClock } from '../../../../service/api/service-time';
import type { Brief, BriefSummary } from '../../../../service/api/resources';
import { nextMonthStart } from '../../../../service/list/month';
import { BriefOrder, type OrderOutcome } from '../../../../service/order/brief-order';
import { endsOthers } from '../../../../service/order/later-orders';
import { expectProduct, isOfOtherProduct } from '../../../../service/order/likeness';
import { WaitTimeout } from '../../../../service/watch/wait';
import { briefOutput } from '../../../shared/brief-output';
import type { ErrorText, NodeFailure } from '../../../shared/node-errors';
import { goesOn, type Output } from '../../../shared/items';
import { waitDeadline, type WatchSession } from '../../../shared/session';
import { isTool } from '../../../shared/tool';
import { waitFailure, waitForBrief } from '../../../shared/wait-for-brief';
import {
	alreadyCreated,
	asOrdered,
	beyondLimit,
	failedBrief,
	mayExistFailure,
	notSent,
	notUnderstood,
	orderFailure,
	reasonFor,
	type Patience,
} from './create-failures';
import { briefsPaid, type NodeRun } from './node-run';
import type { ItemOrder } from './orders';

interface ItemBrief {
	brief: Brief;
	/** The brief was there before this item, which costs nothing. */
	alreadyExisted: boolean;
	output: Output;
}

/** What became of an item. The limit of this execution may have left it to the next one. */
export type ItemResult = ItemBrief | NodeFailure | 'left';

/** What would become of an item. One whose brief is ordered for an item before it has none yet. */
export type Prospect =
	| { order: ItemOrder; would: 'order' | 'use' | 'wait_for_next_run'; brief: Brief | null }
	| NodeFailure;

/** What became of the order that all items with one content share. */
type OrderResult = Omit<ItemBrief, 'output'> | NodeFailure | 'left';

interface OrderBounds extends Patience {
	/** How many briefs may be paid for in this execution; 0 for no limit. */
	maxBriefs: number;
}

/**
 * Gives each item the brief that the workspace has of its content, and orders what is not there: one after the other,
 * and never more than two at a time in the workspace. It waits for all of them together.
 */
export class OrderPlacer {
	private readonly orders = new Map<string, BriefOrder>();
	private readonly results = new Map<string, OrderResult>();
	/** The contents of the items that have their brief: for the next ones it was there. */
	private readonly contentsGiven = new Set<string>();
	private stoppedBy: { failure: NodeFailure; reason: ErrorText } | undefined;
	private readonly noMore = new AbortController();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly session: WatchSession,
		private readonly run: NodeRun,
		private readonly bounds: OrderBounds,
	) {}

	/**
	 * Gives what became of each item, in their order.
	 * @throws {NodeFailure} unless the node continues on fail. The output is lost then, so nothing is ordered if what is
	 *   there fails an item, and nothing more once an order fails
	 */
	async placeAll(items: Array<ItemOrder | NodeFailure>): Promise<ItemResult[]> {
		const orders = ordersIn(items);
		await this.takeOverAll(orders);
		const failures = orders.map(({ content }) => this.results.get(content));
		this.throwUnlessContinuing(failures.find((result) => result instanceof Error));
		const results: Array<Promise<ItemResult>> = [];
		for (const item of items) {
			const result = item instanceof Error ? item : await this.place(item);
			const isOver = item instanceof Error || result instanceof Error || result === 'left';
			// It may be waited for while the next ones are sent.
			results.push(
				isOver ? Promise.resolve(result as NodeFailure | 'left') : this.finish(item, result),
			);
		}
		const all = await Promise.all(results);
		this.throwUnlessContinuing(all.find((result) => result instanceof Error));
		return all;
	}

	/** Finds the briefs that are there, before the first one is paid for. */
	private async takeOverAll(orders: readonly ItemOrder[]): Promise<void> {
		const { list, signal } = this.session;
		// An order that does not wait for a slot is decided by a look of this moment.
		await list.upToDate(this.bounds.whenBusy === 'stop' ? 0 : LOOK_FRESH_MS);
		const takeOver = async (order: ItemOrder) => {
			const { content } = order;
			if (this.orders.has(content)) return;
			const request = { ...order, isOthers: (id: string) => this.isOthers(content, id) };
			const briefOrder = new BriefOrder(request, this.session, list);
			this.orders.set(content, briefOrder);
			const brief = this.run.briefs.get(content);
			const result = await this.resultOf(order, async () =>
				brief === undefined ? await briefOrder.takeOver(signal) : { brief, alreadyExisted: true },
			);
			if (result !== null) this.results.set(content, result);
		};
		await Promise.all(orders.map(takeOver));
	}

	/** Says what would become of each item, and orders nothing. What fails an item never ends the others. */
	async foresee(items: ReadonlyArray<ItemOrder | NodeFailure>): Promise<Prospect[]> {
		await this.takeOverAll(ordersIn(items));
		return items.map((order) => {
			if (order instanceof Error) return order;
			const { content } = order;
			const result = this.results.get(content);
			if (result instanceof Error) return result;
			const brief = typeof result === 'object' ? result.brief : null;
			if (brief !== null || this.contentsGiven.has(content)) return { order, would: 'use', brief };
			if (this.isBeyondLimit(content)) return { order, would: 'wait_for_next_run', brief };
			this.contentsGiven.add(content);
			this.run.contentsPaid.add(content);
			return { order, would: 'order', brief };
		});
	}

	private isOthers(content: string, id: string): boolean {
		return [...this.run.briefs].some(([other, brief]) => brief.id === id && other !== content);
	}

	/** Orders the brief of an item, unless it has one or can have none. */
	private async place(order: ItemOrder): Promise<OrderResult> {
		const { content } = order;
		const result = this.results.get(content) ?? (await this.placeNew(order));
		this.results.set(content, result);
		// What was not sent because of another item is no reason of its own.
		if (result instanceof Error && (this.stoppedBy?.failure ?? result) === result)
			this.throwUnlessContinuing(result);
		return result;
	}

	private async placeNew(order: ItemOrder): Promise<OrderResult> {
		const { run, context, session, bounds } = this;
		const { content } = order;
		const { minutes, whenBusy } = bounds;
		const reason = this.stoppedBy?.reason ?? this.lesson();
		if (reason !== null) return notSent(order, reason, context);
		if (this.isBeyondLimit(content))
			return isTool(context) ? beyondLimit(order, bounds.maxBriefs, context) : 'left';
		run.execution.ordersOnTheWay += 1;
		const result = await this.resultOf(order, async () => {
			const outcome = await this.orders.get(content)?.place({
				signal: session.signal,
				noMore: this.noMore.signal,
				deadline: waitDeadline(session, minutes),
				once: whenBusy === 'stop',
			});
			if (outcome === undefined) throw new Error('Each order was looked for');
			if ('mayExist' in outcome) return outcome;
			run.briefs.set(content, outcome.brief);
			if (!outcome.alreadyExisted) run.contentsPaid.add(content);
			return outcome;
		});
		run.execution.ordersOnTheWay -= 1;
		if (result === null) throw new Error('An order ends with a brief or an error');
		return result;
	}

	/** Gives what this execution has learned that keeps it from ordering more. */
	private lesson(): ErrorText | null {
		const { unbelieved, monthUsedUp } = this.run.execution;
		if (monthUsedUp !== null && this.session.service.now() < monthUsedUp.until)
			return monthUsedUp.reason;
		return unbelieved === null ? null : notUnderstood(unbelieved);
	}

	private isBeyondLimit(content: string): boolean {
		const { run, bounds } = this;
		const isPaid = run.contentsPaid.has(content);
		return bounds.maxBriefs > 0 && !isPaid && briefsPaid(run.execution) >= bounds.maxBriefs;
	}

	/** Turns what an order came to into what its items get. */
	private async resultOf(
		order: ItemOrder,
		work: () => Promise<OrderOutcome | null>,
	): Promise<Exclude<OrderResult, 'left'> | null> {
		const { context } = this;
		try {
			const outcome = await work();
			if (outcome === null) return null;
			if ('mayExist' in outcome) return mayExistFailure(outcome.mayExist, order, context);
			if (outcome.brief.status === 'failed') return failedBrief(outcome.brief, order, context);
			const { brief, alreadyExisted } = outcome;
			return { brief, alreadyExisted: alreadyExisted && !this.run.contentsPaid.has(order.content) };
		} catch (thrown) {
			return this.failureOf(order, thrown);
		}
	}

	private failureOf(order: ItemOrder, thrown: unknown): NodeFailure {
		const { context, session, bounds, run, stoppedBy } = this;
		if (stoppedBy !== undefined && thrown === stoppedBy.failure)
			return notSent(order, stoppedBy.reason, context);
		const { workspace, service } = session;
		const about = { ...bounds, workspace, now: service.now() };
		const failure = orderFailure(thrown, order, context, about);
		if (!(thrown instanceof ServiceError)) {
			this.stop(failure, order);
			return failure;
		}
		if (thrown.kind === 'allowance_used_up') {
			const until = nextMonthStart(service.now());
			run.execution.monthUsedUp = { reason: reasonFor(failure, order), until };
		}
		if (thrown.inDoubt === true || leavesInDoubt(thrown)) run.contentsPaid.add(order.content);
		const { brief } = thrown;
		// A key that was given may have been used before.
		const isMistaken = this.orders.get(order.content)?.isServiceMistaken === true;
		if (isMistaken && brief !== undefined && order.ownKey === null)
			run.execution.unbelieved = { product_name: order.input.product_name, brief };
		if (endsOthers(thrown)) this.stop(failure, order);
		return failure;
	}

	/** Gives the output of an item once its brief is ready, or there if that is enough. Never throws: others go on. */
	private async finish(
		order: ItemOrder,
		{ brief: first, alreadyExisted }: Omit<ItemBrief, 'output'>,
	): Promise<ItemResult> {
		const { context, session, bounds, run, contentsGiven } = this;
		const { itemIndex, shape, content, waitUntilReady } = order;
		const already_existed = alreadyExisted || contentsGiven.has(content);
		contentsGiven.add(content);
		try {
			const brief = waitUntilReady ? await this.briefInTime(order, first) : first;
			run.briefs.set(content, brief);
			if (brief.status === 'failed')
				return this.stopIfLost(failedBrief(brief, order, context), order);
			const output = await briefOutput(context, { ...brief, already_existed }, shape, itemIndex);
			return { brief, alreadyExisted: already_existed, output };
		} catch (thrown) {
			const brief = asOrdered(first, order);
			const wait = { brief, minutes: bounds.minutes, now: session.service.now() };
			return this.stopIfLost(waitFailure(context.getNode(), thrown, wait, itemIndex), order);
		}
	}

	/** Gives the finished brief; in an outside call that has to answer now, the brief as it is. */
	private async briefInTime(order: ItemOrder, brief: Brief): Promise<Brief> {
		return await this.waitUntilEnded(order, brief).catch((thrown: unknown) => {
			if (thrown instanceof WaitTimeout && this.session.callEnds !== Infinity)
				return { ...brief, ...thrown.brief };
			throw thrown;
		});
	}

	private async waitUntilEnded(order: ItemOrder, brief: Brief): Promise<Brief> {
		const { input } = order;
		const { clock, service, reader, poller, signal, list } = this.session;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		const isItself = (summary: BriefSummary) => !isOfOtherProduct(summary, input);
		// At once, because the slot that becomes free would be the next order's.
		const onStatus = ({ status }: BriefSummary) => {
			if (status === 'failed')
				this.stopIfLost(failedBrief({ ...brief, status }, order, this.context), order);
		};
		const deadline = waitDeadline(this.session, this.bounds.minutes);
		const until = { signal, since, deadline, isItself, onStatus };
		const endedBrief = expectProduct(await waitForBrief(reader, poller, brief, until), input);
		list.briefs.see([endedBrief]);
		return endedBrief;
	}

	/** Has nothing more sent if the output is lost with this failure. */
	private stopIfLost(failure: NodeFailure, order: ItemOrder): NodeFailure {
		if (!goesOn(this.context)) this.stop(failure, order);
		return failure;
	}

	private stop(failure: NodeFailure, order: ItemOrder): void {
		this.stoppedBy ??= { failure, reason: reasonFor(failure, order) };
		this.noMore.abort(this.stoppedBy.failure);
	}

	/** @throws the failure, if there is one, unless the node continues on fail */
	private throwUnlessContinuing(failure: NodeFailure | undefined): void {
		if (failure === undefined || goesOn(this.context)) return;
		const { briefs, contentsPaid } = this.run;
		const paidBriefs = [...briefs].filter(
			([content, { status }]) => contentsPaid.has(content) && status !== 'failed',
		);
		failure.description = `${failure.description ?? ''}${alreadyCreated(paidBriefs.map(([, brief]) => brief))}`;
		throw failure;
	}
}

function ordersIn(items: ReadonlyArray<ItemOrder | NodeFailure>): ItemOrder[] {
	return items.flatMap((item) => (item instanceof Error ? [] : item));
}
