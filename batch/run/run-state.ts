import { isDeepStrictEqual } from 'node:util';
import type { ServiceError } from '../../core/api/errors';
import { isAbort } from '../../core/api/sleep';
import { getCreationTime } from '../../core/workspace/brief-time';
import { toCliError } from '../to-cli-error';
import type { OrderStore } from '../folder/order-store';
import { nextState, type OrderEvent } from '../orders/next-state';
import { makeFirstLine, type AcceptedState, type OrderState } from '../orders/order';
import type { RunPlan } from '../plan/plan-run';
import type { ConnectedSession } from '../session';
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
	/** IDs of briefs that others have ordered and this run uses. */
	readonly reusedIds: Set<string>;
	/** IDs of the briefs whose files this run has written. */
	readonly savedIds = new Set<string>();
	readonly failures: FailurePolicy;
	private currentStop: RunStop | null = null;
	private readonly store: OrderStore;

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
		if (next !== null && !isDeepStrictEqual(next, state)) await this.saveState(task, next);
	}

	/** Saves the new state of an order, in the same append as the count of failures. */
	async saveState({ orderId, draft }: OrderTask, state: OrderState): Promise<void> {
		const { store } = this;
		const { allowance } = this.session.workspace;
		if (state.kind === 'unconfirmed') allowance.recordRequest(draft.key, state.lastSentAt);
		else allowance.recordAnswer(draft.key);
		const isNew = store.orders.find(orderId) === undefined;
		const change = isNew ? makeFirstLine(orderId, draft, state) : { order: orderId, state };
		// Counted before the lines are written, because both lanes can fail in the same poll.
		const isCountChanged = this.failures.countState(state);
		const { failuresInRow } = this.failures;
		if (isCountChanged && this.failures.hasTooManyFailures()) this.stopFor(MAX_FAILURES_REACHED);
		// Counted even if the disk is full: the brief is paid for.
		if (state.kind === 'accepted' && !isOrderedBefore(orderId, state, this.plan))
			(state.isPaid ? this.orderedIds : this.reusedIds).add(state.brief.id);
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
		else this.stopFor(toRunStop(toCliError(error, client.now(), this.store.orders.shortenId)));
	}
}

/** True if an earlier run has ordered the brief: the plan has found it, or it is older than the plan. */
export function isOrderedBefore(
	orderId: number,
	{ brief }: AcceptedState,
	{ facts }: RunPlan,
): boolean {
	const planned = facts.orders.find(orderId);
	if (planned === undefined) return false;
	return planned.state.kind !== 'unconfirmed' || getCreationTime(brief) < facts.now;
}
