import { ServiceError } from '../../../core/api/errors';
import { toResult, type Result } from '../../../core/api/retry';
import { isRunning, type Brief, type NamedBrief } from '../../../core/api/types';
import { DAY_MS, NO_ANSWER_LIMIT, REUSE_WINDOW_MS } from '../../../core/assumptions';
import { monthStart, nextMonthStart } from '../../../core/dates';
import { getCreateErrorMeaning } from '../../../core/orders/create-errors';
import type { Facts } from '../../../core/orders/facts';
import { isUnconfirmed, type OrderToSend } from '../../../core/orders/order';
import { sendOrder, type StopCause, type UnconfirmedCause } from '../../../core/orders/send-order';
import { PARALLEL_READS, runInParallel } from '../../../core/parallel';
import type { Allowance } from '../../../core/workspace/allowance';
import type { ListSnapshot } from '../../../core/workspace/brief-list';
import type { RequestContext } from '../../../core/workspace/request-context';
import type { Workspace } from '../../../core/workspace/workspace';
import type { Session } from '../../shared/session';
import { ExecutionLog } from './execution-log';
import { ItemPlanner, toItemContent, type ItemContent } from './item-planner';
import type { Item, ItemPlan, ItemResult, OrderOptions } from './item-types';
import type { NodeExecution } from './node-execution';
import type { OrderMemory } from './order-memory';

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
 * time. Every item has a result, also an item that could not be ordered. Core decides what is sent (`decideOrder`,
 * `sendOrder`); this class says when the execution sends nothing more.
 */
export class ItemOrders {
	private readonly workspace: Workspace;
	private readonly context: RequestContext;
	private readonly log: ExecutionLog;
	private readonly planner: ItemPlanner;
	private readonly plans = new Map<Item, ItemPlan>();
	/** Why nothing more can be ordered in this pass; null if items can be ordered. */
	private stopCause: StopReason | null = null;

	constructor(
		private readonly session: Session,
		private readonly memory: OrderMemory,
		private readonly execution: NodeExecution,
		private readonly options: OrderOptions,
	) {
		const { workspace, context } = session;
		const { reuseWithinMs } = options;
		const log = new ExecutionLog(memory, execution, workspace.briefs);
		this.workspace = workspace;
		this.context = context;
		this.log = log;
		this.planner = new ItemPlanner({ workspace, log, execution, context, reuseWithinMs });
	}

	/** Decides what happens to each item. Sends only GETs. */
	async decideItems(items: readonly Item[]): Promise<ReadonlyMap<Item, ItemPlan>> {
		const list = await toResult(this.readNewestList(PAGE_SHARED_MS));
		const facts =
			'value' in list ? await this.planner.readFacts(items.map(toItemContent), list.value) : null;
		await runInParallel(items, PARALLEL_READS, async (item) => {
			this.plans.set(item, await this.planItem(toItemContent(item), list, facts));
		});
		return this.plans;
	}

	/** Orders an item that needs an order, and returns the result of any other item. Call `decideItems` first. */
	async orderItem(item: Item): Promise<ItemResult> {
		const result = await this.sendUntilDecided(item);
		if (result.kind === 'brief') this.execution.delivered.add(result.brief.id);
		return result;
	}

	/** True if this execution has sent an order of the item without an answer, so that its brief might have been created. */
	isUnconfirmed(item: Item): boolean {
		return this.log.hasOpenOrder(toItemContent(item).contentId);
	}

	/** Returns the briefs that this execution has paid for. The name of a brief that is not listed is empty. */
	listOrderedBriefs(): NamedBrief[] {
		const { briefs } = this.workspace;
		return this.execution.listPaidIds().map((id) => briefs.get(id) ?? { id, product_name: '' });
	}

	/** Counts an order that Check Only does not send, and returns what a run would do with it. */
	reserveForCheck(order: OrderToSend, allowance: Allowance | null): CheckedAction {
		const { execution, options } = this;
		if (!execution.reserveOrder(order.key, options.maxBriefs)) return 'limit_reached';
		const isCovered = execution.countReserved() <= (allowance?.remaining ?? Infinity);
		// The brief of an order that was sent might be paid for already.
		if (isCovered || isUnconfirmed(order)) return 'order';
		execution.releaseOrder(order.key);
		return 'allowance_used_up';
	}

