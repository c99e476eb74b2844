import type { KeyMemory } from './briefs/key-memory';
import type { BriefStore } from './briefs/brief-store';
import type { SandboxClock } from './sandbox-clock';
import type { Contract } from './contract';
import type { HookCatalogue } from './hooks/catalogue';
import type { MonthlyUse } from './hooks/monthly-use';
import type { Key, KeyName } from './keys';
import type { Switches } from './switches';
import type { Seed } from './random';
import type { RequestRate } from './request-rate';

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
