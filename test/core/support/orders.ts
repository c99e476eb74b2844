import type { ServiceRequest } from '../../../core/api/operations';
import { SendFailure, type WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import type { CreateOptions, CreateRequest, CreateResult } from '../../../core/orders/create-brief';
import { Workspace } from '../../../core/workspace/workspace';
import type { RequestContext } from '../../../core/workspace/request-context';
import { HOUR, MINUTE } from '../../support/time';
import { type VirtualService } from '../../support/virtual-service';

export const MUG: BriefInput = { product_name: 'Mug' };
/** A refusal because both slots are in use. */
export const BUSY = [429, 'too_many_briefs'] as const;

interface Setup {
	readonly request?: Partial<CreateRequest>;
	readonly options?: Partial<CreateOptions>;
	readonly workspace?: Workspace;
	readonly context?: RequestContext;
}

/** Orders a brief with a new key, unless the setup names another. */
export async function createBrief(
	service: VirtualService,
	input: BriefInput,
	{ request, options, workspace = new Workspace(), context }: Setup = {},
): Promise<CreateResult> {
	const order: CreateRequest = {
		orderId: input.product_name,
		input,
		key: makeIdempotencyKey(input, ''),
		firstSentAt: null,
		unansweredAt: null,
		...request,
	};
	const callbacks: CreateOptions = {
		deadline: service.clock.now() + 2 * HOUR,
		beforeSend: async () => 'send',
		recordRequest: async () => undefined,
		recordSlotRefusal: async () => undefined,
		findOwnerContentId: () => null,
		...options,
	};
	return await workspace.createBrief(order, callbacks, context ?? service.startProcess().context);
}

/** Orders a mug. Returns the end of the order and its duration in minutes. */
export async function orderMug(
	service: VirtualService,
	setup: Setup = {},
): Promise<{ end: string; minutes: number; result: CreateResult }> {
	const start = service.clock.now();
	const result = await createBrief(service, MUG, setup);
	return { end: getEnd(result), minutes: (service.clock.now() - start) / MINUTE, result };
}

/** Returns the kind of a result, or the cause of an unconfirmed order. */
function getEnd(result: CreateResult): string {
	return result.kind === 'unconfirmed' ? result.cause : result.kind;
}

/** The answer to a create request: the usual answer, none, or a refusal with a status, a code and a Retry-After in minutes. */
export type Answer =
	| 'usual'
	| 'not sent'
	| 'lost'
	| 'lost after the work'
	| readonly [status: number, code?: string, retryAfter?: number];

/** Answers the create requests in sequence. Returns the times of the requests that follow. */
export function answerCreates(
	service: VirtualService,
	answers: readonly Answer[],
	others: Answer = 'usual',
): number[] {
	const sentAt: number[] = [];
	interceptCreates(service, (count, request) => {
		sentAt.push(service.clock.now());
		const answer = answers[count - 1] ?? others;
		if (answer === 'usual') return null;
		if (answer === 'not sent') throw new SendFailure('connect ECONNREFUSED', false);
		if (answer === 'lost after the work') service.createFromRequest(request);
		return typeof answer === 'string' ? 'lost' : refuse(service, answer);
	});
	return sentAt;
}

/**
 * Answers create requests instead of the service.
 * @param answer receives the number of the create request, from 1; null lets the service answer
 */
export function interceptCreates(
	service: VirtualService,
	answer: (count: number, request: ServiceRequest) => WireResponse | 'lost' | null,
): void {
	let count = 0;
	service.intercept = (request) => {
		if (request.operation !== 'create_brief') return null;
		count += 1;
		return answer(count, request);
	};
}

/** Returns a refusal with a status, a code and a Retry-After in minutes. */
export function refuse(
	service: VirtualService,
	[status, code, retryAfter]: Exclude<Answer, string>,
): WireResponse {
	const { answer } = service.refuse(status, code);
	if (retryAfter === undefined) return answer;
	return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter * 60) } };
}

/** Creates two briefs of another process, which use both slots. Returns their IDs. */
export function takeBothSlots(service: VirtualService): string[] {
	return ['Pan', 'Pot'].map((product_name) => service.create('x', { product_name }).id);
}