	/** Returns the brief of a result with the newest status that the list shows, in full if it has finished. */
	async refreshBrief(brief: Brief): Promise<Brief> {
		const { workspace } = this;
		const listed = workspace.briefs.get(brief.id);
		if (listed === undefined || !isRunning(brief)) return brief;
		if (isRunning(listed)) return { ...brief, ...listed };
		const full = await toResult(workspace.readBrief(brief.id, this.context));
		return ('value' in full ? full.value : null) ?? brief;
	}

	/** Reads the licence once per execution and month, and returns the use of the month; null if it is unknown. */
	async readAllowance(): Promise<Allowance | null> {
		const month = monthStart(this.context.client.now());
		if (this.execution.licence.month !== month) {
			const read = await toResult(this.workspace.allowance.read(this.context));
			this.execution.licence = { month, isKnown: 'value' in read };
		}
		return this.getAllowance();
	}

	/** Returns when the licence that was read renews or ends; null if it is unknown. */
	getLicenceEnd(): number | null {
		return this.workspace.allowance.getLicenceEnd();
	}

	/** Returns the use of the month; null if this execution has not read the licence, or could not. */
	getAllowance(): Allowance | null {
		if (!this.execution.licence.isKnown) return null;
		return this.workspace.allowance.getAllowance(this.context.client.now());
	}

	private async sendUntilDecided(item: Item): Promise<ItemResult> {
		const content = toItemContent(item);
		const planned = this.plans.get(item);
		if (planned === undefined) throw new Error('decideItems decides every item first');
		if (planned.kind !== 'order') return planned;
		for (;;) {
			// Other items and executions might have ordered the content since the plan.
			const plan = await this.planItem(content, await toResult(this.readList()));
			if (plan.kind !== 'order') return plan;
			const result = await this.sendWithinLimits(content, plan.order);
			if (result !== 'decide_again') return result;
		}
	}

	/** Errors that a GET ends with are a result of the item. */
	private async planItem(
		content: ItemContent,
		list: Result<ListSnapshot>,
		facts: Facts | null = null,
	): Promise<ItemPlan> {
		const plan =
			'value' in list ? await toResult(this.planner.planItem(content, list.value, facts)) : list;
		if ('value' in plan) return plan.value;
		const cause = { kind: 'error', error: plan.error } as const;
		this.recordRefusal(plan.error);
		return this.log.hasOpenOrder(content.contentId) ? { kind: 'unconfirmed', cause } : cause;
	}

	private async sendWithinLimits(
		content: ItemContent,
		order: OrderToSend,
	): Promise<ItemResult | 'decide_again'> {
		const { execution, options, context, session } = this;
		if (!execution.reserveOrder(order.key, options.maxBriefs)) return { kind: 'limit_reached' };
		try {
			const isOver = context.clock.now() >= session.deadline;
			const cause = this.findStop(order) ?? (isOver ? DEADLINE : null);
			if (cause !== null) return this.toOpenResult(order, cause);
			await this.readAllowance();
			return await this.send(content, order);
		} finally {
			execution.releaseOrder(order.key);
		}
	}

	private async send(
		content: ItemContent,
		order: OrderToSend,
	): Promise<ItemResult | 'decide_again'> {
		const { log, planner, execution, workspace } = this;
		const { deadline } = this.session;
		const policy = planner.getPolicy(content);
		const isStopped = () => this.findStop(order) !== null || this.isTooLate(order);
		const result = await sendOrder(
			{ order, policy, log, owners: log, deadline, isStopped },
			{ workspace, details: planner.details, requests: this.limitRetries() },
		);
		switch (result.kind) {
			case 'decided':
				return 'decide_again';
			case 'created': {
				const { brief } = result;
				execution.answers.set(brief.id, brief);
				return { kind: 'brief', brief, alreadyExisted: !execution.isNew(brief.id) };
			}
			case 'rejected':
				return (await this.findListedBrief(content)) ?? { kind: 'error', error: result.error };
			case 'stopped':
			case 'unconfirmed': {
				this.recordStop(result.cause);
				const found = result.kind === 'unconfirmed' ? await this.findListedBrief(content) : null;
				return found ?? this.toOpenResult(order, result.cause);
			}
		}
	}

	/**
	 * Returns the result of an item that got no brief. It is unconfirmed only if this execution has sent its order: an order
	 * without an answer can also be an earlier execution's.
	 */
	private toOpenResult(order: OrderToSend, cause: UnconfirmedCause): ItemResult {
		const isSent = this.execution.getOrder(order.key)?.result.kind === 'unconfirmed';
		if (isSent || !isStop(cause)) return { kind: 'unconfirmed', cause };
		const reason = cause.kind === 'stopped_by_caller' ? this.findStop(order) : cause;
		if (reason !== null && reason.kind !== 'deadline') return reason;
		return { kind: 'timeout', runningIds: reason?.runningIds ?? [] };
	}

