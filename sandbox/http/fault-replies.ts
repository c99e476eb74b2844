import type { Fault, FaultKind } from '../faults';
import { makeLimitHeaders, Refusal } from '../refusals';
import { toAnswer } from '../service';
import type { Service } from '../state';
import { toJsonReply, type Reply } from './messages';

interface FaultContext {
	service: Service;
	port: number;
	url: string;
}

/** Returns the answer that a fault sends in place of the service's answer, which is otherwise lost, broken or late. */
export function makeFaultReply(fault: Fault, context: FaultContext): Reply | undefined {
	return replies[fault.kind]?.(fault, context);
}

/** docs/api.md section 7 leaves the form of a 5xx open. */
const replies: Partial<Record<FaultKind, (fault: Fault, context: FaultContext) => Reply>> = {
	html: ({ status = 200, retryAfter }) => ({
		status,
		headers: { 'Content-Type': 'text/html; charset=utf-8', ...makeRetryAfterHeader(retryAfter) },
		text: '<!doctype html>\n<html><head><title>Just a moment…</title></head></html>\n',
	}),
	'5xx': ({ status = 503, retryAfter }, { service }) => {
		const refusal = new Refusal(status, 'internal_error', 'Something went wrong on our side.');
		return toJsonReply({
			...toAnswer(service, refusal),
			headers: makeRetryAfterHeader(retryAfter),
		});
	},
	'429': ({ retryAfter = 1 }, { service }) => {
		const refusal = new Refusal(429, 'rate_limited', 'Too many requests. Try again later.');
		const quota = service.options.requestsPerMinute || 600;
		return toJsonReply({
			...toAnswer(service, refusal),
			headers: makeLimitHeaders(quota, retryAfter),
		});
	},
	redirect: ({ status = 307 }, { port, url }) => ({
		status,
		headers: { Location: `http://localhost:${port}${url}` },
		text: '',
	}),
};

function makeRetryAfterHeader(seconds: number | undefined): Record<string, string> {
	return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}
