import { progressOf, planOf } from './briefs/brief-life';
import type { BriefInput } from './briefs/brief-input';
import { endOf, type StoredBrief } from './briefs/record';
import { keys, type KeyName } from './keys';
import { uuid } from './random';
import type { Service } from './service-state';

/** What the sandbox knows of a brief, for tests and benchmarks. */
export interface BriefView {
	id: string;
	workspace: string;
	/** Counts the creates from 0; null for a brief that was added from outside. */
	ordinal: number | null;
	product_name: string;
	input: BriefInput;
	status: string;
	error_code: string | null;
	/** Sandbox time in ms. */
	createdAt: number;
	/** When it took its slot; null while it waits for one. */
	startedAt: number | null;
	/** When it is or will be ready (or failed); null while it waits for a slot. */
	readyAt: number | null;
	/** From taking a slot until ready (or failed). */
	durationMs: number;
	createdBy: KeyName | null;
	/** Keys that created or replayed it. */
	idempotencyKeys: string[];
	replays: number;
}

/** A brief that somebody else started. Times in sandbox ms. */
export interface OthersBrief extends Partial<BriefInput> {
	id?: string;
	/** The workspace is that of this key. Default allScopes. */
	key?: KeyName;
	/** Default running. */
	status?: 'running' | 'ready' | 'failed';
	/** Default now for a running brief, ten minutes ago for a finished one. */
	createdAt?: number;
	durationMs?: number;
	errorCode?: string;
}

export function addBrief(service: Service, options: OthersBrief): BriefView {
	const { briefs, clock, counters, seed } = service;
	const {
		id = uuid(seed, 'others', counters.added),
		key = 'allScopes',
		status = 'running',
		createdAt,
		durationMs,
		errorCode,
		...input
	} = options;
	const now = clock.now();
	const number = counters.added;
	counters.added += 1;
	const time = createdAt ?? (status === 'running' ? now : now - 10 * 60_000);
	const fullInput: BriefInput = { product_name: `A colleague's product ${number + 1}`, ...input };
	const plan = planOf(seed, -1 - number, fullInput, 0, durationMs);
	const brief: StoredBrief = {
		id,
		workspace: keys[key].workspace.id,
		serial: briefs.serial,
		input: fullInput,
		createdAt: time,
		listedAt: time,
		createdBy: null,
		ordinal: null,
		plan: status === 'failed' ? { ...plan, errorCode: errorCode ?? 'generation_failed' } : plan,
		startedAt: time,
		idempotencyKeys: [],
		replays: 0,
	};
	if (status !== 'running' && durationMs === undefined && endOf(brief) > now) {
		brief.plan = { ...brief.plan, durationMs: Math.max(0, now - time) };
	}
	briefs.add(brief, now);
	return briefView(service, brief);
}

export function finish(service: Service, id: string, outcome: 'ready' | 'failed'): BriefView {
	const { briefs, clock, switches } = service;
	const now = clock.now();
	briefs.advance(now, switches.slots);
	const brief = briefs.find(id);
	if (brief === undefined) throw new Error(`There is no brief ${id}`);
	if (endOf(brief) > now) {
		brief.startedAt ??= now;
		brief.plan = {
			...brief.plan,
			durationMs: now - brief.startedAt,
			errorCode: outcome === 'ready' ? null : (brief.plan.errorCode ?? 'generation_failed'),
		};
	}
	return briefView(service, brief);
}

export function briefView({ clock, switches }: Service, brief: StoredBrief): BriefView {
	const { status } = progressOf(brief, clock.now(), switches.unknownStatus);
	const end = endOf(brief);
	return {
		id: brief.id,
		workspace: brief.workspace,
		ordinal: brief.ordinal,
		product_name: brief.input.product_name,
		input: { ...brief.input },
		status,
		error_code: status === 'failed' ? brief.plan.errorCode : null,
		createdAt: brief.createdAt,
		startedAt: brief.startedAt,
		readyAt: end === Infinity ? null : end,
		durationMs: brief.plan.durationMs,
		createdBy: brief.createdBy,
		idempotencyKeys: [...brief.idempotencyKeys],
		replays: brief.replays,
	};
}
