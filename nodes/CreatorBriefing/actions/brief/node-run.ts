import type { IExecuteFunctions } from 'n8n-workflow';
import type { Brief, BriefSummary } from '../../../../service/resources';
import { isTool } from '../../../shared/tool';
import type { Order } from './order';

/** What the tries of one run of the node have in common, where Retry On Fail runs all items anew. */
export interface NodeRun {
	readonly runIndex: number;
	/** What each item orders, as the first try has read it: an expression with $now gives something else in the next. */
	readonly orders: Map<number, Order>;
	/** The brief of each order that has one, as last seen, by the order's key. No later try orders it anew. */
	readonly briefs: Map<string, BriefSummary | Brief>;
}

/** By the object that n8n keeps for a node as long as its execution lasts. */
const runs = new WeakMap<object, NodeRun>();

/** The run of the node that this try belongs to. Each call of a tool is by itself. */
export function nodeRun(context: IExecuteFunctions): NodeRun {
	const runIndex = runIndexOf(context, 0);
	const newRun: NodeRun = { runIndex, orders: new Map(), briefs: new Map() };
	if (isTool(context)) return newRun;
	const kept = context.getContext('node');
	const known = runs.get(kept);
	if (known?.runIndex === runIndex) return known;
	runs.set(kept, newRun);
	return newRun;
}

/** Each pass of a loop has one of its own (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”). */
export function runIndexOf(context: IExecuteFunctions, itemIndex: number): number {
	return context.getWorkflowDataProxy(itemIndex).$thisRunIndex;
}
