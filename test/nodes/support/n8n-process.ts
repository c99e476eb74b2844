import type { BriefInput } from '../../../core/api/types';
import type { RequestContext } from '../../../core/workspace/request-context';
import { Workspace } from '../../../core/workspace/workspace';
import type {
	Item,
	ItemPlan,
	ItemResult,
	OrderOptions,
	WhenBriefExists,
} from '../../../nodes/CreatorBriefing/orders/item-types';
import {
	NodeExecution,
	type NodeContext,
} from '../../../nodes/CreatorBriefing/orders/node-execution';
import { ItemOrders } from '../../../nodes/CreatorBriefing/orders/order-items';
import { OrderMemory } from '../../../nodes/CreatorBriefing/orders/order-memory';
import { DAY, HOUR, MINUTE } from '../../support/time';
import type { Oracle } from '../../support/oracle';
import type { VirtualProcess } from '../../support/virtual-process';
import {
	VirtualService,
	type CreatedBrief,
	type ServiceBehavior,
} from '../../support/virtual-service';

/** An item: its product name, or its values. */
type ItemValues = string | BriefInput;

/** The parameters of the node that tests set. */
export interface Parameters extends Partial<OrderOptions> {
	readonly whenBriefExists?: WhenBriefExists;
	readonly timeoutMs?: number;
}

export const UNLESS_FAILED: Parameters = { whenBriefExists: 'useUnlessFailed' };

/** An execution that is being run. */
interface RunningExecution {
	readonly process: VirtualProcess;
	readonly orders: ItemOrders;
	readonly results: Promise<ItemResult[]>;
}

/** What all executions of an n8n process share. */
export class ProcessState {
	readonly workspace = new Workspace();
	readonly memory = new OrderMemory();
}

/**
 * One n8n process, with the service, on the virtual clock.
 *
 *     const n8n = new N8nProcess({ listLagMs: 5 * MINUTE });
 *     const results = await n8n.run(['Mug', 'Pan']);
 *     n8n.restart();
 */
export class N8nProcess {
	state = new ProcessState();

	/** @param service that other programs use as well */
	constructor(
		behavior: Partial<ServiceBehavior> = {},
		oracle?: Oracle,
		readonly service = new VirtualService({ briefMs: MINUTE, ...behavior }, oracle),
	) {}

	/** Runs the node once, for an execution that is new or given. */
	run(
		items: readonly ItemValues[],
		parameters: Parameters = {},
		execution = new NodeExecution(),
	): Promise<ItemResult[]> {
		return this.start(items, parameters, execution).results;
	}

	/** Starts the node, for a test that stops the execution. */
	start(
		items: readonly ItemValues[],
		parameters: Parameters = {},
		execution = new NodeExecution(),
	): RunningExecution {
		const { whenBriefExists = 'use', ...options } = parameters;
		const list = items.map((item) => toItem(item, whenBriefExists));
		return this.startItems(list, options, execution);
	}

	/** Starts the node for items of which each has its own values of all parameters. */
	startItems(
		items: readonly Item[],
		options: Omit<Parameters, 'whenBriefExists'> = {},
		execution = new NodeExecution(),
	): RunningExecution {
		const { process, orders } = this.open(options, execution);
		return { process, orders, results: orderAll(orders, items) };
	}

	/** Decides what would happen to the items, as Check Only does. */
	async decide(
		items: readonly ItemValues[],
		parameters: Parameters = {},
		execution = new NodeExecution(),
	): Promise<Array<ItemPlan>> {
		const { whenBriefExists = 'use', ...options } = parameters;
		const { orders } = this.open(options, execution);
		const list = items.map((item) => toItem(item, whenBriefExists));
		return [...(await orders.decideItems(list)).values()];
	}

	/** Runs an execution that is stopped when it sends its create request. The brief is created unless `isLost`. */
	async stopAtCreate(
		items: readonly ItemValues[],
		parameters: Parameters = {},
		execution = new NodeExecution(),
		isLost = false,
	): Promise<void> {
		this.service.interceptCreates((request) => {
			if (!isLost) this.service.createFromRequest(request);
			stopped.process.interrupt();
			return 'lost';
		});
		const stopped = this.start(items, parameters, execution);
		await expect(stopped.results).rejects.toMatchObject({ name: 'AbortError' });
		this.service.stopIntercepting();
	}

	/** The service creates the briefs of all create requests, and every answer is lost. */
	loseAnswers(): void {
		this.service.interceptCreates((request) => {
			this.service.createFromRequest(request);
			return 'lost';
		});
	}

	/** Kills n8n and starts it again. */
	restart(): void {
		this.state = new ProcessState();
	}

	pass(ms: number): Promise<void> {
		return this.service.clock.pass(ms);
	}

	get created(): readonly CreatedBrief[] {
		return this.service.created;
	}

	/** The number of create requests that the service has received. */
	get createRequests(): number {
		return this.service.count('create_brief');
	}

	/** The key of the last create request. */
	get lastKey(): string {
		const request = this.service.requests.findLast(({ operation }) => operation === 'create_brief');
		return (JSON.parse(request?.body ?? '{}') as { idempotency_key: string }).idempotency_key;
	}

	private open(
		{ timeoutMs = HOUR, ...options }: Omit<Parameters, 'whenBriefExists'>,
		execution: NodeExecution,
	) {
		const deadline = this.service.clock.now() + timeoutMs;
		const { process, context } = this.service.startProcess(deadline);
		const { workspace, memory } = this.state;
		const session = { workspace, context: setN8nLimits(context), deadline };
		const settings = { reuseWithinMs: 90 * DAY, maxBriefs: 25, ...options };
		const orders = new ItemOrders(session, memory, execution, settings);
		return { process, orders };
	}
}

/** Returns an execution as another process loads it after a Wait: n8n saves the context of the node as JSON. */
export function loadExecution(context: NodeContext, executionId = ''): NodeExecution {
	return new NodeExecution(JSON.parse(JSON.stringify(context)) as NodeContext, executionId);
}

/** In n8n, only the timeout of the node limits the wait for the end of an outage. */
function setN8nLimits(context: RequestContext): RequestContext {
	return { ...context, createLimits: { failures: Infinity, rateLimits: Infinity } };
}

function toItem(values: ItemValues, whenBriefExists: WhenBriefExists): Item {
	const input = typeof values === 'string' ? { product_name: values } : values;
	return { input, whenBriefExists };
}

/** Orders all items, as one run of the node does. */
async function orderAll(orders: ItemOrders, items: readonly Item[]): Promise<ItemResult[]> {
	await orders.decideItems(items);
	const results: ItemResult[] = [];
	for (const item of items) results.push(await orders.orderItem(item));
	return results;
}

export function getKinds(results: ReadonlyArray<{ readonly kind: string }>): string[] {
	return results.map(({ kind }) => kind);
}

/** Returns the brief of each item that has one, by its ID. */
export function getBriefIds(results: ReadonlyArray<ItemPlan>): string[] {
	return results.flatMap((result) => (result.kind === 'brief' ? [result.brief.id] : []));
}

/** Returns whether each item's brief already existed; null for an item without a brief. */
export function getExisted(results: ReadonlyArray<ItemPlan>): Array<boolean | null> {
	return results.map((result) => (result.kind === 'brief' ? result.alreadyExisted : null));
}

/** Returns why each item needs an order; the kind of the decision for any other item. */
export function getReasons(decisions: ReadonlyArray<ItemPlan>): string[] {
	return decisions.map((decision) => (decision.kind === 'order' ? decision.reason : decision.kind));
}
