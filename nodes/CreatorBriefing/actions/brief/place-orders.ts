import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../../service/api/errors';
import { createBrief } from '../../../../service/order/create-brief';
import { endsOthers } from '../../../../service/order/for-others';
import { fitting } from '../../../../service/order/likeness';
import { isOfOtherProduct } from '../../../../service/order/product';
import { nullIfUnknown } from '../../../../service/api/outcome';
import type { Brief, BriefSummary } from '../../../../service/api/resources';
import { createdByOurClock } from '../../../../service/api/service-time';
import { briefOutput } from '../../../shared/brief-output';
import type { NodeFailure } from '../../../shared/errors';
import { goesOn, type Output } from '../../../shared/items';
import type { WatchSession } from '../../../shared/session';
import { waitFailure, waitForBrief } from '../../../shared/wait-for-brief';
import {
	alreadyCreated,
	briefFailed,
	createFailure,
	notSent,
	notUnderstood,
} from './create-failures';
import type { NodeRun } from './node-run';
import type { Order } from './order';

/** What the orders of one run of the node are placed with. */
export interface Placing {
	context: IExecuteFunctions;
	session: WatchSession;
	run: NodeRun;
	/** Longest wait for one slot, and for one brief. */
	minutes: number;
	whenBusy: 'wait' | 'stop';
}

export interface PlacedOrder {
	order: Order;
	brief: Brief;
	output: Output;
}

/**
 * Creates the briefs one after the other, in the order of the items, never more than two at a time in the workspace,
 * and waits for them all together. Gives each item's output or error; without Continue On Fail the first error ends it.
 */
export async function placeOrders(
	placing: Placing,
	orders: Array<Order | NodeFailure>,
): Promise<Array<PlacedOrder | NodeFailure>> {
	const { session } = placing;
	// Whatever ends this, its waits end with it.
	const over = new AbortController();
	const signal = AbortSignal.any(session.signal ? [session.signal, over.signal] : [over.signal]);
	try {
		return await new BriefCreator({ ...placing, session: { ...session, signal } }).createAll(
			orders,
		);
	} finally {
		over.abort();
	}
}

class BriefCreator {
	/** Why nothing more is sent. */
	private stoppedBy: NodeFailure | undefined;
	/** Why orders of this try have no brief, by their mark. Other items may share them. */
	private readonly failures = new Map<string, NodeFailure>();

	constructor(private readonly placing: Placing) {}

	async createAll(orders: Array<Order | NodeFailure>): Promise<Array<PlacedOrder | NodeFailure>> {
		const results: Array<Promise<PlacedOrder | NodeFailure>> = [];
		for (const order of orders) {
			if (order instanceof Error) results.push(Promise.resolve(order));
			else {
				const brief = await this.create(order);
				// It may be waited for while the next ones are sent.
				results.push(this.finish(order, brief));
			}
		}
		const all = await Promise.all(results);
		const failure = all.find((result) => result instanceof Error);
		if (failure !== undefined) this.stopUnlessContinuing(failure);
		return all;
	}

	/** The brief of an order: the one that it has already, or a new one. */
	private async create(order: Order): Promise<Brief | NodeFailure> {
		const { context, run } = this.placing;
		try {
			const known = run.briefOf(order) ?? (await this.earlier(order));
			if (known !== null) return known;
			const failed = this.failures.get(order.mark);
			const stoppedBy = failed ?? this.stoppedBy ?? notUnderstood(this.placing);
			if (stoppedBy !== null) return notSent(order, stoppedBy, context);
			const created = await this.send(order);
			run.remember(order, created);
			run.unbelieved.believed();
			return created;
		} catch (thrown) {
			// A key that was given may have been used before.
			if (thrown instanceof ServiceError && thrown.kind === 'other_brief' && order.ownKey === null)
				run.unbelieved.add(order.key, order.input.product_name, thrown);
			const failure = createFailure(thrown, order, this.placing);
			this.stopUnlessContinuing(failure);
			this.failures.set(order.mark, failure);
			if (!(thrown instanceof ServiceError) || endsOthers(thrown)) this.stoppedBy = failure;
			return failure;
		}
	}

	/** The brief that an earlier execution has ordered. It may be in another workspace, and then it does not count. */
	private async earlier(order: Order): Promise<Brief | null> {
		const { session, run } = this.placing;
		const id = run.earlierId(order);
		if (id === undefined) return null;
		const found = await nullIfUnknown(session.reader.brief(id, session.signal));
		if (found !== null) run.remember(order, fitting(found, order.input));
		return found;
	}

	private async send(order: Order): Promise<Brief> {
		const { session, run, minutes, whenBusy } = this.placing;
		await this.firstLook();
		return await createBrief(session, order, {
			signal: session.signal,
			deadline: session.clock.now() + minutes * 60_000,
			once: whenBusy === 'stop',
			isClaimed: (id) => run.isOthers(order, id),
		});
	}

	/**
	 * Shows what is running, and finds a wrong address or key before anything is ordered. If another execution was quicker,
	 * its page counts, because this one may be older. An order that does not wait for a slot is decided by a look of this
	 * moment.
	 */
	private async firstLook(): Promise<void> {
		const { session, whenBusy } = this.placing;
		const { poller, reader, signal } = session;
		const isOwn = whenBusy === 'stop';
		if (poller.hasSeenList() && !isOwn) return;
		const { data } = await reader.briefs({}, signal);
		if (!poller.hasSeenList() || isOwn) poller.observePage(data);
	}

	/** The output of an order once its brief is ready, or created if that is enough. Never throws: others go on. */
	private async finish(
		order: Order,
		created: Brief | NodeFailure,
	): Promise<PlacedOrder | NodeFailure> {
		if (created instanceof Error) return created;
		const { context, session, minutes } = this.placing;
		const { itemIndex, shape, waitUntilReady } = order;
		try {
			const brief = waitUntilReady ? await this.ended(order, created) : created;
			if (waitUntilReady && brief.status === 'failed') return briefFailed(brief, order, context);
			return { order, brief, output: await briefOutput(context, brief, shape, itemIndex) };
		} catch (thrown) {
			const wait = { brief: created, minutes, now: session.service.now() };
			return waitFailure(context.getNode(), thrown, wait, itemIndex);
		}
	}

	private async ended(order: Order, brief: Brief): Promise<Brief> {
		const { session, run, minutes } = this.placing;
		const { clock, service, reader, poller, signal } = session;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		const isItself = (seen: BriefSummary) => !isOfOtherProduct(seen, order.input);
		const until = { signal, since, deadline: now + minutes * 60_000, isItself };
		const ended = fitting(await waitForBrief(reader, poller, brief, until), order.input);
		run.remember(order, ended);
		return ended;
	}

	/** @throws the failure unless the node continues on fail */
	private stopUnlessContinuing(failure: NodeFailure): void {
		const { context, run } = this.placing;
		if (goesOn(context)) return;
		failure.description = `${failure.description ?? ''}${alreadyCreated(run)}`;
		throw failure;
	}
}
