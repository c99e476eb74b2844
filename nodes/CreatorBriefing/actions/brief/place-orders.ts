import type { IExecuteFunctions } from 'n8n-workflow';
import { leavesInDoubt, ServiceError } from '../../../../service/api/errors';
import { createdByOurClock } from '../../../../service/api/service-time';
import type { Brief, BriefSummary } from '../../../../service/api/resources';
import { BriefOrder, type Outcome } from '../../../../service/order/create-brief';
import { endsOthers } from '../../../../service/order/later-orders';
import { fitting, isOfOtherProduct } from '../../../../service/order/likeness';
import { briefOutput } from '../../../shared/brief-output';
import { isNodeFailure, type NodeFailure } from '../../../shared/errors';
import { goesOn, type Output } from '../../../shared/items';
import type { WatchSession } from '../../../shared/session';
import { waitFailure, waitForBrief } from '../../../shared/wait-for-brief';
import {
	alreadyCreated,
	failedBrief,
	mayExistFailure,
	notUnderstood,
	orderFailure,
	type Patience,
} from './create-failures';
import type { NodeRun } from './node-run';
import type { Order } from './orders';

/** An item with its brief. */
export interface ItemBrief {
	order: Order;
	brief: Brief;
	/** The brief was there before this item, which costs nothing. */
	alreadyExisted: boolean;
	output: Output;
}

/** What became of an item. The limit of this run may have left it to the next one. */
export type ItemResult = ItemBrief | NodeFailure | 'left';

export interface Bounds extends Patience {
	/** How many briefs may be paid for in this run; 0 for no limit. */
	maxBriefs: number;
}

/** The order that all items of one content share. */
interface SharedOrder {
	brief: BriefOrder;
	/** Missing until it has a brief, or an error. */
	result?: Outcome | { thrown: unknown } | 'left';
	/** An item has its brief: for the next ones it was there. */
	isGiven: boolean;
}

/**
 * Gives each item the brief that the workspace has of its content, and orders what is not there: one after the other,
 * and never more than two at a time in the workspace. It waits for all of them together.
 */
