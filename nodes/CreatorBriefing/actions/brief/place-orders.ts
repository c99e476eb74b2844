import { isSameId } from '../../../../service/brief-id';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { createBrief } from '../../../../service/order/create-brief';
import { fitting } from '../../../../service/order/likeness';
import { isOfOtherProduct } from '../../../../service/order/product';
import { endsOthers } from '../../../../service/order/for-others';
import { leavesInDoubt, ServiceError } from '../../../../service/errors';
import { WaitTimeout } from '../../../../service/watch/wait';
import { isRunning, type Brief, type BriefSummary } from '../../../../service/resources';
import { createdByOurClock } from '../../../../service/service-time';
import {
	apiError,
	codeOf,
	messageWithoutItem,
	nodeErrorFrom,
	operationError,
	textOf,
	type ErrorText,
	type NodeFailure,
} from '../../../shared/errors';
import { briefOutput } from '../../../shared/brief-output';
import type { Output } from '../../../shared/items';
import type { WatchSession } from '../../../shared/session';
import { inWords, isRead, nameOf, waitFailure, waitForBrief } from '../../../shared/wait-for-brief';
import { MANUAL, nodeRun, type NodeRun } from './node-run';
import { howToRepeat } from './order-key';
import { markOf, type Order } from './orders';

export interface PlaceOptions {
	/** Longest wait for one slot, and for one brief. */
	minutes: number;
	/** What to do while both slots are taken. */
	whenBusy: 'wait' | 'stop';
}

interface OrderedBrief {
	order: Order;
	brief: Brief;
}

export interface PlacedOrder {
	brief: Brief;
	output: Output;
}

/**
 * Creates the briefs one after the other, in the order of the items, never more than two at a time in the workspace,
 * and waits for them all together. Gives each item's output or error; without Continue On Fail the first error ends it.
 */
export async function placeOrders(
	context: IExecuteFunctions,
	session: WatchSession,
	orders: Array<Order | NodeFailure>,
	options: PlaceOptions,
): Promise<Array<PlacedOrder | NodeFailure>> {
	// Whatever ends this, its waits end with it.
	const over = new AbortController();
	const signal = AbortSignal.any(session.signal ? [session.signal, over.signal] : [over.signal]);
	try {
		return await new BriefCreator(context, { ...session, signal }, options).createAll(orders);
	} finally {
		over.abort();
	}
}

