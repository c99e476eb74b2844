import type { StoredBrief } from './briefs/brief';
import { BriefStore } from './briefs/brief-store';
import { startClock, type SandboxClock } from './clock';
import type { Contract, OperationRequest } from './contract';
import { HookList } from './hooks/hook-list';
import type { Key, KeyName } from './keys';
import { fillServiceOptions, type SandboxOptions, type ServiceOptions } from './options';
import type { Seed } from './random';
import { RequestRate } from './request-rate';
import type { BriefInput } from './writing/types';

/** The state that every operation works with. */
export interface Service {
	seed: Seed;
	clock: SandboxClock;
	options: ServiceOptions;
	contract: Contract;
	briefs: BriefStore;
	/** The brief of each idempotency key, by workspace and key. */
	keyMemory: Map<string, { at: number; briefId: string }>;
	readonly hooks: HookList;
	rate: RequestRate;
	revoked: Set<KeyName>;
	counters: { creates: number; added: number; refusals: number };
	/** Starts the brief of an accepted order, in place of the sandbox: a test decides what becomes of the brief. */
	startBrief?: (order: AcceptedOrder) => StoredBrief;
}

export interface AcceptedOrder {
	input: BriefInput;
	workspace: string;
	idempotencyKey: string | undefined;
	/** Whether the brief waits for a slot. */
	mustWait: boolean;
}

/** A request that is permitted and valid. */
export interface Call {
	key: Key;
	headers: OperationRequest['headers'];
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** An answer before it is sent. */
export interface Answer {
	status: number;
	headers?: Record<string, string> | undefined;
	body: object;
	/** The brief that the request was about, for the request log. */
	briefId?: string;
}

export function createService(given: SandboxOptions, contract: Contract): Service {
	const { seed = 'sandbox' } = given;
	const clock = startClock(given);
	const startedAt = clock.now();
	let hooks: HookList | undefined;
	return {
		seed,
		clock,
		options: fillServiceOptions(given),
		contract,
		briefs: new BriefStore(),
		keyMemory: new Map(),
		// Created for the first request, because it takes most of the time of a start.
		get hooks() {
			hooks ??= new HookList(seed, startedAt);
			return hooks;
		},
		rate: new RequestRate(clock),
		revoked: new Set(['revoked']),
		counters: { creates: 0, added: 0, refusals: 0 },
	};
}
