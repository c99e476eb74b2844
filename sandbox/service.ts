import { toClientSeconds } from './clock';
import type { OperationId, OperationRequest } from './contract';
import { findKeyName, keys, requiredScopes, type Key } from './keys';
import { getBrief } from './operations/brief-json';
import { createBrief } from './operations/create-brief';
import { listBriefs } from './operations/list-briefs';
import { listHooks } from './operations/list-hooks';
import { listLicences } from './operations/list-licences';
import { createHex } from './random';
import {
	insufficientScope,
	invalidRequest,
	licenceRequired,
	makeLimitHeaders,
	notFound,
	Refusal,
	unauthorized,
} from './refusals';
import type { Answer, Call, Service } from './state';

type Headers = OperationRequest['headers'];

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

export function toAnswer(service: Service, { status, code, message, more }: Refusal): Answer {
	const { clock, counters, seed } = service;
	const { details, limit } = more;
	counters.refusals += 1;
	const requestId = `req_${createHex(12, seed, 'refusal', counters.refusals)}`;
	return {
		status,
		headers: limit && makeLimitHeaders(limit.quota, toClientSeconds(clock, limit.waitMs)),
		body: { error: { code, message, ...(details && { details }), request_id: requestId } },
	};
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
