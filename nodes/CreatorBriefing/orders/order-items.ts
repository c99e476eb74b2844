import { ServiceError } from '../../../core/api/errors';
import { toResult } from '../../../core/api/retry';
import { isRunning, type Brief } from '../../../core/api/types';
import { DAY_MS, NO_ANSWER_LIMIT, REUSE_WINDOW_MS } from '../../../core/assumptions';
import { toContentId } from '../../../core/input/content';
import type { CreateResult, SentTimes } from '../../../core/orders/create-brief';
import { getCreateErrorMeaning } from '../../../core/orders/create-errors';
import { fetchOnce, type GetBrief } from '../../../core/orders/existing-briefs';
import type { Allowance } from '../../../core/workspace/allowance';
import type { RequestContext } from '../../../core/workspace/request-context';
import { SlotsBusyError } from '../../../core/workspace/slot-gate';
import { Workspace } from '../../../core/workspace/workspace';
import { PARALLEL_READS, runInParallel } from '../../../core/parallel';
import { couldHaveCreated, decideItem, isUnconfirmed } from './decide-item';
import { OrderMemory, type ItemOrder } from './item-order';
import type {
	BriefResult,
	Decision,
	Item,
	ItemPlan,
	ItemResult,
	OrderOptions,
	Task,
} from './item-types';
import type { NodeExecution } from './node-execution';

/**
 * The Create operation without n8n's types. n8n keeps no journal, so the workspace itself is the record: a brief with
 * the same content is used again, and the same content has the same key in every execution.
 *
 *     item                     workspace                         result
 *     Mug for bakers           no brief with this content        ordered
 *     Mug for bakers, again    brief d031… with this content     brief d031…, already existed
 *     Mug for bakers, again    brief d031… has failed            depends on `whenBriefExists`
 *     Mug for cooks            brief d031… hides its input       undecided: the user has to decide
 *
 * First `decideItems` finds out what each item needs, without ordering anything. Then `orderItem` orders, one item at a
 * time. Every item has a result, also an item that could not be ordered.
 */
export class ItemOrders {
	private readonly getBrief: GetBrief;
	private readonly plans = new Map<string, ItemPlan>();
	/** Why nothing more can be ordered in this pass; null if items can be ordered. */
	private stopError: ServiceError | null = null;

	constructor(
		private readonly state: ProcessState,
		private readonly options: OrderOptions,
		private readonly execution: NodeExecution,
		private readonly context: RequestContext,
	) {
		this.getBrief = fetchOnce((id) => this.readBrief(id));
	}

	/** Decides what happens to each item. Sends only GETs. */
	async decideItems(items: readonly Item[]): Promise<ReadonlyMap<Item, ItemPlan>> {
		const tasks = items.map((item) => toTask(item));
		const unique = [...new Map(tasks.map((task) => [task.orderId, task])).values()];
		const list = await toResult(this.readList(PAGE_SHARED_MS));
		await runInParallel(unique, PARALLEL_READS, async (task) => {
			const earlier = this.execution.findFinalResult(task.orderId);
			const decision = earlier ?? ('error' in list ? this.toError(task, list.error) : null);
			this.plans.set(task.orderId, decision ?? (await this.decideSafely(task)));
		});
		return new Map(items.map((item) => [item, this.getPlan(toTask(item))]));
	}

	/** Orders an item that needs an order, and returns the result of any other item. Call `decideItems` first. */
	async orderItem(item: Item): Promise<ItemResult> {
		const task = toTask(item);
		const plan = this.getPlan(task);
		if (plan.kind !== 'order') return plan;
		if (!this.execution.countOrder(task.orderId, this.options.maxBriefs))
			return { kind: 'limit_reached' };
		const sent = await toResult(this.sendOrder(task, plan.order));
		const result = 'value' in sent ? sent.value : this.toError(task, sent.error);
		if (!isPaid(result)) this.execution.uncountOrder(task.orderId);
		// Items with the same content share the brief.
		this.plans.set(task.orderId, toSharedResult(result));
		return result;
	}

	/** True if an order of the item was sent and got no answer, so that its brief might have been created. */
	isUnconfirmed(item: Item): boolean {
		const order = this.getOrder(toTask(item));
		return order !== null && isUnconfirmed(order);
	}

	/** Returns the briefs of the orders that this execution has sent. */
	listOrderedBriefs(): Brief[] {
		return this.execution.listBriefs();
	}

	/** Returns the ID that items with the same order share. */
	getOrderId(item: Item): string {
		return toTask(item).orderId;
	}

	/** Counts an order that Check Only does not send. Returns false if Max Briefs per Run forbids it. */
	countOrder(item: Item): boolean {
		return this.execution.countOrder(this.getOrderId(item), this.options.maxBriefs);
	}

