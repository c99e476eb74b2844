import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isRunning, type Brief } from '../../../../core/api/types';
import { isComplete } from '../../../../core/workspace/brief-poller';
import { makeFailedBriefError, nameBrief } from '../../../shared/brief-errors';
import { toBriefFields, toBriefOutput } from '../../../shared/brief-output';
import { makeWaitError, waitForBrief } from '../../../shared/brief-wait';
import { canContinue, toErrorItem, toItem } from '../../../shared/items';
import {
	getCode,
	getCodeMeaning,
	makeNodeError,
	type NodeFailure,
} from '../../../shared/node-errors';
import { isCallTimeout } from '../../../shared/outside-call';
import type { Session } from '../../../shared/session';
import type { Item, ItemPlan, ItemResult, OrderReason } from '../../orders/item-types';
import type { ItemOrders } from '../../orders/order-items';
import { addForOtherItems, toBriefOrFailure, type ErrorContext } from './create-errors';
import type { ItemRequest, ValidRequest } from './item-requests';
import type { NodeRun } from './node-memory';

/**
 * Creates the briefs of all items: orders one after the other, and waits for them together.
 *
 *     item 1   ordered            waits until it is ready
 *     item 2   existed already
 *     item 3   ordered            waits until it is ready
 *     item 4   left for the next run, because Max Briefs per Run is 2
 *
 * If On Error is Stop, an item that fails ends the node, and n8n discards the output of the other items. So nothing is
 * ordered if an item fails before the first order. If an item fails while an order waits for its slot, that order is
 * still sent, and no other. An item that the next run completes is left for it, and the others come out.
 */

/** What an item got. */
export type CreatedItem = BriefItem | FailedItem;

interface BriefItem {
	readonly kind: 'brief';
	readonly request: ValidRequest;
	readonly brief: Brief;
	readonly alreadyExisted: boolean;
	/** Why it was ordered; null if the brief existed. */
	readonly reason: OrderReason | null;
}

export interface FailedItem {
	readonly kind: 'failed';
	/** Without output: On Error is Stop, and the next run can complete the item. */
	readonly isLeft: boolean;
	readonly request: ItemRequest;
	readonly failure: NodeFailure;
	/** The brief of the item, which is not usable; null if there is none. */
	readonly brief: Brief | null;
	readonly alreadyExisted: boolean;
}

type ItemPlans = ReadonlyMap<Item, ItemPlan>;

const NO_BRIEF = { brief: null, alreadyExisted: false };

/** Returns the brief of a result that is not usable, such as a brief that has failed. */
function toBriefItem(result: ItemResult): Pick<FailedItem, 'brief' | 'alreadyExisted'> {
	return result.kind === 'brief' ? result : NO_BRIEF;
}

export class CreateRun {
	/** Ends the waits for briefs once the node has ended. */
	private readonly end = new AbortController();

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
	async createBriefs(run: NodeRun): Promise<CreatedItem[]> {
		try {
			const items = await this.orderBriefs(run);
			const finished = await Promise.all(items.map((item) => this.refreshItem(item)));
			this.throwIfEmpty(finished);
			return finished;
		} finally {
			this.end.abort();
		}
	}

	/**
	 * Returns the output of items.
	 * @throws {NodeFailure} if the file of a brief cannot be stored and On Error is Stop
	 */
	async toOutput(items: readonly CreatedItem[]): Promise<INodeExecutionData[]> {
		const outputs = await Promise.all(items.map((item) => this.toOutputItem(item)));
		this.throwIfFailed(outputs.map(({ item }) => item));
		return outputs.flatMap(({ output }) => output ?? []);
	}

	/** Returns what happens to the item of each valid request, without ordering anything. */
	async decideItems(requests: readonly ItemRequest[]): Promise<ItemPlans> {
		const valid = requests.filter((request) => request.kind === 'valid');
		return await this.orders.decideItems(valid.map(({ item }) => item));
	}

