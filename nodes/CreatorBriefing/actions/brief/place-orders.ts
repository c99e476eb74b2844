import type { IExecuteFunctions } from 'n8n-workflow';
import { createBrief } from '../../../../service/order/create-brief';
import { endsOthers } from '../../../../service/order/for-others';
import { fitting } from '../../../../service/order/likeness';
import { isOfOtherProduct } from '../../../../service/order/product';
import { ServiceError } from '../../../../service/errors';
import { isRunning, type Brief, type BriefSummary } from '../../../../service/resources';
import { createdByOurClock } from '../../../../service/service-time';
import { briefOutput } from '../../../shared/brief-output';
import { nodeErrorFrom, operationError, type NodeFailure } from '../../../shared/errors';
import { goesOn, type Output } from '../../../shared/items';
import type { WatchSession } from '../../../shared/session';
import { isRead, waitFailure, waitForBrief } from '../../../shared/wait-for-brief';
import {
	alreadyCreated,
	briefFailed,
	createFailure,
	notSent,
	type PlaceOptions,
	type Placing,
} from './create-failures';
import { nodeRun } from './node-run';
import type { Order } from './orders';

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
	const placing = { context, session: { ...session, signal }, options, run: nodeRun(context) };
	try {
		return await new BriefCreator(placing).createAll(orders);
	} finally {
		over.abort();
	}
}

class BriefCreator {
	/** Why nothing more is sent. */
	private stoppedBy: NodeFailure | undefined;

	constructor(private readonly placing: Placing) {}

	async createAll(orders: Array<Order | NodeFailure>): Promise<Array<PlacedOrder | NodeFailure>> {
		const results: Array<Promise<PlacedOrder | NodeFailure>> = [];
		for (const order of orders) {
			if (order instanceof Error) {
				results.push(Promise.resolve(order));
				continue;
			}
			const brief = await this.create(order);
			// It may be waited for while the next ones are sent.
			results.push(this.finish(order, brief));
		}
		const all = await Promise.all(results);
		const failure = all.find((result) => result instanceof Error);
		if (failure !== undefined) this.stopUnlessContinuing(failure);
		return all;
	}

	/** The brief of an order: the one that it has already, or a new one. */
	private async create(order: Order): Promise<Brief | NodeFailure> {
		const brief = (await this.known(order)) ?? (await this.send(order));
		return brief instanceof Error || isRead(brief) ? brief : await this.read(brief, order);
	}

	/**
	 * The brief that an order has already, as it is now: it needs no slot. One of this execution is paid for, so it is given
	 * as it was if it cannot be read. One of an earlier execution may be in another workspace, and then it does not count.
	 */
	private async known(order: Order): Promise<BriefSummary | NodeFailure | undefined> {
		const { run } = this.placing;
		const known = run.briefOf(order);
		const id = known?.id ?? order.earlierId;
		if (id === undefined) return undefined;
		// Who waits for its end looks then, and one that was never read is read next.
		const isReadLater = order.waitUntilReady || (known !== undefined && !isRead(known));
		if (known !== undefined && (isReadLater || !isRunning(known))) return known;
		try {
			return await this.get(id, order);
		} catch (thrown) {
			const kind = thrown instanceof ServiceError ? thrown.kind : undefined;
			if (known !== undefined && kind !== undefined) return known;
			if (kind === 'not_found' || kind === 'other_brief') return undefined;
			return this.fail(thrown, createFailure(thrown, order, this.placing));
		}
	}

	private async send(order: Order): Promise<BriefSummary | NodeFailure> {
		const { context, session, options, run } = this.placing;
		const stoppedBy = this.stoppedBy ?? this.notUnderstood();
		if (stoppedBy !== undefined) return notSent(order, stoppedBy, context);
		try {
			await this.firstLook();
			const created = await createBrief(session, order, {
				signal: session.signal,
				deadline: session.clock.now() + options.minutes * 60_000,
				once: options.whenBusy === 'stop',
				isClaimed: (id) => run.isOthers(order, id),
			});
			run.remember(order, created);
			run.unbelieved.believed();
			return created;
		} catch (thrown) {
			const { key, ownKey, input } = order;
			// A key that was given may have been used before.
			if (thrown instanceof ServiceError && thrown.kind === 'other_brief' && ownKey === null)
				run.unbelieved.add(key, input.product_name, thrown);
			return this.fail(thrown, createFailure(thrown, order, this.placing));
		}
	}

