import type { OrderToSend } from '../../core/orders/order';
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../core/api/errors';
import { isAbort } from '../../core/api/sleep';
import type { RequestContext } from '../../core/workspace/request-context';
import type { OrderStore } from '../folder/order-store';
import { nextState, type OrderEvent } from '../orders/next-state';
import { hasOrderPaid, makeFirstLine, type OrderChange, type OrderState } from '../orders/order';
import type { ReviewChange } from '../orders/orders';
import type { RunChange, RunTotals } from '../orders/runs';
import type { OrderTask } from './begin-rows';
import { FailurePolicy, type FailureCounts } from './failure-policy';
import type { RunStop } from './run-stop';

interface RunStateInput {
	readonly store: OrderStore;
	readonly requests: RequestContext;
	/** True if an earlier run has sent the order: its brief was ordered then, whichever request created it. */
	readonly wasSentBefore: (orderId: number) => boolean;
	/** The briefs that the plan reuses. */
	readonly reusedIds: readonly string[];
	/** Called when a brief is saved or has failed, so that the results are up to date. */
	readonly onResult: () => void;
}

/** The state that the lanes of a run share. It saves every change of an order, and knows why the run stops ordering. */
export class RunState {
	/** IDs of the briefs whose files this run has written. */
	readonly savedIds = new Set<string>();
	private readonly orderedIds = new Set<string>();
	private readonly sentAgainIds = new Set<number>();
	private readonly reusedIds: Set<string>;
	readonly failures: FailurePolicy;
	/** The counts of failures that the journal has. */
	private savedCounts: FailureCounts;
	private currentStop: RunStop | null = null;

	constructor(private readonly input: RunStateInput) {
		const { store, reusedIds } = input;
		this.reusedIds = new Set(reusedIds);
		this.failures = new FailurePolicy(store.runs);
		this.savedCounts = this.failures.counts;
	}

	/** The reason why the run orders nothing more; null while it continues. */
	get stop(): RunStop | null {
		return this.currentStop;
	}

	get totals(): RunTotals {
		return {
			ordered: this.orderedIds.size,
			sentAgain: this.sentAgainIds.size,
			reused: this.reusedIds.size,
			saved: this.savedIds.size,
		};
	}

	/** Saves the state that follows from an event of an order that the run sends. */
	async record(task: OrderTask, event: OrderEvent): Promise<void> {
		await this.recordEvent(task.orderId, event, (state) =>
			this.input.store.orders.find(task.orderId) === undefined
				? makeFirstLine(task.orderId, task.order, task.rows, state)
				: { order: task.orderId, ...(event.kind === 'sent' && pickKey(task.order)), state },
		);
	}

	/** Saves the state that follows from the wait for an order's brief. */
	async recordWait(orderId: number, event: OrderEvent): Promise<void> {
		await this.recordEvent(orderId, event, (state) => ({ order: orderId, state }));
	}

	/** Saves the review of a content; null if the journal has it. */
	async saveReview(review: ReviewChange | null): Promise<void> {
		if (review !== null) await this.input.store.save([review]);
	}

	/** Saves the next state of an order, in the same append as the count of failures. */
	private async recordEvent(
		orderId: number,
		event: OrderEvent,
		toChange: (state: OrderState) => OrderChange,
	): Promise<void> {
		const { store, requests, wasSentBefore, onResult } = this.input;
		const before = store.orders.find(orderId)?.state ?? null;
		const state = nextState(before, event, requests.client.now());
		if (state === null || isDeepStrictEqual(state, before)) return;
		if (event.kind === 'sent' && wasSentBefore(orderId)) this.sentAgainIds.add(orderId);
		// Counted before the lines are written, because both lanes can fail in the same poll.
		this.failures.countState(state, before);
		const isMore = this.failures.counts.failuresInRow > this.savedCounts.failuresInRow;
		if (isMore && this.failures.hasTooManyFailures()) this.stopFor({ kind: 'failures_in_row' });
		// Counted even if the disk is full: the brief is paid for.
		if (state.kind === 'accepted' && !wasSentBefore(orderId))
			(hasOrderPaid({ state }) ? this.orderedIds : this.reusedIds).add(state.brief.id);
		await store.save([toChange(state), ...this.takeCounts()]);
		if (state.kind === 'ready') this.savedIds.add(state.brief.id);
		if (state.kind === 'ready' || state.kind === 'failed') onResult();
	}

	/** Returns the line with the counts of failures; none if the journal has them. */
	private takeCounts(): RunChange[] {
		const { counts } = this.failures;
		if (isDeepStrictEqual(counts, this.savedCounts)) return [];
		this.savedCounts = counts;
		return [{ run: this.input.store.runs.count - 1, ...counts }];
	}

	/** Runs work. An error is not thrown: it ends the run early. */
	async stopOnError(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.stopForError(error);
		}
	}

	/**
	 * Stops ordering. Briefs that are being written are still waited for and saved. The first reason stays, unless an error
	 * follows: a full disk is not hidden by a limit that was reached before.
	 */
	stopFor(stop: RunStop): void {
		const isLimit = this.currentStop?.kind !== 'error' && this.currentStop?.kind !== 'interrupted';
		if (this.currentStop === null || (stop.kind === 'error' && isLimit)) this.currentStop = stop;
	}

	/** If no order was left, the failures in a row stopped nothing. */
	ignoreFailures(): void {
		if (this.currentStop?.kind === 'failures_in_row') this.currentStop = null;
	}

	stopForError(error: unknown): void {
		if (this.input.requests.signal?.aborted === true && isAbort(error))
			this.currentStop = { kind: 'interrupted' };
		else if (error instanceof ServiceError && error.kind === 'allowance_used_up')
			this.stopFor({ kind: 'allowance_used_up' });
		else this.stopFor({ kind: 'error', error });
	}
}

/** An order that counts as never begun can be sent with another key. */
function pickKey({ key, supersedes, shown }: OrderToSend): Partial<OrderChange> {
	return { key, supersedes, shown };
}