	/** Returns the item of a request that can get no brief, or null. */
	findFailedItem(request: ItemRequest, plans: ItemPlans): FailedItem | null {
		if (request.kind === 'invalid') return this.makeFailedItem(request, request.failure);
		const plan = plans.get(request.item);
		if (plan === undefined || plan.kind === 'order') return null;
		const usable = toBriefOrFailure(plan, request, this.errors);
		return usable instanceof Error ? this.makeFailedItem(request, usable, toBriefItem(plan)) : null;
	}

	private async orderBriefs({ requests, orderedIds }: NodeRun): Promise<CreatedItem[]> {
		const plans = await this.decideItems(requests);
		const early = requests.map((request) => this.findFailedItem(request, plans));
		this.throwIfFailed(early.filter((item) => item !== null));
		const earlierIds = new Set(orderedIds);
		const items: CreatedItem[] = [];
		const waits: Array<Promise<void>> = [];
		for (const [index, request] of requests.entries()) {
			const created = await this.createBrief(request, plans);
			const item = countEarlierOrder(created, earlierIds);
			if (item.kind === 'brief' && !item.alreadyExisted) orderedIds.add(item.brief.id);
			items[index] = item;
			// The brief is waited for while the next items are ordered.
			waits[index] = this.finishItem(item).then((finished) => {
				items[index] = finished;
			});
			this.throwIfFailed(items);
		}
		await Promise.all(waits);
		this.throwIfFailed(items);
		return items;
	}

	private async createBrief(request: ItemRequest, plans: ItemPlans): Promise<CreatedItem> {
		if (request.kind === 'invalid') return this.makeFailedItem(request, request.failure);
		const result = await this.orderItem(request.item);
		const usable = toBriefOrFailure(result, request, this.errors);
		if (usable instanceof Error) return this.makeFailedItem(request, usable, toBriefItem(result));
		const { brief, alreadyExisted } = usable;
		const plan = plans.get(request.item);
		const reason = plan?.kind === 'order' && !alreadyExisted ? plan.reason : null;
		return { kind: 'brief', request, brief, alreadyExisted, reason };
	}

	/** An outside call ends before its client stops waiting. */
	private async orderItem(item: Item): Promise<ItemResult> {
		return await this.orders.orderItem(item).catch((thrown: unknown): ItemResult => {
			if (!isCallTimeout(thrown)) throw thrown;
			return this.orders.isUnconfirmed(item)
				? { kind: 'unconfirmed', cause: null }
				: { kind: 'timeout', runningIds: [] };
		});
	}

	private makeFailedItem(
		request: ItemRequest,
		failure: NodeFailure,
		{ brief, alreadyExisted }: Pick<FailedItem, 'brief' | 'alreadyExisted'> = NO_BRIEF,
	): FailedItem {
		const isLeft = getCodeMeaning(getCode(failure)).isLeft === true && !canContinue(this.node);
		return { kind: 'failed', isLeft, request, failure, brief, alreadyExisted };
	}

	/** Waits for the brief of an item if the item wants that. Never rejects. */
	private async finishItem(item: CreatedItem): Promise<CreatedItem> {
		if (item.kind !== 'brief' || !item.request.waitUntilReady || isComplete(item.brief))
			return item;
		const { itemIndex, item: requested } = item.request;
		const { product_name } = requested.input;
		const brief = { ...item.brief, product_name };
		const wait = await waitForBrief(brief, this.getWaitSession());
		if (wait.kind === 'finished' && wait.brief.status !== 'failed')
			return { ...item, brief: wait.brief };
		if (wait.kind === 'late' && this.errors.isOutsideCall) return item;
		const node = this.node.getNode();
		const now = this.session.context.client.now();
		if (wait.kind !== 'finished') {
			const failure = makeWaitError(node, brief, wait, { now, itemIndex });
			return this.makeFailedItem(item.request, failure, { ...item, brief });
		}
		const failed = { ...wait.brief, product_name };
		const failure = makeFailedBriefError(node, failed, itemIndex);
		return this.makeFailedItem(item.request, failure, { ...item, brief: failed });
	}

