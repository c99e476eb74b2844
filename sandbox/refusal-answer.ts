import type { Answer } from './answer';
import { limitHeaders } from './limit-headers';
import { hex } from './random';
import type { Refusal } from './refusal';
import type { Service } from './service-state';

/** The answer that a client gets to a refusal. */
export function refusalAnswer(service: Service, refusal: Refusal): Answer {
	const { details, limit } = refusal.more;
	const requestId = `req_${hex(12, service.seed, 'request', service.counters.requests)}`;
	return {
		status: refusal.status,
		headers: limit ? limitHeaders(limit, service.clock, service.switches) : {},
		body: {
			error: {
				code: refusal.code,
				message: refusal.message,
				...(details === undefined ? {} : { details }),
				request_id: requestId,
			},
		},
	};
}
