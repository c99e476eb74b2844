import type { BriefSummary } from '../../core/api/types';
import { makeFinding, type Finding } from '../../core/finding';
import { getExitCode, type ErrorCode } from '../cli-error';
import type { ExitCode } from '../exit-codes';
import type { RunEntryEnd, RunTotals } from '../orders/runs';
import type { RemainingAllowance } from '../run/run';
import type { RunStop } from '../run/run-stop';
import { describeRunningBriefs, formatInOneLine } from '../text';
import type { Report } from './report';

/** How a run ended. The summary, the notification, the entry in the journal and the exit code are made from this object. */
export interface RunEnd {
	/** ISO 8601. */
	readonly at: string;
	/** The same by the service's clock. */
	readonly now: number;
	readonly tookMs: number;
	readonly exitCode: ExitCode;
	/** Why the run stopped ordering; null if it did not. */
	readonly stop: DescribedStop | null;
	readonly report: Report;
	/** IDs of the briefs whose files this run has written. */
	readonly savedIds: ReadonlySet<string>;
	readonly totals: RunTotals;
	readonly allowance: RemainingAllowance;
	/** When the licence renews or ends; null if unknown. */
	readonly licenceEnd: number | null;
}

export interface DescribedStop {
	readonly code: ErrorCode;
	readonly exitCode: ExitCode;
	/** Null if the groups of rows say why. */
	readonly finding: Finding | null;
	/** The briefs of others that hold the slots. */
	readonly briefs: readonly BriefSummary[];
}

/** Returns why a run stopped, for the user. An error is described where its exit code is known. */
export function describeStop(
	stop: Exclude<RunStop, { kind: 'error' }>,
	findBrief: (id: string) => BriefSummary | undefined,
): DescribedStop {
	switch (stop.kind) {
		case 'allowance_used_up':
			return makeStop(stop.kind, null);
		case 'failures_in_row':
			return makeStop(stop.kind, FAILURES_IN_ROW);
		case 'no_answers':
			return makeStop(stop.kind, NO_ANSWERS);
		case 'interrupted':
			return makeStop(stop.kind, INTERRUPTED);
		case 'slots_busy': {
			const briefs = stop.runningIds.flatMap((id) => findBrief(id) ?? []);
			return makeStop(stop.kind, describeBusySlots(briefs), briefs);
		}
	}
}

function makeStop(
	code: ErrorCode,
	finding: Finding | null,
	briefs: readonly BriefSummary[] = [],
): DescribedStop {
	return { code, exitCode: getExitCode(code), finding, briefs };
}

const FAILURES_IN_ROW = makeFinding(
	'Several orders in a row failed, so the run stopped ordering.',
	{
		text: 'Check the reasons below. The next run orders one row first, and continues only if that order succeeds.',
	},
);

const NO_ANSWERS = makeFinding(
	'Several orders in a row got no usable answer, so the run stopped ordering.',
	{
		text: 'Check the reasons below. The next run sends one order first, and continues only if it gets an answer.',
	},
);

const INTERRUPTED = makeFinding('Interrupted.', {
	text: 'Run the same command again: it saves briefs that are being written, at no further cost, and orders rows that were not ordered yet.',
});

function describeBusySlots(briefs: readonly BriefSummary[]): Finding {
	const names = briefs.length === 0 ? 'other briefs' : describeRunningBriefs(briefs);
	return makeFinding(
		`No slot became free: ${names} ${briefs.length === 1 ? 'was' : 'were'} still running.`,
		{ text: 'Run the same command again.' },
	);
}

/** Returns the entry for the journal. */
export function toEntryEnd(end: RunEnd): RunEntryEnd {
	const { at, exitCode, stop, report, allowance, totals } = end;
	return {
		at,
		exitCode,
		message: stop?.finding == null ? null : formatInOneLine(stop.finding),
		counts: report.counts,
		allowanceLeft: allowance.left,
		stop: stop && { code: stop.code, exitCode: stop.exitCode },
		totals,
	};
}
