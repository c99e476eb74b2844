import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Brief } from '../../../../service/api/resources';
import type { UnbelievedAnswer } from '../../../../service/order/later-orders';
import { isTool } from '../../../shared/tool';
import type { Order } from './orders';

/** What the tries of one run of the node share, because Retry On Fail runs all items again. */
export interface NodeRun {
	readonly runIndex: number;
	/** The order of each item, as the first try has read it: an expression with $now gives something else in the next. */
	readonly orders: Map<number, Order>;
	/** What this run has paid for, or may have paid for: its briefs were not there before. */
	readonly contentsPaid: Set<string>;
	/** The brief of each content that has one, as last seen. No later try orders it again. */
	readonly briefs: Map<string, Brief>;
	/** The answer after which nothing more is ordered in this execution. */
	unbelieved: UnbelievedAnswer | null;
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
	const run = {
		runIndex,
		orders: new Map(),
		contentsPaid: new Set<string>(),
		briefs: new Map(),
		unbelieved: last?.unbelieved ?? null,
	};
	runs.set(memory, run);
	return run;
}
