import { resolve } from 'node:path';
import { matchRows } from '../orders/match-rows';
import { isAccepted } from '../orders/order';
import type { Scope } from '../overview/exit-code';
import {
	describeCurrentState,
	makeOverview,
	type Overview,
	type RemainingLimits,
} from '../overview/overview';
import type { RunPlan } from '../plan/plan-run';
import type { LeaveAction, LeaveReason } from '../plan/planned-row';
import type { ConnectedSession } from '../session';
import { Run } from './run';
import { toEntryEnd, type RemainingAllowance, type RunEnd, type RunStop } from './run-end';
import type { RunOptions } from './run-state';

/**
 * Carries out a plan, with an entry in the journal before and after. Does not throw: a full disk or a lost lock is why the run
 * ended early, and the user still learns what was ordered.
 */
export async function executePlan(
	session: ConnectedSession,
	plan: RunPlan,
	scope: Scope,
	options: RunOptions & { readonly name: string | null },
): Promise<RunEnd> {
	const { folder, table, clock } = session;
	const { store } = folder;
	const startedAt = clock.now();
	const run = new Run(session, plan, options);
	await run.state.attempt(async () => {
		await saveStart(session, plan, options.name);
		await run.carryOut();
	});
	await run.state.attempt(() => store.save(matchRows(table.rows, store.orders).changes));
	const describeEnd = () => ({
		...describeRun(session, plan, run, scope),
		tookMs: clock.now() - startedAt,
	});
	const end = describeEnd();
	await run.state.attempt(() => store.saveRun({ end: toEntryEnd(end) }));
	// The entry that could not be written is why the run ended early.
	return run.state.stop === end.stop ? end : describeEnd();
}

/** Returns the end of a run, made from memory: the journal might not be writable. */
function describeRun(
	session: ConnectedSession,
	plan: RunPlan,
	run: Run,
	scope: Scope,
): Omit<RunEnd, 'tookMs'> {
	const { folder, clock } = session;
	const leftRows = run.findLeftRows();
	const { orderedIds, savedIds } = run.state;
	// If no order was left, the failures stopped nothing.
	const isStopped = run.state.stop?.code !== 'max_failures' || leftRows.size > 0;
	const stop = isStopped ? run.state.stop : null;
	const allowance = computeRemaining(plan, stop, orderedIds.size);
	const left = collectLeftRows(plan, leftRows, stop);
	const overview = describeRows(
		session,
		scope,
		{ allowance: allowance.left, reserve: allowance.reserve },
		left,
	);
	return {
		at: new Date(clock.now()).toISOString(),
		exitCode: stop?.exitCode ?? overview.exitCode,
		stop,
		overview,
		orderedIds,
		savedIds,
		reused: plan.planned.filter(({ action }) => action.kind === 'reuse').length,
		running: folder.store.orders.live.filter(isAccepted).length,
		allowance,
	};
}

async function saveStart(
	{ folder, table, clock }: ConnectedSession,
	{ selection, limits }: RunPlan,
	name: string | null,
): Promise<void> {
	await folder.store.startRun({
		startedAt: new Date(clock.now()).toISOString(),
		csv: resolve(table.file),
		name,
		csvOptions: table.options,
		limits,
		columns: table.columns,
		isPartial: selection.only !== null,
	});
}

/** @param ordered number of briefs that the run has ordered */
function computeRemaining(
	{ facts, limits }: RunPlan,
	stop: RunStop | null,
	ordered: number,
): RemainingAllowance {
	const { limit, remaining } = facts.allowance;
	const { reserve } = limits;
	const expected = Math.max(0, remaining - ordered);
	// Other processes can have used the allowance, too.
	if (stop?.code === 'allowance_used_up') return { limit, left: 0, reserve };
	const isReserveReached = stop?.code === 'reserve_reached';
	return { limit, left: isReserveReached ? Math.min(expected, reserve) : expected, reserve };
}

/** Returns why rows were left, by content: by the plan, or because the run stopped before it reached them. */
function collectLeftRows(
	{ planned }: RunPlan,
	leftRows: ReadonlySet<number>,
	stop: RunStop | null,
): Map<string, LeaveAction> {
	const reason = getLeaveReason(stop);
	return new Map(
		planned.flatMap(({ row, action }): Array<[string, LeaveAction]> => {
			if (leftRows.has(row.number)) return [[row.contentId, { kind: 'leave', reason }]];
			const hasReason = action.kind === 'leave' && action.reason !== null;
			return hasReason ? [[row.contentId, action]] : [];
		}),
	);
}

function getLeaveReason(stop: RunStop | null): LeaveReason {
	switch (stop?.code) {
		case 'allowance_used_up':
			return 'beyond_allowance';
		case 'reserve_reached':
			return 'beyond_reserve';
		default:
			return 'stopped';
	}
}

/** Returns the state of the rows during the run or at its end. */
export function describeRows(
	{ folder, table, context, wording }: ConnectedSession,
	scope: Scope,
	limits: RemainingLimits,
	leftRows: ReadonlyMap<string, LeaveAction> = new Map(),
): Overview {
	const { orders } = folder.store;
	const { rows } = table;
	const now = context.client.now();
	const planned = describeCurrentState({ rows, orders, limits, now, leftRows });
	return makeOverview({ orders, planned, scope, wording });
}
