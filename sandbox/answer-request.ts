import type { Answer } from './answer';
import type { OperationId, OperationRequest } from './contract';
import { scopeOf, type Key } from './keys';
import { briefChannels, type Channel } from './brief-channels';
import { answerCreateBrief } from './operations/create-brief';
import { answerGetBrief } from './operations/get-brief';
import { answerListBriefs } from './operations/list-briefs';
import { answerListHooks } from './operations/list-hooks';
import { answerListLicences } from './operations/list-licences';
import {
	insufficientScope,
	invalidRequest,
	licenceRequired,
	notFound,
	Refusal,
	unauthorized,
} from './refusal';
import { refusalAnswer } from './refusal-answer';
import type { Call, Service } from './service-state';
import { withUnknownFields } from './unknown-fields';
import { keyOf } from './wire';

const operations: Record<OperationId, (service: Service, call: Call) => Answer> = {
	list_licences: answerListLicences,
	list_briefs: answerListBriefs,
	create_brief: answerCreateBrief,
	get_brief: answerGetBrief,
	list_hooks: answerListHooks,
};

/**
 * Carries out a request to an operation, whichever channel it came over. Never throws: a failure becomes an answer too.
 */
export function answerRequest(
	service: Service,
	channel: Channel,
	operation: OperationId | undefined,
	request: OperationRequest,
	about: (briefId: string) => void,
): Answer {
	return answerOf(service, () => {
		service.briefs.advance(service.clock.now(), service.switches.slots);
		const key = goodKey(service, request);
		if (key === undefined) throw unauthorized();
		service.rate.count(key.secret);
		if (operation === undefined) throw notFound('address');
		authorise(service, channel, key, operation);
		const { problems, path, query, body } = service.contract.check(operation, request);
		if (problems.length > 0) throw invalidRequest(problems);
		const call = { key, headers: request.headers, path, query, body, about };
		return operations[operation](service, call);
	});
}

/** The answer to a request without a good key; undefined if the key is good. */
export function refusedKey(service: Service, request: OperationRequest): Answer | undefined {
	if (goodKey(service, request) !== undefined) return undefined;
	return answerOf(service, () => {
		throw unauthorized();
	});
}

function answerOf(service: Service, work: () => Answer): Answer {
	service.counters.requests += 1;
	const answer = workOrRefusal(service, work);
	if (!service.switches.unknownFields) return answer;
	return { ...answer, body: withUnknownFields(answer.body) };
}

function workOrRefusal(service: Service, work: () => Answer): Answer {
	try {
		return work();
	} catch (error) {
		if (error instanceof Refusal) return refusalAnswer(service, error);
		throw error;
	}
}

/** docs/api.md section 5: a missing, expired or revoked key gives 401. */
function goodKey(service: Service, request: OperationRequest): Key | undefined {
	const key = keyOf(request);
	return key === undefined || service.revoked.has(key.name) ? undefined : key;
}

/** docs/api.md section 5: a key lacking the scope, or a workspace lacking a Business licence, gives 403. */
function authorise(service: Service, channel: Channel, key: Key, operation: OperationId): void {
	if (!key.workspace.business) throw licenceRequired();
	const scope = scopeOf[operation];
	if (!key.scopes.includes(scope)) throw insufficientScope(scope);
	if (!scope.startsWith('creator-briefs:')) return;
	if (briefChannels[service.switches.licence]?.includes(channel) !== true) throw licenceRequired();
}
