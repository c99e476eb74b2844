import type { Fault } from './faults';
import { retryAfter } from './limit-headers';
import { limitReached, Refusal } from './refusal';
import { refusalAnswer } from './refusal-answer';
import { jsonReply, type Reply } from './reply';
import type { Service } from './service-state';

const page = `<!doctype html>
<html><head><title>Just a moment…</title></head>
<body><h1>We will be right back</h1><p>The service is being updated.</p></body></html>
`;

/** What a fault sends instead of an answer; undefined for faults that send nothing. */
export function faultReply(
	service: Service,
	fault: Fault,
	address: { port: number; url: string },
): Reply | undefined {
	switch (fault.kind) {
		case 'html':
			return pageReply(service, fault.status ?? 200, fault);
		case '5xx':
			return serverError(service, fault);
		case '429':
			return tooMany(service, fault);
		case 'redirect': {
			const location = fault.location ?? `http://localhost:${address.port}${address.url}`;
			return { status: fault.status ?? 307, headers: { Location: location }, text: '' };
		}
		case 'reset':
		case 'cut':
		case 'broken-json':
		case 'slow':
			return undefined;
	}
}

function pageReply(service: Service, status: number, fault: Fault): Reply {
	const headers = { 'Content-Type': 'text/html; charset=utf-8', ...hintOf(service, fault) };
	return { status, headers, text: page };
}

function hintOf({ clock, switches }: Service, fault: Fault): Record<string, string> {
	if (fault.retryAfter === undefined) return {};
	return retryAfter(fault.retryAfter, clock, switches.retryAfter);
}

function serverError(service: Service, fault: Fault): Reply {
	const status = fault.status ?? 503;
	const hint = hintOf(service, fault);
	switch (fault.body ?? 'json') {
		case 'json': {
			const code = status === 503 ? 'service_unavailable' : 'internal_error';
			const refusal = new Refusal(status, code, 'Something went wrong on our side.');
			const answer = refusalAnswer(service, refusal);
			return jsonReply({ ...answer, headers: hint });
		}
		case 'html':
			return pageReply(service, status, fault);
		case 'empty':
			return { status, headers: hint, text: '' };
	}
}

function tooMany(service: Service, fault: Fault): Reply {
	const { clock, switches } = service;
	const waitMs = (fault.retryAfter ?? 1) * 1000 * clock.speed;
	const quota = switches.requestsPerMinute || 600;
	return jsonReply(
		refusalAnswer(
			service,
			limitReached({ policy: 'requests', quota, remaining: 0, waitMs }, switches),
		),
	);
}
