import { createBrief } from './briefs/create-brief';
import { BriefStore } from './briefs/brief-store';
import { getBrief } from './briefs/brief-json';
import { listBriefs } from './briefs/list-briefs';
import { startClock, type SandboxClock } from './clock';
import type { Contract, OperationId, OperationRequest } from './contract';
import { HookList, listHooks } from './hooks/hook-list';
import { findKeyName, keys, requiredScopes, type Key, type KeyName } from './keys';
import { listLicences } from './list-licences';
import { fillServiceOptions, type SandboxOptions, type ServiceOptions } from './options';
import type { Seed } from './random';
import {
	insufficientScope,
	invalidRequest,
	licenceRequired,
	notFound,
	Refusal,
	toAnswer,
	unauthorized,
} from './refusals';
import { RequestRate } from './request-rate';

type Headers = OperationRequest['headers'];

/** The state that every operation works with. */
export interface Service {
	seed: Seed;
	clock: SandboxClock;
	options: ServiceOptions;
	contract: Contract;
	briefs: BriefStore;
	/** The order of each idempotency key, by workspace and key. */
	keyMemory: Map<string, { content: string; at: number; briefId: string }>;
	readonly hooks: HookList;
	rate: RequestRate;
	revoked: Set<KeyName>;
	counters: { creates: number; added: number; refusals: number };
}

/** A request that is permitted and valid. */
export interface Call {
	key: Key;
	headers: Headers;
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

const operations: Record<OperationId, (service: Service, call: Call) => Answer> = {
	list_licences: listLicences,
	list_briefs: listBriefs,
	create_brief: createBrief,
	get_brief: getBrief,
	list_hooks: listHooks,
};

/** Carries out a request, over HTTP or as a tool call. A refusal becomes an answer, too. */
export function answerRequest(
	service: Service,
	operation: OperationId | undefined,
	request: OperationRequest,
): Answer {
	const { briefs, clock, contract, options, rate } = service;
	briefs.assignSlots(clock.now(), options.slots);
	return answerOrRefuse(service, () => {
		const key = authenticate(service, request.headers);
		rate.count(key.secret, options.requestsPerMinute);
		if (operation === undefined) throw notFound('address');
		authorize(key, operation);
		const { problems, ...checked } = contract.check(operation, request);
		if (problems.length > 0) throw invalidRequest(...problems);
		return operations[operation](service, { key, headers: request.headers, ...checked });
	});
}

/** Returns the 401 for a missing, expired or revoked key; undefined for a valid key. */
export function refuseKey(service: Service, headers: Headers): Answer | undefined {
	return answerOrRefuse(service, () => void authenticate(service, headers));
}

function answerOrRefuse<T>(service: Service, work: () => T): T | Answer {
	try {
		return work();
	} catch (error) {
		if (error instanceof Refusal) return toAnswer(service, error);
		throw error;
	}
}

/** docs/api.md section 5: a missing, expired or revoked key gets 401. */
function authenticate(service: Service, headers: Headers): Key {
	const name = findKeyName(headers);
	if (name === undefined || service.revoked.has(name)) throw unauthorized();
	return keys[name];
}

/** docs/api.md section 5: a key without the scope, or a workspace without a Business licence, gets 403. */
function authorize(key: Key, operation: OperationId): void {
	if (!key.hasLicence) throw licenceRequired();
	const scope = requiredScopes[operation];
	if (!key.scopes.includes(scope)) throw insufficientScope(scope);
}
