import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Brief, Licence } from '../../../../service/api/resources';
import type { UnbelievedAnswer } from '../../../../service/order/later-orders';
import type { ErrorText } from '../../../shared/node-errors';
import { isTool } from '../../../shared/tool';
import type { ItemOrder } from './orders';

/** What an execution has learned: it holds for all passes of a loop, all tries, and all calls of a tool. */
interface NodeExecution {
	/** What each run of the node has paid for. */
	readonly contentsPaid: Array<ReadonlySet<string>>;
	/** The number of orders that may still be paid for: an agent calls a tool several times at once. */
	ordersOnTheWay: number;
	/** The answer after which nothing more is ordered. */
	unbelieved: UnbelievedAnswer | null;
	/** The service has said that the month's allowance is used up. */
	monthUsedUp: { reason: ErrorText; until: number } | null;
	/** Null if it cannot be read, undefined as long as nobody has asked. */
	licence: Licence | null | undefined;
}

/** What the tries of one run of the node share, because Retry On Fail runs all items again. */
export interface NodeRun {
	readonly runIndex: number;
	readonly execution: NodeExecution;
	/** The order of each item, as the first try has read it: an expression with $now gives something else in the next. */
	readonly orders: Map<number, ItemOrder>;
	/** What this run has paid for, or may have paid for: its briefs were not there before. */
	readonly contentsPaid: Set<string>;
	/** The brief of each content that has one, as last seen. No later try orders it again. */
	readonly briefs: Map<string, Brief>;
}

/** By the memory that n8n keeps for a node as long as its execution lasts. */
const runs = new WeakMap<IDataObject, NodeRun>();

/** Finds the run of the node that this try belongs to. Each call of a tool is by itself. */
export function nodeRun(context: IExecuteFunctions): NodeRun {
	const memory = context.getContext('node');
	// Each pass of a loop has its own (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”).
	const runIndex = context.getWorkflowDataProxy(0).$thisRunIndex;
	const last = runs.get(memory);
	if (last?.runIndex === runIndex && !isTool(context)) return last;
	const run: NodeRun = {
		runIndex,
		execution: last?.execution ?? newExecution(),
		orders: new Map(),
		contentsPaid: new Set(),
		briefs: new Map(),
	};
	run.execution.contentsPaid.push(run.contentsPaid);
	runs.set(memory, run);
	return run;
}

function newExecution(): NodeExecution {
	return {
		contentsPaid: [],
		ordersOnTheWay: 0,
		unbelieved: null,
		monthUsedUp: null,
		licence: undefined,
	};
}

/** Counts the briefs that all runs of the node in this execution have paid for, or may pay for. */
export function briefsPaid({ contentsPaid, ordersOnTheWay }: NodeExecution): number {
	return contentsPaid.reduce((sum, contents) => sum + contents.size, ordersOnTheWay);
}
