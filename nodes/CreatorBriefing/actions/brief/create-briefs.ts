import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../../core/api/errors';
import { isRunning, type Brief } from '../../../../core/api/types';
import { isComplete } from '../../../../core/workspace/brief-poller';
import { makeFailedBriefError, makePollError, makeWaitError } from '../../../shared/brief-errors';
import { canContinue } from '../../../shared/items';
import type { NodeFailure } from '../../../shared/node-errors';
import { isCallTimeout } from '../../../shared/outside-call';
import type { Session } from '../../../shared/session';
import { isTool } from '../../../shared/tool';
import type { Decision, Item, ItemResult, OrderReason } from '../../orders/item-types';
import type { ItemOrders } from '../../orders/order-items';
import { addLostOutput, toFailure, type ErrorContext } from './create-errors';
import type { ItemRequest, ValidRequest } from './item-requests';

/**
 * Creates the briefs of all items: orders one after the other, and waits for them together.
 *
 *     item 1   ordered            waits until it is ready
 *     item 2   existed already
 *     item 3   ordered            waits until it is ready
 *     item 4   left for the next run, because Max Briefs per Run is 2
 *
 * If On Error is Stop, an item that fails ends the node, and n8n discards the output of the other items. So nothing is
 * ordered if an item fails before the first order, and nothing more after an order has failed. An item that was not
 * ordered in time never ends the node.
 */

/** What an item got. */
export type CreatedItem =
	| {
			kind: 'brief';
			request: ValidRequest;
			brief: Brief;
			alreadyExisted: boolean;
			/** Why it was ordered; null if the brief existed. */
			reason: OrderReason | null;
	  }
	| FailedItem
	/** Left for the next run. `failure` says why. */
	| { kind: 'left'; request: ValidRequest; failure: NodeFailure; result: ItemResult };

export interface FailedItem {
	readonly kind: 'failed';
	readonly request: ItemRequest;
	readonly failure: NodeFailure;
	/** Null if the request is not valid, or if its brief could not be waited for. */
	readonly result: ItemResult | null;
}

export class CreateRun {
	constructor(
		private readonly node: IExecuteFunctions,
		private readonly session: Session,
		private readonly orders: ItemOrders,
		private readonly errors: ErrorContext,
	) {}

	/**
	 * Creates the briefs, and returns what each item got, in the sequence of the items.
	 * @throws {NodeFailure} if an item fails and On Error is Stop
	 */
	async createBriefs(requests: readonly ItemRequest[]): Promise<CreatedItem[]> {
		const decisions = await this.decide(requests);
		const early = requests.map((request, index) => this.toFailedItem(request, decisions[index]));
		this.throwIfStopping(early.find((item) => item !== null) ?? null, []);
		const items: CreatedItem[] = [];
		const waits: Array<Promise<CreatedItem>> = [];
		for (const [index, request] of requests.entries()) {
			const item = await this.createBrief(request, decisions[index]);
			this.throwIfStopping(item, items);
			items.push(item);
			// The brief is waited for while the next items are ordered.
			waits.push(this.finishItem(item));
		}
		const waited = await Promise.all(waits);
		const finished = await Promise.all(waited.map((item) => this.refreshItem(item)));
		this.throwIfStopping(finished.find(({ kind }) => kind === 'failed') ?? null, finished);
		this.throwIfEmpty(finished);
		return finished;
	}

	/** Returns what happens to each item, without ordering anything; undefined for an invalid request. */
	async decide(
		requests: readonly ItemRequest[],
	): Promise<Array<Decision | ItemResult | undefined>> {
		const valid = requests.flatMap((request) => (request.kind === 'valid' ? [request] : []));
		const decisions = await this.orders.decideItems(valid.map(({ item }) => item));
		const byRequest = new Map(valid.map((request, index) => [request, decisions[index]]));
		return requests.map((request) =>
			request.kind === 'valid' ? byRequest.get(request) : undefined,
		);
	}

