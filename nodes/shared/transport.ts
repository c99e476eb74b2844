import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { explainNotSent } from '../../core/api/connection';
import { SendFailure, type Send, type WireResponse } from '../../core/api/ports';
import { redactKey } from '../../core/api/redact-key';
import type { Connection } from './connection';
import { assertUnchanged, CREDENTIAL, type Context } from './credential';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Returns the port `Send` over n8n's request helper. Every status is an answer: n8n's helper would throw a NodeApiError,
 * whose text cannot be changed, and hide the headers of a 429.
 */
export function makeSend(
	context: Context,
	connection: Connection,
	timeoutMs: number = REQUEST_TIMEOUT_MS,
): Send {
	const send: Send = async (request, signal) => {
		const timeout = AbortSignal.timeout(timeoutMs);
		const options: IHttpRequestOptions = {
			method: request.method,
			url: `${connection.baseUrl}${request.path}`,
			qs: { ...request.query },
			headers: { ...request.headers },
			body: request.body,
			// As text, so that a body is sent byte for byte and only core/ parses answers.
			json: false,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: timeoutMs,
			abortSignal: signal ?? timeout,
		};
		const answer = context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL, options)
			.then(toWireResponse, (failure: unknown) => {
				throw toSendFailure(failure);
			});
		return await Promise.race([rejectWhenOver(timeout, timeoutMs, signal), answer]);
	};
	const redacted = redactKey(send, connection.apiKey);
	return async (request, signal) => {
		await assertUnchanged(context, connection);
		return await redacted(request, signal);
	};
}

/**
 * n8n's own timeout restarts with every byte, so an answer that trickles would never end. And n8n's helper knows only
 * the signal of the execution (docs/n8n.md, “Requests and errors”).
 */
function rejectWhenOver(timeout: AbortSignal, ms: number, signal?: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => {
		const failure = new SendFailure(`no complete answer within ${ms / 1000} seconds`, true);
		const either = AbortSignal.any(signal === undefined ? [timeout] : [timeout, signal]);
		const onAbort = () => reject(timeout.aborted ? failure : (signal?.reason as Error));
		either.addEventListener('abort', onAbort, { once: true });
	});
}

function toWireResponse({ statusCode, headers, body }: IN8nHttpFullResponse): WireResponse {
	const lowerCase = Object.entries(headers).flatMap(([name, value]) =>
		typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
	);
	return {
		status: statusCode,
		headers: Object.fromEntries(lowerCase),
		// Some versions of n8n parse a JSON answer nevertheless.
		body: typeof body === 'string' ? body : JSON.stringify(body),
	};
}

/** n8n wraps the error of axios in its own error, once or several times. */
function toSendFailure(failure: unknown): SendFailure {
	let code = '';
	let message = '';
	let isConnecting = false;
	for (let error = failure; error instanceof Error; error = error.cause) {
		if (code === '') message = error.message;
		if (code === '' && 'code' in error && typeof error.code === 'string') code = error.code;
		isConnecting ||= 'syscall' in error && error.syscall === 'connect';
	}
	const reason = explainNotSent(code, isConnecting);
	return new SendFailure(reason ?? (message || code || 'no answer'), reason === undefined, code);
}
