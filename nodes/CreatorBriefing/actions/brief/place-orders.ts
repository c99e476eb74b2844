import type { IExecuteFunctions } from 'n8n-workflow';
import { LOOKED_BACK_MS } from '../../../../service/assumptions';
import { ServiceError } from '../../../../service/api/errors';
import { BriefOrder } from '../../../../service/order/create-brief';
import { endsOthers } from '../../../../service/order/later-orders';
import { fitting, isOfOtherProduct, isOfProduct } from '../../../../service/order/likeness';
import { nullIfUnknown } from '../../../../service/api/outcome';
import type { Brief, BriefSummary } from '../../../../service/api/resources';
import { createdByOurClock } from '../../../../service/api/service-time';
import { instantOf } from '../../../../service/api/timestamps';
import { NO_TEXT } from '../../../../service/watch/whole-brief';
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
	type Patience,
} from './create-failures';
import type { NodeRun, Order } from './node-run';

export interface PlacedOrder {
	order: Order;
	brief: Brief;
	output: Output;
}

/**
 * Creates the briefs of items one after the other, never more than two at a time in the workspace, and waits for them
 * all together. Without Continue On Fail the output is lost with the first item that fails: then nothing more is
 * ordered.
 */
export class OrderPlacer {
	/** The reason why nothing more is sent. */
	private stoppedBy: NodeFailure | undefined;
	private readonly noMore = new AbortController();
	/** The reasons why orders of this try have no brief, by their mark. Other items may share them. */
	private readonly failures = new Map<string, NodeFailure>();
	/** Listed briefs of products that were ordered once more, by their IDs. */
	readonly orderedAgain = new Map<string, BriefSummary>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly session: WatchSession,
		private readonly run: NodeRun,
		private readonly patience: Patience,
	) {}

	/**
	 * Gives each item's output or error, in the order of the items.
	 * @throws {NodeFailure} unless the node continues on fail: at once if an order fails, and if a brief does, once all
	 *   others have ended. It names the briefs that are paid for
	 */
	async placeAll(orders: Array<Order | NodeFailure>): Promise<Array<PlacedOrder | NodeFailure>> {
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
		if (failure !== undefined) this.throwUnlessContinuing(failure);
		return all;
	}

	/** Gives the brief that an order has already, or a new one. */
	private async create(order: Order): Promise<Brief | NodeFailure> {
		const { context, run } = this;
		try {
			const ordered = run.briefOf(order) ?? (await this.earlier(order));
			if (ordered !== null) return ordered;
			const failed = this.failures.get(order.mark);
			const stoppedBy = failed ?? this.stoppedBy ?? notUnderstood(context, run.unbelieved);
			if (stoppedBy !== null) return notSent(order, stoppedBy, context);
			const created = await this.send(order);
			run.remember(order, created);
			run.unbelieved.believed();
			return created;
		} catch (thrown) {
			const { stoppedBy } = this;
			if (stoppedBy !== undefined && thrown === stoppedBy)
				return notSent(order, stoppedBy, context);
			return this.createFailed(order, thrown);
		}
	}

	/** @throws the failure unless the node continues on fail */
	private createFailed(order: Order, thrown: unknown): NodeFailure {
		const { context, run, session, patience } = this;
		// A key that was given may have been used before.
		if (thrown instanceof ServiceError && thrown.kind === 'other_brief' && order.ownKey === null)
			run.unbelieved.add(order.key, order.input.product_name, thrown);
		const { service, workspace } = session;
		const tried = { ...patience, workspace, now: service.now() };
		const failure = createFailure(thrown, order, context, tried);
		this.throwUnlessContinuing(failure);
		this.failures.set(order.mark, failure);
		if (!(thrown instanceof ServiceError) || endsOthers(thrown)) this.stop(failure);
		return failure;
	}

	/** Gets the brief that an earlier execution has ordered; null if it is in another workspace. */
	private async earlier(order: Order): Promise<Brief | null> {
		const { session, run } = this;
		const id = run.earlierId(order);
		if (id === undefined) return null;
		const found = await nullIfUnknown(session.reader.brief(id, session.signal));
		if (found !== null) run.remember(order, fitting(found, order.input));
		return found;
	}

	private async send(order: Order): Promise<Brief> {
		const { session, run, patience } = this;
		await this.firstLook();
		const earlier = this.earlierBrief(order);
		const wanted = {
			input: order.input,
			whenBriefExists: 'orderAnother',
			keyAfter: () => order.key,
			isOthers: (id: string) => run.isOthers(order, id),
		} as const;
		const outcome = await new BriefOrder(wanted, session).place({
			signal: session.signal,
			noMore: this.noMore.signal,
			deadline: session.clock.now() + patience.minutes * 60_000,
			once: patience.whenBusy === 'stop',
		});
		if ('mayExist' in outcome) throw new Error('Nothing was compared');
		const { brief: created } = outcome;
		if (earlier !== undefined && earlier.id !== created.id)
			this.orderedAgain.set(earlier.id, earlier);
		return created;
	}

	/**
	 * Finds the newest brief of the order's product that another execution has ordered, as far as the last page shows.
	 * With an Order Key somebody has thought of that.
	 */
	private earlierBrief({ ownKey, input }: Order): BriefSummary | undefined {
		const { poller, service } = this.session;
		if (ownKey !== null) return undefined;
		const since = service.now() - LOOKED_BACK_MS;
		return poller.newestPage?.find(
			(brief) =>
				(instantOf(brief.created_at) ?? -Infinity) >= since &&
				isOfProduct(brief, input) &&
				!this.run.hasOrdered(brief.id),
		);
	}

	/**
	 * Shows what is running, and finds a wrong address or key before anything is ordered. If another execution was
	 * quicker, its page counts, because this one may be older. An order that does not wait for a slot is decided by a
	 * look of this moment.
	 */
	private async firstLook(): Promise<void> {
		const { poller, reader, signal } = this.session;
		const isOwn = this.patience.whenBusy === 'stop';
		if (poller.newestPage !== null && !isOwn) return;
		const { data } = await reader.briefs({}, signal);
		if (poller.newestPage === null || isOwn) poller.observePage(data);
	}

	/** Gives the output of an order once its brief is ready, or created if that is enough. Never throws: others go on. */
	private async finish(
		order: Order,
		created: Brief | NodeFailure,
	): Promise<PlacedOrder | NodeFailure> {
		if (created instanceof Error) return created;
		const { context, session, patience } = this;
		const { itemIndex, shape, waitUntilReady } = order;
		try {
			const brief = waitUntilReady ? await this.ended(order, created) : created;
			if (waitUntilReady && brief.status === 'failed')
				return this.failed(briefFailed(brief, order, context));
			return { order, brief, output: await briefOutput(context, brief, shape, itemIndex) };
		} catch (thrown) {
			const wait = { brief: created, minutes: patience.minutes, now: session.service.now() };
			return this.failed(waitFailure(context.getNode(), thrown, wait, itemIndex));
		}
	}

	private async ended(order: Order, brief: Brief): Promise<Brief> {
		const { session, run, context } = this;
		const { clock, service, reader, poller, signal } = session;
		const now = clock.now();
		const since = createdByOurClock(brief, service, clock) ?? now;
		const isItself = (seen: BriefSummary) => !isOfOtherProduct(seen, order.input);
		// At once, because the slot that becomes free would be the next order's.
		const onStatus = (seen: BriefSummary) => {
			if (seen.status === 'failed')
				this.failed(briefFailed({ ...NO_TEXT, ...seen }, order, context));
		};
		onStatus(brief);
		const deadline = now + this.patience.minutes * 60_000;
		const until = { signal, since, deadline, isItself, onStatus };
		const ended = fitting(await waitForBrief(reader, poller, brief, until), order.input);
		run.remember(order, ended);
		return ended;
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
		failure.description = `${failure.description ?? ''}${alreadyCreated(this.run)}`;
		throw failure;
	}
}
