import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Brief, BriefSummary } from '../../../../service/resources';
import { UnbelievedAnswers } from '../../../../service/order/unbelieved';
import { isTool } from '../../../shared/tool';
import type { Order } from './orders';

/** What the tries of one run of the node have in common, where Retry On Fail runs all items anew. */
export interface NodeRun {
	readonly runIndex: number;
	/** The execution whose orders these are; null in a Retry that cannot know what was ordered before it. */
	readonly execution: string | null;
	/** The IDs of the briefs that this execution has, and those that it repeats, by the order's mark. */
	readonly briefIds: Record<string, string>;
	/** What each item orders, as the first try has read it: an expression with $now gives something else in the next. */
	readonly orders: Map<number, Order>;
	/** The brief of each order that has one, as last seen, by the order's key. No later try orders it anew. */
	readonly briefs: Map<string, BriefSummary | Brief>;
	/** Of all runs of the node in this execution. */
	readonly unbelieved: UnbelievedAnswers;
}

/** Manual runs are all one execution: who builds a workflow executes its steps again and again. */
export const MANUAL = 'manual';

/**
 * What n8n keeps for a node as long as its execution lasts, saves with that, and gives to a Retry of it
 * (docs/n8n-behaviour.md, “A Retry has the memory of the nodes”).
 */
interface Kept {
	execution?: string;
	briefIds?: Record<string, string>;
}

const runs = new WeakMap<Kept, NodeRun>();

/** The run of the node that this try belongs to. Each call of a tool is by itself. */
export function nodeRun(context: IExecuteFunctions): NodeRun {
	const kept: Kept = context.getContext('node');
	const runIndex = runIndexOf(context, 0);
	const known = runs.get(kept);
	if (known?.runIndex === runIndex && !isTool(context)) return known;
	const execution = executionOf(context, kept);
	const briefIds = (kept.briefIds ??= {});
	const { unbelieved = new UnbelievedAnswers() } = known ?? {};
	const run = { runIndex, execution, briefIds, orders: new Map(), briefs: new Map(), unbelieved };
	runs.set(kept, run);
	return run;
}

function executionOf(context: IExecuteFunctions, kept: Kept): string | null {
	// Outside of an execution nothing is run anew, so any name will do.
	const id = (context.getExecutionId() as string | undefined) ?? randomUUID();
	const mode = context.getMode();
	if (mode === 'manual') kept.execution = MANUAL;
	else if (mode !== 'retry' || hasMemory(context)) kept.execution ??= id;
	return kept.execution ?? null;
}

/**
 * Whether a Retry has the memory of the execution that it repeats. Of one that was killed n8n has the rows alone, and
 * the Retry counts as the start. Older versions do not say.
 */
function hasMemory(context: IExecuteFunctions): boolean {
	const newer: Partial<Pick<IExecuteFunctions, 'getExecutionContext'>> = context;
	const start = newer.getExecutionContext?.()?.source;
	return start !== undefined && start !== 'retry';
}

/** Each pass of a loop has one of its own (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”). */
export function runIndexOf(context: IExecuteFunctions, itemIndex: number): number {
	return context.getWorkflowDataProxy(itemIndex).$thisRunIndex;
}