	/** Reads a brief that only the list has shown. It is paid for, so what goes wrong here is told with its ID. */
	private async read(created: BriefSummary, order: Order): Promise<Brief | NodeFailure> {
		const { context, session, options, run } = this.placing;
		try {
			return await this.get(created.id, order);
		} catch (thrown) {
			if (thrown instanceof ServiceError && thrown.kind === 'other_brief') {
				run.forget(order);
				return this.fail(thrown, createFailure(thrown, order, this.placing));
			}
			const wait = { brief: created, minutes: options.minutes, now: session.service.now() };
			const { itemIndex } = order;
			return this.fail(thrown, waitFailure(context.getNode(), thrown, wait, { itemIndex }));
		}
	}

	private async get(id: string, order: Order): Promise<Brief> {
		const { session, run } = this.placing;
		const brief = fitting(await session.reader.brief(id, session.signal), order.input);
		run.remember(order, brief);
		return brief;
	}

	/**
	 * Shows what is running, and finds a wrong address or key before anything is ordered. Where another execution was
	 * quicker its page counts, for this one may be older. Who does not wait for a slot gets his answer from a look of
	 * this moment.
	 */
	private async firstLook(): Promise<void> {
		const { poller, reader, signal } = this.placing.session;
		const isOwn = this.placing.options.whenBusy === 'stop';
		if (poller.hasSeenList() && !isOwn) return;
		const { data } = await reader.briefs({}, signal);
		if (!poller.hasSeenList() || isOwn) poller.observePage(data);
	}

	/** Why nothing more is sent after orders of this execution that were answered with briefs of others. */
	private notUnderstood(): NodeFailure | undefined {
		const { run, context } = this.placing;
		const { reason } = run.unbelieved;
		if (reason === null) return undefined;
		const text = { code: 'other_brief', message: reason.what, description: reason.cure } as const;
		return operationError(context.getNode(), text);
	}

	/** What an order gives once its brief is as far as is waited for. Never throws: others are waited for beside it. */
	private async finish(
		order: Order,
		created: Brief | NodeFailure,
	): Promise<PlacedOrder | NodeFailure> {
		const { context, session } = this.placing;
		const { itemIndex, shape, waitUntilReady } = order;
		const isToWait = waitUntilReady && !(created instanceof Error);
		const brief = isToWait ? await this.ended(order, created) : created;
		if (brief instanceof Error) return brief;
		try {
			return { brief, output: await briefOutput(context, brief, shape, itemIndex) };
		} catch (thrown) {
			return nodeErrorFrom(context.getNode(), thrown, session.service.now(), { itemIndex });
		}
	}

	private async ended(order: Order, brief: Brief): Promise<Brief | NodeFailure> {
		const { context, session, options, run } = this.placing;
		const { clock, service, reader, poller, signal } = session;
		const { minutes } = options;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		const isItself = (seen: BriefSummary) => !isOfOtherProduct(seen, order.input);
		const until = { signal, since, deadline: now + minutes * 60_000, isItself };
		try {
			const ended = fitting(await waitForBrief(reader, poller, brief, until), order.input);
			run.remember(order, ended);
			return ended.status === 'failed' ? briefFailed(ended, order, context) : ended;
		} catch (thrown) {
			const wait = { brief, minutes, now: service.now() };
			const { itemIndex } = order;
			return waitFailure(context.getNode(), thrown, wait, { itemIndex });
		}
	}

	/** @throws the failure where the node does not continue on fail */
	private fail(thrown: unknown, failure: NodeFailure): NodeFailure {
		this.stopUnlessContinuing(failure);
		if (!(thrown instanceof ServiceError) || endsOthers(thrown)) this.stoppedBy = failure;
		return failure;
	}

	private stopUnlessContinuing(failure: NodeFailure): void {
		const { context, run } = this.placing;
		if (goesOn(context)) return;
		failure.description = `${failure.description ?? ''}${alreadyCreated(run)}`;
		throw failure;
	}
}
