import { toResult } from '../../../core/api/retry';
import { isRunning, type Brief, type BriefSummary } from '../../../core/api/types';
import { toContentId } from '../../../core/input/content';
import {
	decideOrder,
	type Decision,
	type OrderRequest,
	type Policy,
} from '../../../core/orders/decide-order';
import { readFacts, type Facts, type FactSources } from '../../../core/orders/facts';
import { findContentBriefs } from '../../../core/orders/find-brief';
import {
	isUnconfirmed,
	type Content,
	type UnconfirmedOrder,
	type OrderToSend,
} from '../../../core/orders/order';
import { BriefDetails } from '../../../core/workspace/brief-details';
import type { ListSnapshot } from '../../../core/workspace/brief-list';
import { isOlderThan } from '../../../core/workspace/brief-time';
import type { RequestContext } from '../../../core/workspace/request-context';
import type { Workspace } from '../../../core/workspace/workspace';
import { NO_TEXT } from '../../shared/simplify';
import type { ExecutionLog } from './execution-log';
import type { Item, ItemPlan, OrderReason } from './item-types';
import type { NodeExecution } from './node-execution';

/** An item in the words of core. */
export interface ItemContent extends Content {
	readonly wish: 'use' | 'retry_failed';
}

export function toItemContent({ input, whenBriefExists }: Item): ItemContent {
	const wish = whenBriefExists === 'use' ? 'use' : 'retry_failed';
	return { input, contentId: toContentId(input), wish };
}

/** What a planner knows, and what it asks. */
interface PlannerScope {
	readonly workspace: Workspace;
	readonly log: ExecutionLog;
	readonly execution: NodeExecution;
	readonly context: RequestContext;
	readonly reuseWithinMs: number;
}

/**
 * Finds out what each item needs: `decideOrder` decides it, from the brief list and from the orders that this process
 * and this execution have sent. Sends only GETs, and changes nothing but what is known about these orders.
 */
export class ItemPlanner {
	readonly details: BriefDetails;
	private readonly log: ExecutionLog;

	constructor(private readonly scope: PlannerScope) {
		const { workspace, context, log } = scope;
		this.log = log;
		this.details = new BriefDetails((id) => workspace.readBrief(id, context));
	}

	/**
	 * Fetches the briefs of all items, so that the briefs of a product are compared once for all of them. Returns null if a
	 * brief cannot be fetched: then only its items fail.
	 */
	async readFacts(contents: readonly ItemContent[], list: ListSnapshot): Promise<Facts | null> {
		const facts = await toResult(readFacts(contents, this.getSources(list)));
		return 'value' in facts ? facts.value : null;
	}

	/** @throws {ServiceError} if a brief cannot be fetched */
	async planItem(
		content: ItemContent,
		list: ListSnapshot,
		known: Facts | null = null,
	): Promise<ItemPlan> {
		this.log.updateOrders(content.contentId);
		const unreadable = await this.findUnreadableResult(content, list);
		if (unreadable !== null) return unreadable;
		const facts = known ?? (await readFacts([content], this.getSources(list)));
		return await this.toPlan(this.decideContent(content, facts), content, facts);
	}

	getPolicy({ contentId, wish }: ItemContent): Policy {
		return {
			wish,
			seen: new Set(),
			canResend: true,
			reuseWithinMs: this.scope.reuseWithinMs,
			resultsOfExecution: this.log.listResults(contentId),
		};
	}

	private getSources(list: ListSnapshot): FactSources {
		const { log, details } = this;
		const { workspace, context } = this.scope;
		return { list, owners: log, details, display: workspace.display, now: context.client.now() };
	}

	/** A result that cannot be read is the item's error, never a new order. */
	private async findUnreadableResult(
		{ contentId }: ItemContent,
		list: ListSnapshot,
	): Promise<ItemPlan | null> {
		const { briefs } = this.scope.workspace;
		for (const briefId of this.log.listResults(contentId)) {
			const isKnown = () => (list.find(briefId) ?? briefs.get(briefId)) !== undefined;
			const read = isKnown() ? null : await toResult(this.details.fetch([briefId]));
			if (!isKnown()) {
				const error = read !== null && 'error' in read ? read.error : null;
				return { kind: 'unreadable_result', briefId, error };
			}
		}
		return null;
	}

