import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Send, WireResponse } from '../../core/api/ports';
import { redactKey } from '../../core/api/redact-key';
import { REQUEST_TIMEOUT_MS, sendWithin } from '../../core/api/transport';
import type { Connection } from './connection';
import { assertUnchanged, CREDENTIAL, type Context } from './credential';

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
			// Only closes the connection: it starts again with every byte, and does not include the connection to a proxy.
			timeout: timeoutMs,
		};
		const call = (abortSignal: AbortSignal): Promise<IN8nHttpFullResponse> =>
			// In an execution, n8n's helper replaces the signal (docs/architecture.md, “Requests and errors”).
			context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, {
				...options,
				abortSignal,
			});
		return toWireResponse(await sendWithin(timeoutMs, call, signal));
	};
	const redacted = redactKey(send, connection.apiKey);
	let check: Promise<void> | null = null;
	return async (request, signal) => {
		// Requests that begin at the same time share a check, because n8n reads the credential from its database.
		check ??= assertUnchanged(context, connection).finally(() => (check = null));
		await check;
		return await redacted(request, signal);
	};
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
