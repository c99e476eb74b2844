import type { ServiceRequest } from '../../../core/api/operations';
import type { WireResponse } from '../../../core/api/ports';
import type { BriefInput } from '../../../core/api/types';
import { makeIdempotencyKey } from '../../../core/input/idempotency-key';
import type { CreateOptions, CreateRequest, CreateResult } from '../../../core/orders/create-brief';
import { Workspace } from '../../../core/workspace/workspace';
import type { RequestContext } from '../../../core/workspace/request-context';
import { HOUR, MINUTE, type Nature, type VirtualService } from './virtual-service';

/** A service that honors keys for an hour, lists at once and shows what was submitted. */
export const USUAL: Nature = {
	keyMemoryMs: HOUR,
	listLagMs: 0,
	showsInput: true,
	briefMs: 3 * MINUTE,
};

export const MUG: BriefInput = { product_name: 'Mug' };

interface Setup {
	readonly request?: Partial<CreateRequest>;
	readonly options?: Partial<CreateOptions>;
	readonly workspace?: Workspace;
	readonly context?: RequestContext;
}

/** Orders a brief with a new key, unless the setup says otherwise. */
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

/** Returns the kind of a result, or the cause of an unconfirmed order. */
export function getEnd(result: CreateResult): string {
	return result.kind === 'unconfirmed' ? result.cause : result.kind;
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

/** Returns the answer with a Retry-After in minutes. */
export function withRetryAfter(answer: WireResponse, minutes: number): WireResponse {
	return { ...answer, headers: { ...answer.headers, 'retry-after': String(minutes * 60) } };
}
