import { resolve } from 'node:path';
import { matchRows } from '../orders/match-rows';
import { isAccepted } from '../orders/order';
import type { Scope } from '../report/exit-code';
import { describeCurrentState } from '../report/current-state';
import { makeOverview, type Overview } from '../report/overview';
import type { RunPlan } from '../plan/plan-run';
import type { LeaveAction } from '../plan/planned-row';
import type { ConnectedSession } from '../commands/session';
import { Run } from './run';
import { toEntryEnd, type RemainingAllowance, type RunEnd, type RunStop } from './run-end';

interface ExecuteOptions {
	readonly name: string | null;
	/** --env-file */
	readonly profiles: readonly string[];
	readonly maxFailures: number;
	/** Called when a brief is saved or has failed. `describeRows` returns the state of the rows when it is called. */
	readonly onResult: (describeRows: () => Overview) => void;
}

/** A run in progress. */
interface Execution {
	readonly session: ConnectedSession;
	readonly plan: RunPlan;
	readonly scope: Scope;
	readonly run: Run;
}

/**
 * Carries out a plan, with an entry in the journal before and after. Does not throw: a full disk or a lost lock is why the run
 * ended early, and the user still learns what was ordered.
 */
export async function executePlan(
	session: ConnectedSession,
	plan: RunPlan,
	scope: Scope,
	options: ExecuteOptions,
): Promise<RunEnd> {
	const { folder, table, clock, context } = session;
	const { maxFailures, onResult } = options;
	const { store } = folder;
	const startedAt = clock.now();
	const describeNow = () => describeRows(execution, new Set(), run.state.stop);
	const run = new Run(session, plan, { maxFailures, onResult: () => onResult(describeNow) });
	const execution = { session, plan, scope, run };
	await run.state.stopOnError(async () => {
		await saveStart(session, plan, options);
		await run.carryOut();
	});
	await run.state.stopOnError(async () => {
		const matches = matchRows(table.rows, store.orders, context.client.now());
		await store.save(matches.findChanges(plan.run));
	});
	const end = describeEnd(execution, startedAt);
	await run.state.stopOnError(() => store.saveRun({ end: toEntryEnd(end) }));
	// The entry that could not be written is why the run ended early.
	return run.state.stop === end.stop ? end : describeEnd(execution, startedAt);
}

/** Returns the end of a run, made from memory: the journal might not be writable. */
function describeEnd(execution: Execution, startedAt: number): RunEnd {
	const { session, run } = execution;
	const { folder, clock } = session;
	const leftRows = run.findLeftRows();
	const { orderedIds, savedIds, sentAgain, reusedIds } = run.state;
	// If no order was left, the failures stopped nothing.
	const isStopped = run.state.stop?.code !== 'max_failures' || leftRows.size > 0;
	const stop = isStopped ? run.state.stop : null;
	const overview = describeRows(execution, leftRows, stop);
	return {
		at: new Date(clock.now()).toISOString(),
		tookMs: clock.now() - startedAt,
		exitCode: stop?.exitCode ?? overview.exitCode,
		stop,
		overview,
		orderedIds,
		sentAgain: sentAgain.size,
		savedIds,
		reused: reusedIds.size,
		running: folder.store.orders.live.filter(isAccepted).length,
		allowance: computeRemaining(execution, stop),
	};
}

/**
 * Returns the state of the rows during the run or at its end.
 * @param leftRows rows that the run did not reach before it ended
 */
function describeRows(
	execution: Execution,
	leftRows: ReadonlySet<number>,
	stop: RunStop | null,
): Overview {
	const { session, plan, scope } = execution;
	const { folder, table, context, wording } = session;
	const { orders } = folder.store;
	const { left } = computeRemaining(execution, stop);
	const planned = describeCurrentState({
		rows: table.rows,
		orders,
		allowance: left,
		now: context.client.now(),
		leftRows: collectLeftRows(plan, leftRows, stop),
	});
	return makeOverview({ orders, planned, scope, wording });
}

async function saveStart(
	{ folder, table, clock, keyFingerprint }: ConnectedSession,
	{ selection, limits, confirmations }: RunPlan,
	{ name, profiles }: Pick<ExecuteOptions, 'name' | 'profiles'>,
): Promise<void> {
	await folder.store.startRun({
		startedAt: new Date(clock.now()).toISOString(),
		csv: resolve(table.file),
		name,
		csvOptions: table.options,
		limits,
		columns: table.columns,
		isPartial: selection.only !== null,
		keyFingerprint,
		profiles,
		isConfirmed: confirmations.length > 0,
	});
}

/** Returns what is left of the allowance, from what is known, because the service might be away. */
function computeRemaining({ session, plan }: Execution, stop: RunStop | null): RemainingAllowance {
	const { workspace, context } = session;
	const current = workspace.allowance.getAllowance(context.client.now());
	const { limit, remaining } = current ?? plan.facts.allowance;
	// The service can have counted briefs that neither list nor licence shows.
	return { limit, left: stop?.code === 'allowance_used_up' ? 0 : remaining };
}

/** Returns why rows were left, by content: by the plan, or because the run stopped before it reached them. */
function collectLeftRows(
	{ planned }: RunPlan,
	leftRows: ReadonlySet<number>,
	stop: RunStop | null,
): Map<string, LeaveAction> {
	const reason = stop?.code === 'allowance_used_up' ? 'beyond_allowance' : 'stopped';
	return new Map(
		planned.flatMap(({ row, action }): Array<[string, LeaveAction]> => {
			if (leftRows.has(row.number)) return [[row.contentId, { kind: 'leave', reason }]];
			const hasReason = action.kind === 'leave' && action.reason !== null;
			return hasReason ? [[row.contentId, action]] : [];
		}),
	);
}
