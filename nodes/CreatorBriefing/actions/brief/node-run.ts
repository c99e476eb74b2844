import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Brief, BriefInput } from '../../../../service/api/resources';
import { UnbelievedAnswers } from '../../../../service/order/later-orders';
import type { BriefShape } from '../../../shared/brief-output';
import { clock } from '../../../shared/clock';
import { isTool } from '../../../shared/tool';

/** The key by which an order that is sent again is the same order. */
export interface OrderKey {
	/** As it is sent: a UUID. */
	key: string;
	/** The text of the field Order Key; null if that is empty. */
	ownKey: string | null;
	/** The memory of the order in manual runs. */
	manual?: ManualOrder;
}

/** One order of manual runs, which several of them may place. */
export interface ManualOrder {
	readonly key: string;
	/** The time of the order, or of its last try. */
	at: number;
	briefId?: string;
}

/** One brief to be created for an item, checked and with its key. Several items may share key and input. */
export interface Order extends OrderKey {
	itemIndex: number;
	input: BriefInput;
	/** The name by which it is remembered, of key and content: a key of one's own may serve another order later. */
	mark: string;
	waitUntilReady: boolean;
	shape: BriefShape;
}

/** All manual runs are one execution: people who build a workflow execute its steps again and again. */
export const MANUAL = 'manual';

/**
 * The memory that n8n keeps for a node as long as its execution lasts, saves with that, and gives to a Retry of it
 * (docs/n8n-behaviour.md, “A Retry has the memory of the nodes”).
 */
interface Kept {
	execution?: string;
	/** The IDs of the briefs that this execution has, and those that it repeats, by the order's mark. */
	briefIds?: Record<string, string>;
}

/**
 * The memory that the tries of one run of the node share, because Retry On Fail runs all items again, and that of the
 * earlier runs in the same execution.
 */
export class NodeRun {
	readonly startedAt = clock.now();
	/** The order of each item, as the first try has read it: an expression with $now gives something else in the next. */
	readonly orders = new Map<number, Order>();
	/** The brief of each order that has one, as last seen. No later try orders it again. */
	private readonly briefs = new Map<string, Brief>();

	/**
	 * @param execution whose orders these are; null in a Retry that cannot know what was ordered before it
	 * @param unbelieved of all runs of the node in this execution
	 */
	constructor(
		readonly runIndex: number,
		readonly execution: string | null,
		private readonly kept: Kept,
		readonly unbelieved: UnbelievedAnswers,
	) {}

	briefOf({ mark }: Order): Brief | undefined {
		return this.briefs.get(mark);
	}

	/** Gives the brief that an earlier execution, or pass of a loop, has ordered. */
	earlierId({ mark, manual }: Order): string | undefined {
		return manual?.briefId ?? this.kept.briefIds?.[mark];
	}

	remember({ mark, manual }: Order, brief: Brief): void {
		this.briefs.set(mark, brief);
		this.kept.briefIds = { ...this.kept.briefIds, [mark]: brief.id };
		if (manual === undefined || manual.briefId === brief.id) return;
		manual.briefId = brief.id;
		manual.at = clock.now();
	}

	/** Checks whether another order of this execution has this brief. */
	isOthers({ mark }: Order, id: string): boolean {
		return Object.entries(this.kept.briefIds ?? {}).some(
			([other, its]) => other !== mark && its === id,
		);
	}

	hasOrdered(id: string): boolean {
		return Object.values(this.kept.briefIds ?? {}).includes(id);
	}

	/** The briefs that exist by now and are paid for. */
	get alive(): Brief[] {
		return [...this.briefs.values()].filter(({ status }) => status !== 'failed');
	}
}

const runs = new WeakMap<Kept, NodeRun>();

/** Finds the run of the node that this try belongs to. Each call of a tool is by itself. */
export function nodeRun(context: IExecuteFunctions): NodeRun {
	const kept: Kept = context.getContext('node');
	// Each pass of a loop has its own (docs/n8n-behaviour.md, “A pass of a loop has a run index of its own”).
	const runIndex = context.getWorkflowDataProxy(0).$thisRunIndex;
	const last = runs.get(kept);
	if (last?.runIndex === runIndex && !isTool(context)) return last;
	const { unbelieved = new UnbelievedAnswers() } = last ?? {};
	const run = new NodeRun(runIndex, executionOf(context, kept), kept, unbelieved);
	runs.set(kept, run);
	return run;
}

function executionOf(context: IExecuteFunctions, kept: Kept): string | null {
	// Outside of an execution nothing is run again, so any name will do.
	const id = (context.getExecutionId() as string | undefined) ?? randomUUID();
	const mode = context.getMode();
	if (mode === 'manual') kept.execution = MANUAL;
	else if (mode !== 'retry' || hasMemory(context)) kept.execution ??= id;
	return kept.execution ?? null;
}

/**
 * Checks whether a Retry has the memory of the execution that it repeats. Of one that was killed n8n has the rows
 * alone, and the Retry counts as the start. Older versions do not say.
 */
function hasMemory(context: IExecuteFunctions): boolean {
	const newer: Partial<IExecuteFunctions> = context;
	const start = newer.getExecutionContext?.()?.source;
	return start !== undefined && start !== 'retry';
}
