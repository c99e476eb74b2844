import { createRandom, type Seed } from '../random';
import type { BriefInput, WrittenBrief } from '../writing/types';

export interface StoredBrief {
	readonly id: string;
	readonly workspace: string;
	/** Counts all briefs of the sandbox, to sort briefs of the same time. */
	readonly serial: number;
	readonly input: BriefInput;
	readonly createdAt: number;
	/** When the list begins to show it. */
	readonly listedAt: number;
	/** Counts the create requests; null for a brief that a test added. */
	readonly ordinal: number | null;
	plan: BriefPlan;
	/** When it took its slot; null while it waits for a slot (thirdBrief: 'queue'). */
	startedAt: number | null;
	/** The keys that created or replayed it. */
	readonly idempotencyKeys: string[];
	replays: number;
	/** Written when it is first shown as ready. */
	text?: WrittenBrief;
}

/** How a brief proceeds and ends. It is drawn when the brief is created. */
interface BriefPlan {
	/** From the start in a slot until ready or failed, in milliseconds of the sandbox. */
	durationMs: number;
	/** The share of the duration that each status takes, in sequence. */
	stages: ReadonlyArray<{ status: string; share: number }>;
	/** null for a brief that becomes ready. */
	errorCode: string | null;
}

const MIN_DURATION_MS = 180_000;
const MAX_DURATION_MS = 360_000;

/** A product name with this marker always fails, so that a user can see a failure. */
const DISCONTINUED = '(discontinued)';

const ERROR_CODES = ['research_failed', 'generation_failed', 'policy_violation', 'timeout'];

/**
 * Returns 3 to 6 minutes (docs/api.md section 3). They depend only on the seed and the ordinal, so that a benchmark can
 * compute the shortest possible time for a number of briefs.
 */
export function drawDuration(seed: Seed, ordinal: number): number {
	return createRandom(seed, 'duration', ordinal).int(MIN_DURATION_MS, MAX_DURATION_MS);
}

export function planBrief(
	seed: Seed,
	ordinal: number,
	input: BriefInput,
	failureShare: number,
): BriefPlan {
	const durationMs = drawDuration(seed, ordinal);
	const dice = createRandom(seed, 'life', ordinal);
	const isFailing = dice.chance(failureShare);
	const stages = [
		{ status: 'queued', share: 0.02 + dice.next() * 0.06 },
		{ status: 'researching', share: 0.3 + dice.next() * 0.15 },
		{ status: 'writing', share: 0.3 + dice.next() * 0.15 },
		{ status: 'checking', share: 0.08 + dice.next() * 0.08 },
	];
	if (input.product_name.toLowerCase().includes(DISCONTINUED)) {
		return { durationMs, stages: stages.slice(0, 2), errorCode: 'product_unavailable' };
	}
	if (!isFailing) return { durationMs, stages, errorCode: null };
	// docs/api.md section 3 leaves open which states can fail: here all of them.
	const shownStages = stages.slice(0, dice.int(1, stages.length));
	return { durationMs, stages: shownStages, errorCode: dice.pick(ERROR_CODES) };
}

/** Returns when a brief is ready or failed, or Infinity while it waits for a slot. */
export function getEnd({ startedAt, plan }: StoredBrief): number {
	return startedAt === null ? Infinity : startedAt + plan.durationMs;
}

interface Progress {
	status: string;
	/** When the brief reached this status. */
	since: number;
	hasEnded: boolean;
}

export function getProgress(brief: StoredBrief, now: number): Progress {
	const { plan, startedAt, createdAt } = brief;
	const end = getEnd(brief);
	if (now >= end) {
		const status = plan.errorCode === null ? 'ready' : 'failed';
		return { status, since: end, hasEnded: true };
	}
	let progress: Progress = { status: 'queued', since: createdAt, hasEnded: false };
	if (startedAt === null) return progress;
	const total = plan.stages.reduce((sum, { share }) => sum + share, 0);
	let passed = 0;
	for (const { status, share } of plan.stages) {
		const since = Math.round(startedAt + (passed / total) * plan.durationMs);
		if (since <= now && status !== 'queued') progress = { status, since, hasEnded: false };
		passed += share;
	}
	return progress;
}
