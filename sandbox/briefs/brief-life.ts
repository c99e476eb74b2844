import { random, type Seed } from '../random';
import type { BriefInput } from './brief-input';
import { endOf, type StoredBrief, type BriefPlan, type RunningStatus } from './record';

const SHORTEST_MS = 180_000;
const LONGEST_MS = 360_000;

/** A product name with this marker always fails, for people who want to see a failure. */
const DISCONTINUED = '(discontinued)';

const errorCodes = ['research_failed', 'generation_failed', 'policy_violation', 'timeout'] as const;

/**
 * Typically 3 to 6 minutes (docs/api.md section 3). It depends only on the seed and the ordinal, so that a benchmark
 * can compute the shortest possible time for a list of briefs.
 */
export function durationOf(seed: Seed, ordinal: number): number {
	return random(seed, 'duration', ordinal).int(SHORTEST_MS, LONGEST_MS);
}

export function planOf(
	seed: Seed,
	ordinal: number,
	input: BriefInput,
	failureShare: number,
	durationMs = durationOf(seed, ordinal),
): BriefPlan {
	const dice = random(seed, 'life', ordinal);
	const unlucky = dice.chance(failureShare);
	const stages = [
		{ status: 'queued' as const, share: 0.02 + dice.next() * 0.06 },
		{ status: 'researching' as const, share: 0.3 + dice.next() * 0.15 },
		{ status: 'writing' as const, share: 0.3 + dice.next() * 0.15 },
		{ status: 'checking' as const, share: 0.08 + dice.next() * 0.08 },
	];
	if (input.product_name.toLowerCase().includes(DISCONTINUED)) {
		return { durationMs, stages: stages.slice(0, 2), errorCode: 'product_unavailable' };
	}
	if (unlucky) {
		// Which states can fail is not shown: any of them may.
		return {
			durationMs,
			stages: stages.slice(0, dice.int(1, stages.length)),
			errorCode: dice.pick(errorCodes),
		};
	}
	return { durationMs, stages, errorCode: null };
}

interface BriefProgress {
	status: string;
	/** When the brief came into this status. */
	since: number;
	/** null while running. */
	finishedAt: number | null;
}

/** The state of a brief at a time. */
export function progressOf(brief: StoredBrief, now: number, unknownStatus = ''): BriefProgress {
	const { plan, startedAt } = brief;
	const end = endOf(brief);
	if (startedAt === null || now < startedAt) {
		return { status: 'queued', since: brief.createdAt, finishedAt: null };
	}
	if (now >= end) {
		const status = plan.errorCode === null ? 'ready' : 'failed';
		return { status, since: end, finishedAt: end };
	}
	let moment: BriefProgress = { status: 'queued', since: brief.createdAt, finishedAt: null };
	for (const { status, since } of stagesOf(brief, startedAt, unknownStatus)) {
		if (since <= now && status !== moment.status) moment = { status, since, finishedAt: null };
	}
	return moment;
}

function stagesOf(
	{ plan }: StoredBrief,
	startedAt: number,
	unknownStatus: string,
): { status: string; since: number }[] {
	const whole = plan.stages.reduce((sum, { share }) => sum + share, 0);
	const stages: { status: string; since: number }[] = [];
	let passed = 0;
	for (const { status, share } of plan.stages) {
		const since = startedAt + (passed / whole) * plan.durationMs;
		const length = (share / whole) * plan.durationMs;
		stages.push({ status, since: Math.round(since) });
		if (unknownStatus !== '' && status === ('researching' satisfies RunningStatus)) {
			stages.push({ status: unknownStatus, since: Math.round(since + length / 2) });
		}
		passed += share;
	}
	return stages;
}