export class OrderPlacer {
	/** The reason why nothing more is sent. */
	private stoppedBy: NodeFailure | undefined;
	private readonly noMore = new AbortController();
	private readonly shared = new Map<string, SharedOrder>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly session: WatchSession,
		private readonly run: NodeRun,
		private readonly bounds: Bounds,
	) {}

	/**
	 * Gives what became of each item, in their order.
	 * @throws {NodeFailure} unless the node continues on fail. The output is lost then, so nothing is ordered if what is
	 *   there fails an item, and nothing more once an order fails
	 */
	async placeAll(items: Array<Order | NodeFailure>): Promise<ItemResult[]> {
		await this.takeOver(items.flatMap((item) => (item instanceof Error ? [] : item)));
		const results: Array<Promise<ItemResult>> = [];
		for (const item of items) {
			if (item instanceof Error) results.push(Promise.resolve(item));
			else {
				await this.place(item);
				// It may be waited for while the next ones are sent.
				results.push(this.finish(item));
			}
		}
		const all = await Promise.all(results);
		const failure = all.find((result) => result instanceof Error);
		if (failure !== undefined) this.throwUnlessContinuing(failure);
		return all;
	}

	/** Finds the briefs that are there, before the first one is paid for. */
	private async takeOver(orders: readonly Order[]): Promise<void> {
		const { list, interval, signal } = this.session;
		// An order that does not wait for a slot is decided by a look of this moment.
		await list.upToDate(this.bounds.whenBusy === 'stop' ? 0 : interval.shortest);
		const take = async (order: Order) => {
			if (this.shared.has(order.content)) return;
			const briefWanted = { ...order, isOthers: (id: string) => this.isOthers(order, id) };
			const brief = new BriefOrder(briefWanted, this.session, list);
			const shared: SharedOrder = { brief, isGiven: false };
			this.shared.set(order.content, shared);
			const ordered = this.run.briefs.get(order.content);
			const result =
				ordered === undefined
					? await brief.takeOver(signal).catch((thrown: unknown) => ({ thrown }))
					: { brief: ordered, alreadyExisted: true };
			if (result !== null) shared.result = result;
		};
		await Promise.all(orders.map(take));
		for (const order of orders) {
			const failure = this.failureOf(order);
			if (failure !== null) this.throwUnlessContinuing(failure);
		}
	}

	private isOthers({ content }: Order, id: string): boolean {
		return [...this.run.briefs].some(([other, brief]) => brief.id === id && other !== content);
	}

	/** Orders the brief of an item, unless it has one or can have none. */
	private async place(order: Order): Promise<void> {
		const { run, context, session, bounds } = this;
		const shared = this.sharedOf(order);
		if (shared.result !== undefined) return;
		const { maxBriefs, minutes, whenBusy } = bounds;
		const stoppedBy = this.stoppedBy ?? notUnderstood(context, run.unbelieved);
		if (stoppedBy !== null) {
			shared.result = { thrown: stoppedBy };
		} else if (maxBriefs > 0 && run.sent.size >= maxBriefs && !run.sent.has(order.content)) {
			shared.result = 'left';
		} else {
			const options = {
				signal: session.signal,
				noMore: this.noMore.signal,
				deadline: session.clock.now() + minutes * 60_000,
				once: whenBusy === 'stop',
			};
			shared.result = await shared.brief.place(options).catch((thrown: unknown) => ({ thrown }));
			this.placed(order, shared.result);
		}
		// What was not sent because of another item is no reason of its own.
		const isNotSent =
			typeof shared.result === 'object' &&
			'thrown' in shared.result &&
			isNodeFailure(shared.result.thrown);
		const failure = isNotSent ? null : this.failureOf(order);
		if (failure !== null) this.throwUnlessContinuing(failure);
	}

	/** Notes what came of a create, for the next ones. */
	private placed(order: Order, result: Outcome | { thrown: unknown }): void {
		const { run } = this;
		if ('brief' in result) {
			run.unbelieved.believed();
			if (!result.alreadyExisted) run.sent.add(order.content);
			run.briefs.set(order.content, result.brief);
		}
		if (!('thrown' in result)) return;
		const { thrown } = result;
		if (thrown instanceof ServiceError) {
			if (thrown.inDoubt === true || leavesInDoubt(thrown)) run.sent.add(order.content);
			// A key that was given may have been used before.
			if (thrown.kind === 'other_brief' && order.ownKey === null)
				run.unbelieved.add(order.content, order.input.product_name, thrown);
			if (!endsOthers(thrown)) return;
		}
		const failure = this.failureOf(order);
		if (failure !== null) this.stop(failure);
	}

	/** Gives the output of an item once its brief is ready, or there if that is enough. Never throws: others go on. */
	private async finish(order: Order): Promise<ItemResult> {
		const shared = this.sharedOf(order);
		const { result } = shared;
		const failure = this.failureOf(order);
		if (failure !== null) return this.failed(failure);
		if (result === undefined || result === 'left' || !('brief' in result)) return 'left';
		const { context, session, bounds, run } = this;
		const { itemIndex, shape, content } = order;
		const alreadyExisted = shared.isGiven || (result.alreadyExisted && !run.sent.has(content));
		shared.isGiven = true;
		try {
			const brief = order.waitUntilReady
				? await this.waitUntilEnded(order, result.brief)
				: result.brief;
			result.brief = brief;
			run.briefs.set(content, brief);
			if (brief.status === 'failed') return this.failed(failedBrief(brief, order, context));
			const itemBrief = { ...brief, already_existed: alreadyExisted };
			const output = await briefOutput(context, itemBrief, shape, itemIndex);
			return { order, brief, alreadyExisted, output };
		} catch (thrown) {
			const wait = { brief: result.brief, minutes: bounds.minutes, now: session.service.now() };
			return this.failed(waitFailure(context.getNode(), thrown, wait, itemIndex));
		}
	}

	private async waitUntilEnded(order: Order, brief: Brief): Promise<Brief> {
		const { input } = order;
		const { clock, service, reader, poller, signal, list } = this.session;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		const isItself = (summary: BriefSummary) => !isOfOtherProduct(summary, input);
		// At once, because the slot that becomes free would be the next order's.
		const onStatus = ({ status }: BriefSummary) => {
			if (status === 'failed') this.failed(failedBrief({ ...brief, status }, order, this.context));
		};
		const deadline = now + this.bounds.minutes * 60_000;
		const until = { signal, since, deadline, isItself, onStatus };
		const endedBrief = fitting(await waitForBrief(reader, poller, brief, until), input);
		list.briefs.see([endedBrief]);
		return endedBrief;
	}

	/** Says why an item has no brief; null if it has one, or may still get one. */
	private failureOf(order: Order): NodeFailure | null {
		const { context, session, bounds } = this;
		const { result } = this.sharedOf(order);
		if (result === undefined || result === 'left') return null;
		if ('mayExist' in result) return mayExistFailure(result.mayExist, order, context);
		if ('thrown' in result) {
			const { workspace, service } = session;
			const tried = { ...bounds, workspace, now: service.now() };
			return orderFailure(result.thrown, order, context, tried);
		}
		return result.brief.status === 'failed' ? failedBrief(result.brief, order, context) : null;
	}

	private sharedOf({ content }: Order): SharedOrder {
		const shared = this.shared.get(content);
		if (shared === undefined) throw new Error('Each order was looked for');
		return shared;
	}

	/** Has nothing more sent if the output is lost with this failure. */
	private failed(failure: NodeFailure): NodeFailure {
		if (!goesOn(this.context)) this.stop(failure);
		return failure;
	}

	private stop(failure: NodeFailure): void {
		this.stoppedBy ??= failure;
		this.noMore.abort(this.stoppedBy);
	}

	/** @throws the failure unless the node continues on fail */
	private throwUnlessContinuing(failure: NodeFailure): void {
		if (goesOn(this.context)) return;
		const { briefs, sent } = this.run;
		const paid = [...briefs].filter(
			([content, { status }]) => sent.has(content) && status !== 'failed',
		);
		failure.description = `${failure.description ?? ''}${alreadyCreated(paid.map(([, brief]) => brief))}`;
		throw failure;
	}
}
