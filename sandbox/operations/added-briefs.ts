import { getEnd, getProgress, planBrief, type StoredBrief } from '../briefs/brief';
import { keys, type KeyName } from '../keys';
import { createUuid } from '../random';
import type { Service } from '../state';
import type { BriefInput } from '../writing/types';

/** A brief as tests and benchmarks see it. Times are in milliseconds of the sandbox. */
export interface BriefView {
	id: string;
	/** Counts the create requests from 0; null for a brief that a test added. */
	ordinal: number | null;
	product_name: string;
	input: BriefInput;
	status: string;
	createdAt: number;
	/** When it took its slot; null while it waits for a slot. */
	startedAt: number | null;
	/** When it becomes ready or fails, in the past or the future; null while it waits for a slot. */
	readyAt: number | null;
	/** From the start in a slot until it is ready or has failed. */
	durationMs: number;
	/** The keys that created or replayed it. */
	idempotencyKeys: readonly string[];
	replays: number;
}

/** A brief that another user of the workspace ordered. Times are in milliseconds of the sandbox. */
export interface AddedBrief extends Partial<BriefInput> {
	id?: string;
	/** Decides the workspace (default: allScopes). */
	key?: KeyName;
	/** Default: running. */
	status?: 'running' | 'ready' | 'failed';
	/** Default: now for a running brief, ten minutes ago for a finished brief. */
	createdAt?: number;
	durationMs?: number;
	errorCode?: string;
}

export function addBrief(service: Service, added: AddedBrief): BriefView {
	const { briefs, clock, counters, seed } = service;
	const now = clock.now();
	const number = counters.added;
	counters.added += 1;
	const {
		id = createUuid(seed, 'added', number),
		key = 'allScopes',
		status = 'running',
		createdAt = status === 'running' ? now : now - 10 * 60_000,
		durationMs,
		errorCode = 'generation_failed',
		...fields
	} = added;
	const input = { product_name: `A colleague's product ${number + 1}`, ...fields };
	const plan = planBrief(seed, -1 - number, input, 0);
	if (durationMs !== undefined) plan.durationMs = durationMs;
	if (status !== 'running') plan.durationMs = Math.min(plan.durationMs, now - createdAt);
	if (status === 'failed') plan.errorCode = errorCode;
	const brief: StoredBrief = {
		id,
		workspace: keys[key].workspace,
		serial: briefs.count,
		input,
		createdAt,
		listedAt: createdAt,
		ordinal: null,
		plan,
		startedAt: createdAt,
		idempotencyKeys: [],
		replays: 0,
	};
	briefs.add(brief, now);
	return viewBrief(service, brief);
}

/** Ends a running brief now. */
export function finishBrief(service: Service, id: string, status: 'ready' | 'failed'): BriefView {
	const { briefs, clock, options } = service;
	const now = clock.now();
	briefs.assignSlots(now, options.slots);
	const brief = briefs.find(id);
	if (brief === undefined) throw new Error(`There is no brief ${id}`);
	if (getEnd(brief) > now) {
		const { plan } = brief;
		brief.startedAt ??= now;
		plan.durationMs = now - brief.startedAt;
		plan.errorCode = status === 'ready' ? null : (plan.errorCode ?? 'generation_failed');
	}
	return viewBrief(service, brief);
}

export function viewBrief({ clock }: Service, brief: StoredBrief): BriefView {
	const { id, ordinal, input, createdAt, startedAt, plan, idempotencyKeys, replays } = brief;
	const end = getEnd(brief);
	return {
		id,
		ordinal,
		product_name: input.product_name,
		input: { ...input },
		status: getProgress(brief, clock.now()).status,
		createdAt,
		startedAt,
		readyAt: end === Infinity ? null : end,
		durationMs: plan.durationMs,
		idempotencyKeys: [...idempotencyKeys],
		replays,
	};
}
