import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { neverSent } from '../../service/api/connection';
import { SendFailure, type Send, type WireResponse } from '../../service/api/ports';
import { withoutKey } from '../../service/api/without-key';
import type { Connection } from '../../service/api/connection';
import { assertUnchanged, CREDENTIAL, type Context } from './credential';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Makes the service's port `Send` over n8n's request helper. Every status comes back as an answer: n8n's helper would
 * throw a NodeApiError, whose text cannot be changed any more, and hide the headers of a 429.
 */
export function sendWith(
	context: Context,
	connection: Connection,
	timeout: number = REQUEST_TIMEOUT_MS,
): Send {
	const send: Send = async (request, signal) => {
		const limit = AbortSignal.timeout(timeout);
		const options: IHttpRequestOptions = {
			method: request.method,
			url: `${connection.baseUrl}${request.path}`,
			qs: { ...request.query },
			headers: { ...request.headers },
			body: request.body,
			// As text, so that a body is sent byte for byte and an answer is read by service/ alone.
			json: false,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout,
			abortSignal: signal ?? limit,
		};
		const answer = context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL, options)
			.then(
				(response: IN8nHttpFullResponse) => wireResponse(response),
				(failure: unknown) => {
					signal?.throwIfAborted();
					throw sendFailure(failure);
				},
			);
		return await Promise.race([end(limit, timeout, signal), answer]);
	};
	const blanked = withoutKey(send, connection.apiKey);
	return async (request, signal) => {
		await assertUnchanged(context, connection);
		return await blanked(request, signal);
	};
}

/**
 * n8n’s own limit restarts with every byte, so an answer that trickles would have no end. And its helper knows no other
 * signal than that of the execution (docs/n8n-behaviour.md, “A request ends with the execution that sends it”).
 */
function end(limit: AbortSignal, ms: number, signal?: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		const failure = new SendFailure(`no whole answer within ${ms / 1000} seconds`, true);
		const either = AbortSignal.any(signal === undefined ? [limit] : [limit, signal]);
		const onAbort = () => reject(limit.aborted ? failure : (signal?.reason as Error));
		either.addEventListener('abort', onAbort, { once: true });
	});
}

function wireResponse({ statusCode, headers, body }: IN8nHttpFullResponse): WireResponse {
	const lowerCase = Object.entries(headers).flatMap(([name, value]) =>
		typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
	);
	return {
		status: statusCode,
		headers: Object.fromEntries(lowerCase),
		// Some versions parse a JSON answer all the same.
		body: typeof body === 'string' ? body : JSON.stringify(body),
	};
}

/** n8n wraps what axios threw in its own error, one or more times. */
function sendFailure(failure: unknown): SendFailure {
	let code = '';
	let message = '';
	for (let error = failure; error instanceof Error && code === ''; error = error.cause) {
		code = 'code' in error && typeof error.code === 'string' ? error.code : '';
		message = error.message;
	}
	return new SendFailure(message || code || 'no answer', neverSent(code) === undefined, code);
}