class BriefCreator {
	private readonly node: INode;
	private readonly run: NodeRun;
	/** Why nothing more is sent. */
	private stoppedBy: NodeFailure | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly session: WatchSession,
		private readonly options: PlaceOptions,
	) {
		this.node = context.getNode();
		this.run = nodeRun(context);
	}

	async createAll(orders: Array<Order | NodeFailure>): Promise<Array<PlacedOrder | NodeFailure>> {
		const results: Array<Promise<OrderedBrief | NodeFailure>> = [];
		for (const order of orders) {
			results.push(
				order instanceof Error ? Promise.resolve(order) : (await this.create(order)).result,
			);
		}
		const ended = await Promise.all(results);
		const all = await Promise.all(ended.map((result) => this.output(result)));
		const failure = all.find((result) => result instanceof Error);
		if (failure !== undefined) this.stopUnlessContinuing(failure);
		return all;
	}

	/** Creates one brief. The result is given wrapped, because it may be waited for while the next ones are sent. */
	private async create(order: Order): Promise<{ result: Promise<OrderedBrief | NodeFailure> }> {
		const created = (await this.briefOf(order)) ?? (await this.send(order));
		const brief =
			created instanceof Error || isRead(created) ? created : await this.read(created, order);
		if (brief instanceof Error) return { result: Promise.resolve(brief) };
		const ordered = { order, brief };
		return { result: order.waitUntilReady ? this.waitForEnd(ordered) : Promise.resolve(ordered) };
	}

	private async send(order: Order): Promise<BriefSummary | NodeFailure> {
		const stoppedBy = this.stoppedBy ?? this.notUnderstood();
		if (stoppedBy !== undefined) return this.notSent(order, stoppedBy);
		const { clock, signal } = this.session;
		try {
			await this.firstLook();
			const deadline = clock.now() + this.options.minutes * 60_000;
			const once = this.options.whenBusy === 'stop';
			const isClaimed = (id: string) =>
				[...this.run.briefs.values()].some((its) => isSameId(its.id, id));
			const created = await createBrief(this.session, order, { signal, deadline, once, isClaimed });
			this.remember(order, created);
			this.run.unbelieved.believed();
			return created;
		} catch (thrown) {
			const { key, ownKey, input } = order;
			// A key that was given may have been used before.
			if (thrown instanceof ServiceError && thrown.kind === 'other_brief' && ownKey === null)
				this.run.unbelieved.add(key, input.product_name, thrown);
			return this.fail(thrown, this.createFailure(thrown, order));
		}
	}

	/**
	 * The brief that an order has already, as it is now: it needs no slot. One of this execution is paid for, so it is given
	 * as it was if it cannot be read. One of an earlier execution may be in another workspace, and then it does not count.
	 */
	private async briefOf(order: Order): Promise<BriefSummary | NodeFailure | undefined> {
		const { reader, signal } = this.session;
		const known = this.run.briefs.get(order.key);
		const id = known?.id ?? order.earlierId;
		if (id === undefined) return undefined;
		// Who waits for its end looks then, and one that was never read is read next.
		const isReadLater = order.waitUntilReady || (known !== undefined && !isRead(known));
		if (known !== undefined && (isReadLater || !isRunning(known))) return known;
		try {
			const brief = fitting(await reader.brief(id, signal), order.input);
			this.remember(order, brief);
			return brief;
		} catch (thrown) {
			const kind = thrown instanceof ServiceError ? thrown.kind : undefined;
			if (known !== undefined && kind !== undefined) return known;
			if (kind === 'not_found' || kind === 'other_brief') return undefined;
			return this.fail(thrown, this.createFailure(thrown, order));
		}
	}

	private remember(order: Order, brief: BriefSummary | Brief): void {
		const { manual } = order;
		this.run.briefs.set(order.key, brief);
		this.run.briefIds[markOf(order)] = brief.id;
		if (manual === undefined || manual.briefId === brief.id) return;
		manual.briefId = brief.id;
		manual.at = this.session.clock.now();
	}

	/** Why nothing more is sent after orders of this execution that were answered with briefs of others. */
	private notUnderstood(): NodeFailure | undefined {
		const { reason } = this.run.unbelieved;
		if (reason === null) return undefined;
		const text = { code: 'other_brief', message: reason.what, description: reason.cure } as const;
		return operationError(this.node, text, {});
	}

	/**
	 * Shows what is running, and finds a wrong address or key before anything is ordered. Where another execution was
	 * quicker its page counts, for this one may be older. Who does not wait for a slot gets his answer from a look of
	 * this moment.
	 */
	private async firstLook(): Promise<void> {
		const { poller, reader, signal } = this.session;
		const isOwn = this.options.whenBusy === 'stop';
		if (poller.hasSeenList() && !isOwn) return;
		const { data } = await reader.briefs({}, signal);
		if (!poller.hasSeenList() || isOwn) poller.observePage(data);
	}

	/** Reads a brief that only the list has shown. It is paid for, so what goes wrong here is told with its ID. */
	private async read(created: BriefSummary, order: Order): Promise<Brief | NodeFailure> {
		const { reader, service, signal } = this.session;
		try {
			const brief = fitting(await reader.brief(created.id, signal), order.input);
			this.remember(order, brief);
			return brief;
		} catch (thrown) {
			const wait = { brief: created, minutes: this.options.minutes, now: service.now() };
			const isOther = thrown instanceof ServiceError && thrown.kind === 'other_brief';
			if (isOther) this.run.briefs.delete(order.key);
			const failure = isOther
				? this.createFailure(thrown, order)
				: waitFailure(this.node, thrown, wait, { itemIndex: order.itemIndex });
			return this.fail(thrown, failure);
		}
	}

	/** @throws the failure where the node does not continue on fail */
	private fail(thrown: unknown, failure: NodeFailure): NodeFailure {
		this.stopUnlessContinuing(failure);
		if (!(thrown instanceof ServiceError) || endsOthers(thrown)) this.stoppedBy = failure;
		return failure;
	}

	private async waitForEnd({ order, brief }: OrderedBrief): Promise<OrderedBrief | NodeFailure> {
		const { itemIndex } = order;
		const { clock, service, reader, poller, signal } = this.session;
		const { minutes } = this.options;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		try {
			const isItself = (seen: BriefSummary) => !isOfOtherProduct(seen, order.input);
			const until = { signal, since, deadline: now + minutes * 60_000, isItself };
			const ended = fitting(await waitForBrief(reader, poller, brief, until), order.input);
			this.remember(order, ended);
			return ended.status === 'failed' ? this.briefFailed(ended, order) : { order, brief: ended };
		} catch (thrown) {
			return waitFailure(this.node, thrown, { brief, minutes, now: service.now() }, { itemIndex });
		}
	}

	private async output(ordered: OrderedBrief | NodeFailure): Promise<PlacedOrder | NodeFailure> {
		if (ordered instanceof Error) return ordered;
		const { brief, order } = ordered;
		const { itemIndex, shape } = order;
		try {
			return { brief, output: await briefOutput(this.context, brief, shape, itemIndex) };
		} catch (thrown) {
			return nodeErrorFrom(this.node, thrown, this.session.service.now(), { itemIndex });
		}
	}

	private briefFailed(brief: Brief, { itemIndex, ownKey, manual }: Order): NodeFailure {
		const see = brief.url === '' ? '' : ` See ${brief.url}.`;
		let key = '';
		if (ownKey !== null) {
			key = ` With the same key the service returns this brief again. For a new one, which is paid for, change the Order Key “${ownKey}”.`;
		} else if (manual !== undefined) {
			key =
				' The same values give this brief again for an hour. For a new one, which is paid for, change a value or add an Order Key.';
		}
		const text: ErrorText = {
			code: 'brief_failed',
			message: `${nameOf(brief)} could not be written: ${brief.error_code ?? 'no reason given'}`,
			description: `It used one brief from the allowance.${see} Check the product's name and ID before you create it again.${key}`,
		};
		return operationError(this.node, text, { itemIndex });
	}

	private createFailure(thrown: unknown, order: Order): NodeFailure {
		const now = this.session.service.now();
		const place = { itemIndex: order.itemIndex };
		if (thrown instanceof WaitTimeout) {
			const holders = this.slotHolders();
			const meanwhile =
				holders === ''
					? 'The service accepted no further brief.'
					: `Both slots of the workspace were taken at every look. ${holders}`;
			const isSeen = thrown.unseenFor === 0;
			const unseen = inWords(Math.round(thrown.unseenFor / 60_000));
			const text: ErrorText = {
				code: 'slots_busy',
				message: isSeen
					? `No slot became free within ${inWords(this.options.minutes)}`
					: `No free slot was found within ${inWords(this.options.minutes)}: for the last ${unseen} the service could not be asked`,
				description: `${isSeen ? meanwhile : 'Nothing was ordered for this item.'} Run it again later, or raise 'Timeout (Minutes)'.`,
			};
			return operationError(this.node, text, place);
		}
		if (!(thrown instanceof ServiceError)) return nodeErrorFrom(this.node, thrown, now, place);
		const text = textOf(thrown, now);
		if (thrown.kind === 'other_brief' && thrown.brief !== undefined) {
			const other = this.otherBriefText(thrown.brief, order, text.description);
			return apiError(this.node, thrown, other, place);
		}
		if (thrown.kind === 'slots_busy' && this.options.whenBusy === 'stop') {
			text.description =
				`${this.slotHolders()} ${text.description} To have the node wait, set the option 'When Slots Are Busy' to 'Wait for a Free Slot'.`.trimStart();
		}
		if (mayExist(thrown, order)) text.description += ` ${howToRepeat(this.context, order)}`;
		return apiError(this.node, thrown, text, place);
	}

	private otherBriefText(
		brief: Pick<BriefSummary, 'id' | 'product_name'>,
		order: Order,
		cure: string,
	): ErrorText {
		if (order.ownKey === null) {
			return {
				message: `The service answered with another brief: ${nameOf(brief)}`,
				description: `It was not used for this item. The item’s own brief may or may not have been created: Get Many shows whether it exists. ${howToRepeat(this.context, order)}`,
			};
		}
		const changed =
			'It is for the same product but was ordered with different values, so it was not used for this item. To use it anyway, fetch it with the Get operation, which costs nothing. To get a new brief, which is paid for, change the key.';
		const other = `The service answered with that brief, so it was not used for this item. ${cure}`;
		return {
			message: `The Order Key “${order.ownKey}” belongs to another brief: ${nameOf(brief)}`,
			description: isOfOtherProduct(brief, order.input) ? other : changed,
		};
	}

	/** What holds the slots, as far as the list has shown it. */
	private slotHolders(): string {
		const { workspace } = this.session;
		const running = workspace
			.holders()
			.map((brief) => `${nameOf(brief)} since ${new Date(brief.since).toISOString()}`);
		const inDoubt = workspace.inDoubtUntil().map((until) => new Date(until).toISOString());
		return [
			...(running.length === 0 ? [] : [`Running: ${running.join('; ')}.`]),
			...inDoubt.map(
				(until) =>
					`An order from this n8n got no answer, so its brief may be running: it counts as running until the list shows it, or until ${until} at the latest.`,
			),
		].join(' ');
	}

	private notSent({ itemIndex }: Order, reason: NodeFailure): NodeFailure {
		const text: ErrorText = {
			code: codeOf(reason),
			message: `Not sent, because of an earlier item: ${messageWithoutItem(reason)}`,
			description: `${reason.description ?? ''} No brief was used for this item.`,
		};
		return operationError(this.node, text, { itemIndex });
	}

	/**
	 * An error that is thrown names the briefs that exist by then, those of earlier tries too: they are paid, and the
	 * node's output is lost.
	 */
	private stopUnlessContinuing(failure: NodeFailure): void {
		const isStopped = this.session.signal?.aborted === true;
		if (this.context.continueOnFail() && !isStopped) return;
		const alive = [...this.run.briefs.values()].filter(({ status }) => status !== 'failed');
		if (alive.length > 0) {
			const names = alive.map(nameOf).join('; ');
			const again =
				this.run.execution === MANUAL
					? 'Executing it again within an hour, with the same values, gives the same briefs.'
					: "Retry in the list of executions gives the same briefs. Running the whole workflow again would order them again, unless each item has its own 'Order Key'.";
			failure.description = `${failure.description ?? ''} Already created in this run: ${names}. They are paid for and carry on by themselves: fetch them with the Get operation, which costs nothing. ${again}`;
		}
		throw failure;
	}
}

/** A key that was given may belong to another brief; one that was made from the order cannot. */
function mayExist({ kind, inDoubt }: ServiceError, { ownKey }: Order): boolean {
	if (kind === 'conflict') return ownKey === null;
	return inDoubt === true || leavesInDoubt(kind);
}