	/** Returns the brief of a result with the newest status that the list shows, in full if it has finished. */
	async refreshBrief(brief: Brief): Promise<Brief> {
		const listed = this.state.workspace.briefs.get(brief.id);
		if (listed === undefined || !isRunning(brief)) return brief;
		if (isRunning(listed)) return { ...brief, ...listed };
		const full = await toResult(this.readBrief(brief.id));
		return ('value' in full ? full.value : null) ?? brief;
	}

	/** Returns the use of this month's allowance; null if the licence cannot be read. */
	async readAllowance(): Promise<Allowance | null> {
		const { execution, context } = this;
		const { allowance } = this.state.workspace;
		// Without retries, because orders can be sent without it.
		const readLimits = { ...context.readLimits, failures: 1, rateLimits: 1 };
		await execution.readLicenceOnce(() => allowance.read({ ...context, readLimits }));
		return await allowance.computeAllowance(context);
	}

	private getPlan({ orderId }: Task): ItemPlan {
		const plan = this.plans.get(orderId);
		if (plan === undefined) throw new Error('decideItems decides every item first');
		return plan;
	}

	private async decideSafely(task: Task): Promise<ItemPlan> {
		const decision = await toResult(this.decideTask(task));
		return 'value' in decision ? decision.value : this.toError(task, decision.error);
	}

	private async decideTask(task: Task): Promise<Decision> {
		const { options, context, getBrief } = this;
		const { workspace } = this.state;
		const lastOrder = this.getOrder(task);
		const decision = await decideItem(task, {
			reuseWindowMs: options.reuseWindowMs,
			context,
			getBrief,
			list: workspace.briefs,
			lastOrder,
		});
		const isNew = decision.kind === 'brief' && !decision.alreadyExisted;
		return isNew && lastOrder !== null ? this.saveBrief(task, lastOrder, decision) : decision;
	}

	private async sendOrder(task: Task, order: ItemOrder): Promise<ItemResult> {
		await this.throwIfStopped(order);
		const { result, sentOrder } = await this.createBrief(task, order);
		if (result.kind !== 'skipped') return await this.toItemResult(task, sentOrder, result);
		// The list has changed, or another execution has sent the order.
		const decision = await this.decideTask(task);
		return decision.kind === 'order' ? await this.sendOrder(task, decision.order) : decision;
	}

	private async createBrief(
		task: Task,
		order: ItemOrder,
	): Promise<{ result: CreateResult; sentOrder: ItemOrder }> {
		const { workspace, memory } = this.state;
		let sentOrder = order;
		const save = (times: Partial<ItemOrder>) => {
			sentOrder = { ...sentOrder, ...times };
			this.saveOrder(task, sentOrder);
		};
		const options = {
			deadline: this.getSlotDeadline(),
			beforeSend: async () => {
				await this.throwIfStopped(sentOrder);
				// Another execution might have ordered the same content meanwhile.
				const decision = await this.decideTask(task);
				return decision.kind === 'order' && isSameOrder(decision.order, sentOrder)
					? 'send'
					: 'skip';
			},
			recordRequest: ({ firstSentAt, lastSentAt }: SentTimes) =>
				Promise.resolve(save({ firstSentAt, unansweredAt: lastSentAt })),
			recordSlotRefusal: () => Promise.resolve(save({ unansweredAt: null })),
			findOwnerContentId: (briefId: string) => memory.findContentId(briefId),
		} as const;
		const request = { ...order, orderId: task.orderId };
		const result = await workspace.createBrief(request, options, this.limitRetries());
		const hasCreatedNothing = result.kind === 'rejected' || result.kind === 'stopped';
		// An order that only another execution has sent stays as it is.
		if (hasCreatedNothing && sentOrder !== order) save({ unansweredAt: null });
		return { result, sentOrder };
	}

	private getSlotDeadline(): number {
		if (this.options.whenSlotsBusy === 'wait') return this.options.deadline;
		return Math.min(this.options.deadline, this.context.clock.now() + SLOT_CHECK_MS);
	}

	/** The deadline of the node also limits retries, but an order that was sent just before it is sent again for a minute. */
	private limitRetries(): RequestContext {
		const { createLimits } = this.context;
		const deadline = this.options.deadline + NO_ANSWER_LIMIT.ms;
		return { ...this.context, createLimits: { ...createLimits, deadline } };
	}