	private getWaitSession(): Session {
		const { context } = this.session;
		const signals = [context.signal, this.end.signal].filter((signal) => signal !== undefined);
		return { ...this.session, context: { ...context, signal: AbortSignal.any(signals) } };
	}

	private async refreshItem(item: CreatedItem): Promise<CreatedItem> {
		if (item.kind !== 'brief' || !isRunning(item.brief)) return item;
		return { ...item, brief: await this.orders.refreshBrief(item.brief) };
	}

	private async toOutputItem(
		item: CreatedItem,
	): Promise<{ item: CreatedItem; output: INodeExecutionData | null }> {
		const { itemIndex } = item.request;
		if (item.kind === 'failed') {
			const fields = getBriefFields(this.node, item);
			const output = item.isLeft ? null : toErrorItem(this.node, item.failure, itemIndex, fields);
			return { item, output };
		}
		try {
			const brief = { ...item.brief, already_existed: item.alreadyExisted };
			const output = await toBriefOutput(this.node, brief, item.request.format, itemIndex);
			return { item, output: toItem(output, itemIndex) };
		} catch (thrown) {
			const failure = makeNodeError(this.node.getNode(), thrown, this.errors.now, itemIndex);
			return await this.toOutputItem(this.makeFailedItem(item.request, failure, item));
		}
	}

	/** @throws {NodeFailure} if an item has failed and On Error is Stop. It names the other briefs that are paid for */
	private throwIfFailed(items: readonly CreatedItem[]): void {
		if (canContinue(this.node)) return;
		const failed = getFailedItems(items).filter(({ isLeft }) => !isLeft);
		const [first] = failed;
		if (first === undefined) return;
		const paid = this.orders.listOrderedBriefs().filter(({ id }) => id !== first.brief?.id);
		const names = paid.map(nameBrief).join('; ');
		const areOthersLost = failed.length < this.node.getInputData().length;
		throw addForOtherItems(
			first.failure,
			areOthersLost,
			names === '' ? '' : `These briefs are paid for, and are not lost: ${names}.`,
		);
	}

	/** An empty output would look like a success, although no item got a brief in time. */
	private throwIfEmpty(items: readonly CreatedItem[]): void {
		const left = getFailedItems(items).filter(({ isLeft }) => isLeft);
		const timedOut = left.find(({ failure }) => getCode(failure) !== 'limit_reached');
		if (timedOut !== undefined && left.length === items.length) throw timedOut.failure;
	}
}

/**
 * Returns an item whose brief an earlier try of Retry On Fail has ordered as an item that the run has ordered.
 * @param earlierIds the briefs of earlier tries that no item has yet. The other items with the brief share it
 */
function countEarlierOrder(item: CreatedItem, earlierIds: Set<string>): CreatedItem {
	const isFirst = item.kind === 'brief' && item.alreadyExisted && earlierIds.delete(item.brief.id);
	return isFirst ? { ...item, alreadyExisted: false } : item;
}

/** Returns the fields of the brief of an item that failed; none if there is no brief. */
export function getBriefFields(
	context: IExecuteFunctions,
	{ brief, alreadyExisted, request }: FailedItem,
): IDataObject {
	if (brief === null || request.kind === 'invalid') return {};
	return toBriefFields(context, { ...brief, already_existed: alreadyExisted }, request.format);
}

export function getFailedItems(items: readonly CreatedItem[]): FailedItem[] {
	return items.filter((item) => item.kind === 'failed');
}

/** Returns the brief that was ordered for an item, or null. */
export function getOrderedBrief(item: CreatedItem): Brief | null {
	return item.alreadyExisted ? null : item.brief;
}
