import type { Answer } from './answer';
import type { OperationId, WireRequest } from './contract';
import { scopeOf, type Key } from './keys';
import { createBrief } from './operations/create-brief';
import { getBrief } from './operations/get-brief';
import { listBriefs } from './operations/list-briefs';
import { listHooks } from './operations/list-hooks';
import { listLicences } from './operations/list-licences';
import {
	insufficientScope,
	invalidRequest,
	licenceRequired,
	notFound,
	Refusal,
	unauthorized,
} from './refusal';
import { refusalAnswer } from './refusal-answer';
import type { Call, Service } from './service';
import { withUnknownFields } from './unknown-fields';
import { keyOf } from './wire';

const operations: Record<OperationId, (service: Service, call: Call) => Answer> = {
	list_licences: listLicences,
	list_briefs: listBriefs,
	create_brief: createBrief,
	get_brief: getBrief,
	list_hooks: listHooks,
};

/** Does the work of a request. Never throws: what goes wrong becomes an answer too. */
export function answerRequest(
	service: Service,
	request: WireRequest,
	about: (briefId: string) => void,
): Answer {
	service.counters.requests += 1;
	const answer = attempt(service, request, about);
	if (!service.switches.unknownFields) return answer;
	return { ...answer, body: withUnknownFields(answer.body) };
}

function attempt(service: Service, request: WireRequest, about: (briefId: string) => void): Answer {
	try {
		service.briefs.advance(service.clock.now(), service.switches.slots);
		const key = authenticate(service, request);
		service.rate.count(key.secret);
		const operation = service.contract.operationOf(request.method, request.path);
		if (operation === undefined) throw notFound('address');
		authorise(service, key, operation);
		const { problems, path, query, body } = service.contract.check(operation, request);
		if (problems.length > 0) throw invalidRequest(problems, service.switches);
		const call = { key, headers: request.headers, path, query, body, about };
		return operations[operation](service, call);
	} catch (error) {
		if (error instanceof Refusal) return refusalAnswer(service, error);
		throw error;
	}
}

/** docs/service.md section 5: a missing, expired or revoked key gives 401. */
function authenticate(service: Service, request: WireRequest): Key {
	const key = keyOf(request);
	if (key === undefined || service.revoked.has(key.name)) throw unauthorized();
	return key;
}

/** docs/service.md section 5: a key lacking the scope, or a workspace lacking a Business licence, gives 403. */
function authorise(service: Service, key: Key, operation: OperationId): void {
	if (!key.workspace.business) throw licenceRequired();
	const scope = scopeOf[operation];
	if (!key.scopes.includes(scope)) throw insufficientScope(scope);
	if (scope.startsWith('creator-briefs:') && service.switches.licence !== 'full') {
		throw licenceRequired();
	}
}
