import { isDeepStrictEqual } from 'node:util';
import type { ServiceError } from '../../core/api/errors';
import { isAbort } from '../../core/api/sleep';
import type { OrderToSend } from '../../core/orders/send-order';
import { toCliError } from '../commands/to-cli-error';
import type { OrderStore } from '../folder/order-store';
import { nextState, type OrderEvent } from '../orders/next-state';
import { hasOrderPaid, makeFirstLine, type OrderChange, type OrderState } from '../orders/order';
import type { ReviewChange } from '../orders/orders';
import type { RunPlan } from '../plan/plan-run';
import type { ConnectedSession } from '../commands/session';
import type { OrderTask } from './begin-rows';
import { FailurePolicy } from './failure-policy';
import {
	ALLOWANCE_USED_UP,
	INTERRUPTED,
	MAX_FAILURES_REACHED,
	toRunStop,
	type RunStop,
} from './run-end';

export interface RunOptions {
	/** Stop ordering after this many failures in a row; 0 for never. */
	readonly maxFailures: number;
	/** Called when a brief is saved or has failed, so that the results are up to date. */
	readonly onResult: () => void;
}

/** The state that the lanes of a run share. It saves every change of an order, and knows why the run stops ordering. */
export class RunState {
	/** IDs of the briefs that this run has ordered. */
	readonly orderedIds = new Set<string>();
	/** Orders of earlier runs that this run has sent again. */
	readonly sentAgain = new Set<number>();
	/** IDs of briefs that others have ordered and this run uses. */
	readonly reusedIds: Set<string>;
	/** IDs of the briefs whose files this run has written. */
	readonly savedIds = new Set<string>();
	readonly failures: FailurePolicy;
	private currentStop: RunStop | null = null;
	readonly store: OrderStore;

	constructor(
		private readonly session: ConnectedSession,
		private readonly plan: RunPlan,
		private readonly options: RunOptions,
	) {
		this.store = session.folder.store;
		const reused = plan.planned.flatMap(({ action }) =>
			action.kind === 'reuse' ? action.brief.id : [],
		);
		this.reusedIds = new Set(reused);
		this.failures = new FailurePolicy(options.maxFailures, this.store.runs.failuresInRow);
	}

	/** The reason why the run orders nothing more; null while it continues. */
	get stop(): RunStop | null {
		return this.currentStop;
	}

	/** Saves the state that follows from an event of an order. */
	async record(task: OrderTask, event: OrderEvent): Promise<void> {
		const { client } = this.session.context;
		const state = this.store.orders.find(task.orderId)?.state ?? null;
		const next = nextState(state, event, client.now());
		if (next === null || isDeepStrictEqual(next, state)) return;
		if (event.kind === 'sent' && wasSentBefore(task.orderId, this.plan))
			this.sentAgain.add(task.orderId);
		const isNew = state === null;
		const change = isNew
			? makeFirstLine(task.orderId, task.order, task.rows, next)
			: { order: task.orderId, ...(event.kind === 'sent' && pickKey(task.order)), state: next };
		await this.saveChange(change, next);
	}

	/** Saves the review of a content; null if the journal has it. */
	async saveReview(review: ReviewChange | null): Promise<void> {
		if (review !== null) await this.store.save([review]);
	}

	/** Saves the state that follows from the wait for an order's brief. */
	async recordWait(orderId: number, event: OrderEvent): Promise<void> {
		const { state } = this.store.orders.get(orderId);
		const next = nextState(state, event, this.session.context.client.now());
		if (next === null || isDeepStrictEqual(next, state)) return;
		await this.saveChange({ order: orderId, state: next }, next);
	}

	/** Saves the new state of an order, in the same append as the count of failures. */
	private async saveChange(change: OrderChange, state: OrderState): Promise<void> {
		const { store, plan } = this;
		// Counted before the lines are written, because both lanes can fail in the same poll.
		const isCountChanged = this.failures.countState(state);
		const { failuresInRow } = this.failures;
		if (isCountChanged && this.failures.hasTooManyFailures()) this.stopFor(MAX_FAILURES_REACHED);
		// Counted even if the disk is full: the brief is paid for.
		if (state.kind === 'accepted' && !wasSentBefore(change.order, plan))
			(hasOrderPaid({ state }) ? this.orderedIds : this.reusedIds).add(state.brief.id);
		const count = isCountChanged ? [{ run: store.runs.count - 1, failuresInRow }] : [];
		await store.save([change, ...count]);
		if (state.kind === 'ready') this.savedIds.add(state.brief.id);
		if (state.kind === 'ready' || state.kind === 'failed') this.options.onResult();
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
		const isLimit = this.currentStop?.code !== 'error' && this.currentStop?.code !== 'interrupted';
		if (this.currentStop === null || (stop.code === 'error' && isLimit)) this.currentStop = stop;
	}

	stopForServiceError(error: ServiceError): void {
		if (error.kind === 'allowance_used_up') this.stopFor(ALLOWANCE_USED_UP);
		else this.stopForError(error);
	}

	private stopForError(error: unknown): void {
		const { signal, client } = this.session.context;
		if (signal?.aborted === true && isAbort(error)) this.currentStop = INTERRUPTED;
		else this.stopFor(toRunStop(toCliError(error, client.now())));
	}
}

/** True if an earlier run has sent the order: its brief was ordered then, whichever request created it. */
export function wasSentBefore(orderId: number, { facts }: RunPlan): boolean {
	return facts.orders.find(orderId) !== undefined;
}

/** An order that counts as never begun can be sent with another key. */
function pickKey({ key, supersedes, shown }: OrderToSend): Partial<OrderChange> {
	return { key, supersedes, shown };
}
