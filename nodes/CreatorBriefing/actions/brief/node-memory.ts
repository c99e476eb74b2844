import type { IExecuteFunctions } from 'n8n-workflow';
import type { Workspace } from '../../../../core/workspace/workspace';
import type { Session } from '../../../shared/session';
import { isTool } from '../../../shared/tool';
import { NodeExecution, type NodeContext } from '../../orders/node-execution';
import { OrderMemory } from '../../orders/order-memory';
import type { ItemRequest } from './item-requests';

/**
 * What is remembered beyond one run of the node:
 *
 *     NodeExecution      one per execution and node: all passes of a loop and all tries of Retry On Fail share it. n8n
 *                        saves what limits money. The rest ends with the process, or with a Wait of more than 65 seconds
 *     OrderMemory        one per Base URL and API key: all executions share it. It ends with the process
 */

interface NodeMemory {
	readonly execution: NodeExecution;
	lastRun: NodeRun | null;
}

/** A run of the node, with all tries of Retry On Fail. Each pass of a loop and each call of a tool is another run. */
export interface NodeRun {
	readonly index: number;
	/** The requests as the first try has read them. */
	readonly requests: readonly ItemRequest[];
	/** The IDs of the briefs that this run has ordered. */
	readonly orderedIds: Set<string>;
}

/** By the context object that n8n keeps for a node while its execution runs. */
const memories = new WeakMap<NodeContext, NodeMemory>();

export function getNodeMemory(context: IExecuteFunctions): NodeMemory {
	const saved: NodeContext = context.getContext('node');
	const known = memories.get(saved);
	if (known !== undefined) return known;
	const execution = new NodeExecution(saved, context.getExecutionId());
	const memory = { execution, lastRun: null };
	memories.set(saved, memory);
	return memory;
}

/**
 * Returns the present run. Its requests are read once: Retry On Fail runs all items again, and an expression with $now
 * would then order another brief. If `readRequests` throws, nothing was sent, and the next try reads them again.
 */
export function getNodeRun(
	context: IExecuteFunctions,
	memory: NodeMemory,
	readRequests: () => ItemRequest[],
): NodeRun {
	// docs/architecture.md, “Runs and loops”
	const index = context.getWorkflowDataProxy(0).$thisRunIndex;
	if (memory.lastRun?.index === index && !isTool(context)) return memory.lastRun;
	memory.lastRun = { index, requests: readRequests(), orderedIds: new Set() };
	return memory.lastRun;
}

/** By workspace, which all executions with the same Base URL and API key share. */
const orderMemories = new WeakMap<Workspace, OrderMemory>();

export function getOrderMemory({ workspace }: Session): OrderMemory {
	const memory = orderMemories.get(workspace) ?? new OrderMemory();
	orderMemories.set(workspace, memory);
	return memory;
}
