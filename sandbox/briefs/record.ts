import type { KeyName } from '../keys';
import type { WrittenBrief } from '../writing/write-brief';
import type { BriefInput } from './brief-input';

export type RunningStatus = 'queued' | 'researching' | 'writing' | 'checking';

/** How a brief's life will go, decided when it is accepted. */
export interface BriefPlan {
	/** From taking a slot until ready or failed, in sandbox ms. */
	durationMs: number;
	/** The share of the duration that each status takes, in order. */
	stages: readonly { status: RunningStatus; share: number }[];
	/** null for a brief that becomes ready. */
	errorCode: string | null;
}

export interface StoredBrief {
	readonly id: string;
	readonly workspace: string;
	/** Counts all briefs of the sandbox, to order equal times. */
	readonly serial: number;
	readonly input: BriefInput;
	readonly createdAt: number;
	/** The list shows it from this time on. */
	readonly listedAt: number;
	/** null for a brief that someone else added. */
	readonly createdBy: KeyName | null;
	/** Counts the creates; null for a brief that someone else added. */
	readonly ordinal: number | null;
	plan: BriefPlan;
	/** null while it waits for a slot (thirdBrief: 'queue'). */
	startedAt: number | null;
	/** Idempotency keys that created or replayed it. */
	readonly idempotencyKeys: string[];
	replays: number;
	/** Written when it is first shown as ready. */
	text?: WrittenBrief;
}

export function endOf(brief: StoredBrief): number {
	return brief.startedAt === null ? Infinity : brief.startedAt + brief.plan.durationMs;
}