	/** Returns the item of a request that can get no brief, or null. */
	toFailedItem(request: ItemRequest, result: Decision | ItemResult | undefined): FailedItem | null {
		if (request.kind === 'invalid')
			return { kind: 'failed', request, failure: request.failure, result: null };
		if (result === undefined || result.kind === 'order') return null;
		const failure = toFailure(result, request, this.errors);
		return failure === null ? null : { kind: 'failed', request, failure, result };
	}

	private async createBrief(
		request: ItemRequest,
		decision: Decision | ItemResult | undefined,
	): Promise<CreatedItem> {
		if (request.kind === 'invalid')
			return { kind: 'failed', request, failure: request.failure, result: null };
		const result = await this.orderItem(request.item);
		const failure = toFailure(result, request, this.errors);
		if (failure !== null) {
			const isLeft = result.kind === 'limit_reached' || result.kind === 'timeout';
			const kind = isLeft && !this.continues() ? 'left' : 'failed';
			return { kind, request, failure, result };
		}
		const { brief, alreadyExisted } = result as Extract<ItemResult, { kind: 'brief' }>;
		const reason = decision?.kind === 'order' && !alreadyExisted ? decision.reason : null;
		return { kind: 'brief', request, brief, alreadyExisted, reason };
	}

	private async orderItem(item: Item): Promise<ItemResult> {
		return await this.orders.orderItem(item).catch((thrown: unknown): ItemResult => {
			if (!isCallTimeout(thrown)) throw thrown;
			if (!this.orders.isUnconfirmed(item)) return { kind: 'timeout', runningIds: [] };
			const error = new ServiceError({ kind: 'unconfirmed', operation: 'create_brief' });
			return { kind: 'error', error, isUnconfirmed: true };
		});
	}

	/** Waits for the brief of an item if the item wants that. Never rejects. */
	private async finishItem(item: CreatedItem): Promise<CreatedItem> {
		if (item.kind !== 'brief' || !item.request.waitUntilReady || isComplete(item.brief))
			return item;
		const { request, brief } = item;
		const { itemIndex } = request;
		const { workspace, deadline, context } = this.session;
		const node = this.node.getNode();
		const fail = (failure: NodeFailure): FailedItem => ({
			kind: 'failed',
			request,
			failure,
			result: null,
		});
		try {
			const result = await workspace.poller.waitUntilFinished(brief, deadline, context);
			const isUnfinishedCall = this.errors.isOutsideCall && result.kind === 'late';
			if (isUnfinishedCall) return item;
			const named = { ...brief, product_name: request.item.input.product_name };
			if (result.kind !== 'finished') return fail(makeWaitError(node, named, result, itemIndex));
			if (result.brief.status === 'failed')
				return fail(
					makeFailedBriefError(
						node,
						{ ...result.brief, product_name: named.product_name },
						itemIndex,
					),
				);
			return { ...item, brief: result.brief };
		} catch (thrown) {
			const now = context.client.now();
			return fail(makePollError(node, brief, thrown, { now, itemIndex }));
		}
	}

	private async refreshItem(item: CreatedItem): Promise<CreatedItem> {
		if (item.kind !== 'brief' || !isRunning(item.brief)) return item;
		return { ...item, brief: await this.orders.refreshBrief(item.brief) };
	}

	/** True if an item that fails does not end the others. */
	continues(): boolean {
		return canContinue(this.node) || isTool(this.node);
	}

	private throwIfStopping(item: CreatedItem | null, others: readonly CreatedItem[]): void {
		if (item?.kind !== 'failed' || this.continues()) return;
		const paid = others.flatMap((other) =>
			other.kind === 'brief' && !other.alreadyExisted ? [other.brief] : [],
		);
		const hasOtherItems = this.node.getInputData().length > 1;
		throw addLostOutput(item.failure, paid, hasOtherItems);
	}

	/** An empty output would look like a success, although no item got a brief in time. */
	private throwIfEmpty(items: readonly CreatedItem[]): void {
		const late = items.find((item) => item.kind === 'left' && item.result.kind === 'timeout');
		if (late?.kind === 'left' && !items.some(({ kind }) => kind === 'brief')) throw late.failure;
	}
}