	private async toItemResult(
		task: Task,
		order: ItemOrder,
		result: Exclude<CreateResult, { kind: 'skipped' }>,
	): Promise<ItemResult> {
		if (result.kind === 'created') {
			const { brief } = result;
			const alreadyExisted = !couldHaveCreated(order, brief);
			return this.saveBrief(task, order, { kind: 'brief', brief, alreadyExisted });
		}
		const { kind, error } = result;
		const failure = this.toError(task, error);
		if (kind === 'stopped' || (kind === 'unconfirmed' && result.cause === 'outage'))
			this.stopError = error;
		const listed = kind === 'stopped' ? null : await this.findListedBrief(task);
		if (kind === 'rejected' && listed === null) this.execution.saveResult(task.orderId, failure);
		return listed ?? failure;
	}

	/** The list might show the brief of an order without a usable answer, or a brief that another process has ordered. */
	private async findListedBrief(task: Task): Promise<ItemResult | null> {
		const decision = await toResult(this.readList(0).then(() => this.decideTask(task)));
		return 'value' in decision && decision.value.kind === 'brief' ? decision.value : null;
	}

	/** Records the brief of an order, for all passes and executions. */
	private saveBrief(task: Task, order: ItemOrder, result: BriefResult): BriefResult {
		this.state.memory.addBrief(result.brief, order);
		this.saveOrder(task, { ...order, briefId: result.brief.id });
		this.execution.saveResult(task.orderId, toSharedResult(result));
		return result;
	}

	private saveOrder({ orderId }: Task, order: ItemOrder): void {
		const { memory, workspace } = this.state;
		const { key, unansweredAt, briefId } = order;
		if (unansweredAt === null || briefId !== null) workspace.allowance.recordAnswer(key);
		else workspace.allowance.recordRequest(key, unansweredAt);
		memory.saveOrder(orderId, order);
	}

	private getOrder({ orderId }: Task): ItemOrder | null {
		return this.state.memory.getOrder(orderId);
	}

	/** @throws {ServiceError} if the order cannot be sent now */
	private async throwIfStopped(order: ItemOrder): Promise<void> {
		const { clock } = this.context;
		const error = this.stopError ?? this.execution.findRefusal(clock.now());
		if (error !== null) throw error;
		if (clock.now() >= this.options.deadline) throw new SlotsBusyError([]);
		// The brief of an unconfirmed order might have used up the allowance itself.
		if (!isUnconfirmed(order) && (await this.readAllowance())?.remaining === 0)
			throw new ServiceError({ kind: 'allowance_used_up', operation: 'create_brief' });
	}

	private toError(task: Task, error: ServiceError): ItemResult {
		const { scope } = getCreateErrorMeaning(error);
		if (scope === 'service' || scope === 'permission')
			this.execution.saveRefusal(error, error.retryAt ?? Infinity);
		const order = this.getOrder(task);
		const mightExist = order !== null && isUnconfirmed(order);
		return error instanceof SlotsBusyError && !mightExist
			? { kind: 'timeout', runningIds: error.runningIds }
			: { kind: 'error', error, isUnconfirmed: mightExist };
	}

	private async readBrief(id: string): Promise<Brief | null> {
		const { workspace, memory } = this.state;
		return memory.restoreOrderedInput(id, await workspace.readBrief(id, this.context));
	}

	/** @param maxAgeMs how old a page that another caller has read can be */
	private async readList(maxAgeMs: number): Promise<void> {
		const { workspace, memory } = this.state;
		const since = this.context.client.now() - REUSE_WINDOW_MS;
		// Keep a day more, because another execution might have started earlier.
		workspace.briefs.forgetBefore(since - DAY_MS);
		memory.forgetBefore(since - DAY_MS);
		await workspace.briefs.readNewestPage(this.context, maxAgeMs);
		await workspace.briefs.readSince(since, this.context);
	}
}

/** What all executions of one n8n process share, for one Base URL and API key. */
export class ProcessState {
	readonly memory = new OrderMemory();

	constructor(readonly workspace = new Workspace()) {}
}

function toTask({ input, whenBriefExists }: Item): Task {
	return { input, whenBriefExists, orderId: toContentId(input) };
}

/** True if an order has paid for a brief, or might have. */
function isPaid(result: ItemResult): boolean {
	if (result.kind === 'brief') return !result.alreadyExisted;
	return result.kind === 'error' && result.isUnconfirmed;
}

/** Returns the result of the next item with the same order: the brief exists already. */
function toSharedResult(result: ItemResult): ItemResult {
	return result.kind === 'brief' ? { ...result, alreadyExisted: true } : result;
}

/** True if no other execution has sent the order meanwhile. */
function isSameOrder(a: ItemOrder, b: ItemOrder): boolean {
	return a.key === b.key && a.unansweredAt === b.unansweredAt;
}

/** Executions that start together share a page. */
const PAGE_SHARED_MS = 15_000;

/** With `stop`, an order still waits this long for another execution's answer. */
const SLOT_CHECK_MS = 30_000;
