import { KeyMemory } from './briefs/key-memory';
import { BriefStore } from './briefs/brief-store';
import { fastClock, injectedClock, type SandboxClock } from './sandbox-clock';
import type { Contract } from './contract';
import { HookCatalogue } from './hooks/catalogue';
import { MonthlyUse } from './hooks/monthly-use';
import type { Key, KeyName } from './keys';
import { switchesOf, type SandboxOptions, type Switches } from './switches';
import type { Seed } from './random';
import { RequestRate } from './request-rate';

/** What every operation works with. */
export interface Service {
	seed: Seed;
	clock: SandboxClock;
	switches: Switches;
	contract: Contract;
	briefs: BriefStore;
	keyMemory: KeyMemory;
	readonly hooks: HookCatalogue;
	hooksUse: MonthlyUse;
	rate: RequestRate;
	revoked: Set<KeyName>;
	counters: { creates: number; added: number; requests: number };
}

/** A request that may be carried out: its key is good and it fits the OpenAPI document. */
export interface Call {
	key: Key;
	headers: Record<string, string>;
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
	/** Notes in the request log which brief it was about. */
	about(briefId: string): void;
}

/** A service to which nothing has happened yet. */
export function newService(options: SandboxOptions, contract: Contract): Service {
	const seed = options.seed ?? 'sandbox';
	const clock = options.clock
		? injectedClock(options.clock, options.startAt)
		: fastClock(options.startAt ?? Date.now(), options.speed ?? 1);
	const switches = switchesOf(options);
	const startedAt = clock.now();
	let hooks: HookCatalogue | undefined;
	return {
		seed,
		clock,
		switches,
		contract,
		briefs: new BriefStore(),
		keyMemory: new KeyMemory(),
		// Made for the first who asks, because it takes most of a start.
		get hooks() {
			return (hooks ??= new HookCatalogue(seed, startedAt));
		},
		hooksUse: new MonthlyUse(switches),
		rate: new RequestRate(clock, switches),
		revoked: new Set<KeyName>(['revoked']),
		counters: { creates: 0, added: 0, requests: 0 },
	};
}