	/** Records that other orders cannot be sent, either. */
	private recordStop(cause: UnconfirmedCause): void {
		if (cause.kind === 'deadline' || cause.kind === 'allowance_used_up') this.stopCause = cause;
		if (cause.kind !== 'error') return;
		this.recordRefusal(cause.error);
		this.stopCause = { kind: 'error', error: toErrorOfOthers(cause.error) };
	}

	/** The deadline can pass while the list is read. */
	private isTooLate(order: OrderToSend): boolean {
		const isSent = this.execution.getOrder(order.key)?.result.kind === 'unconfirmed';
		return !isSent && this.context.clock.now() >= this.session.deadline;
	}

	/** The list might show the brief of an order without a usable answer, or a brief that another process has ordered. */
	private async findListedBrief(content: ItemContent): Promise<ItemResult | null> {
		const plan = await this.planItem(content, await toResult(this.readNewestList(0)));
		return plan.kind === 'brief' ? plan : null;
	}

	/** Returns why the execution orders nothing more. The brief of an unconfirmed order might be paid for already. */
	private findStop(order: OrderToSend): StopReason | null {
		const { clock, client } = this.context;
		const error = this.execution.findRefusal(clock.now());
		const isRefused = this.execution.isAllowanceRefused(client.now());
		const cause =
			this.stopCause ??
			(error === null ? null : { kind: 'error', error }) ??
			(isRefused ? { kind: 'allowance_used_up' } : null);
		const isPaidFor = cause?.kind === 'allowance_used_up' && isUnconfirmed(order);
		return isPaidFor ? null : cause;
	}

	/** Records that the service would refuse other requests, too. */
	private recordRefusal(error: ServiceError): void {
		const { clock, client } = this.context;
		const { scope } = getCreateErrorMeaning(error);
		if (error.kind === 'allowance_used_up') {
			const wait = (error.retryAt ?? Infinity) - clock.now();
			const monthEnd = nextMonthStart(client.now());
			this.execution.saveAllowanceRefusal(Math.min(client.now() + wait, monthEnd));
		} else if (scope === 'service' || scope === 'permission')
			this.execution.saveRefusal(error, error.retryAt ?? Infinity);
	}

	/** The deadline of the node also limits retries, but an order that was sent just before it is sent again for a minute. */
	private limitRetries(): RequestContext {
		const { createLimits } = this.context;
		const deadline = this.session.deadline + NO_ANSWER_LIMIT.ms;
		return { ...this.context, createLimits: { ...createLimits, deadline } };
	}

	/** @param maxAgeMs how old a page that another caller has read can be */
	private async readNewestList(maxAgeMs: number): Promise<ListSnapshot> {
		const { workspace, memory } = this;
		// Keep a day more, because another execution might have started earlier.
		const oldest = this.context.client.now() - REUSE_WINDOW_MS - DAY_MS;
		workspace.briefs.forgetBefore(oldest);
		memory.forgetBefore(oldest);
		await workspace.briefs.readNewestPage(this.context, maxAgeMs);
		return await this.readList();
	}

	private async readList(): Promise<ListSnapshot> {
		const { briefs } = this.workspace;
		return await briefs.readSince(this.context.client.now() - REUSE_WINDOW_MS, this.context);
	}
}

type CheckedAction = 'order' | 'limit_reached' | 'allowance_used_up';

/** Why no other order can be sent. `stopped_by_caller` means one of these reasons. */
type StopReason = Exclude<StopCause, { readonly kind: 'stopped_by_caller' }>;

const DEADLINE: StopReason = { kind: 'deadline', runningIds: [] };

/** False if a request of this turn got no usable answer. */
function isStop(cause: UnconfirmedCause): cause is StopCause {
	return !['no_answer', 'refused', 'other_brief'].includes(cause.kind);
}

/** A create request without an answer says for other orders only that the service cannot be reached. */
function toErrorOfOthers(error: ServiceError): ServiceError {
	if (error.kind !== 'unconfirmed') return error;
	const { operation, source, message, status, code, requestId, proxy } = error;
	const facts = { operation, source, message, status, code, requestId, proxy };
	return new ServiceError({ ...facts, kind: 'service_unavailable' });
}

/** Executions that start together share a page. */
const PAGE_SHARED_MS = 15_000;