	private decideContent(content: ItemContent, facts: Facts): Decision {
		const policy = this.getPolicy(content);
		const hasResult = policy.resultsOfExecution.size > 0;
		const open = hasResult ? null : this.log.findOpenOrder(content, facts);
		const request = { ...content, policy, order: null };
		const order = open !== null && canTakeOver(open, request, facts) ? open : null;
		const decision = decideOrder({ ...request, order }, facts);
		// From here on, the brief is a result of this execution, or a brief that exists.
		const isSettled =
			order !== null && decision.kind === 'use' && this.log.saveFound(order, decision);
		return isSettled ? this.decideContent(content, facts) : decision;
	}

	/** @throws {ServiceError} if the brief of the item cannot be fetched */
	private async toPlan(decision: Decision, content: ItemContent, facts: Facts): Promise<ItemPlan> {
		switch (decision.kind) {
			case 'use': {
				const alreadyExisted = !this.scope.execution.isNew(decision.brief.id);
				return { kind: 'brief', brief: await this.fetchBrief(decision.brief), alreadyExisted };
			}
			case 'send':
				return this.planOrder(decision.order, content, facts);
			case 'wait':
				return { kind: 'unconfirmed', cause: null };
			case 'ask':
				return { kind: 'undecided', briefIds: decision.briefIds };
			case 'failed':
				return { kind: 'failed_repeatedly', briefIds: listFailedIds(content, facts) };
			case 'keep':
			case 'drop':
				throw new Error(`No order of an item is decided with ${decision.kind}`);
		}
	}

	private planOrder(order: OrderToSend, content: ItemContent, facts: Facts): ItemPlan {
		// Another item has sent this content in another spelling, and this process cannot rebuild its order.
		if (!isUnconfirmed(order) && this.log.hasOpenOrder(content.contentId))
			return { kind: 'unconfirmed', cause: null };
		const error = this.scope.execution.rejections.get(order.key);
		if (error !== undefined) return { kind: 'error', error };
		return { kind: 'order', order, reason: this.findReason(order, content, facts) };
	}

	private findReason(order: OrderToSend, content: ItemContent, facts: Facts): OrderReason {
		if (isUnconfirmed(order)) return 'resend';
		const { supersedes } = order;
		const product = facts.findProduct(content.input).all;
		if (supersedes.kind !== 'brief') return product.length > 0 ? 'other_values' : 'new';
		const brief = findContentBriefs(content, facts).find(({ id }) => id === supersedes.id);
		const isOutdated =
			brief !== undefined && isOlderThan(brief, this.scope.reuseWithinMs, facts.now);
		return isOutdated ? 'outdated' : 'failed';
	}

	/** Returns the full brief, without a request if the answer to a create request is still up to date. */
	private async fetchBrief(listed: BriefSummary): Promise<Brief> {
		const answer = this.scope.execution.answers.get(listed.id);
		if (answer !== undefined && isRunning(listed)) return { ...answer, ...listed };
		await this.details.fetch([listed.id]);
		// The workspace shows the brief, so a GET that does not know it lags behind.
		return this.details.get(listed.id) ?? { ...NO_TEXT, ...listed };
	}
}

/** An item takes over an order only if it could not use the brief that the order supersedes. */
function canTakeOver(
	{ supersedes }: UnconfirmedOrder,
	request: OrderRequest,
	facts: Facts,
): boolean {
	if (supersedes.kind !== 'brief') return true;
	const decision = decideOrder(request, facts);
	return decision.kind !== 'use' || decision.brief.id !== supersedes.id;
}

function listFailedIds(content: ItemContent, facts: Facts): string[] {
	const failed = findContentBriefs(content, facts).filter(({ status }) => status === 'failed');
	return failed.map(({ id }) => id);
}
