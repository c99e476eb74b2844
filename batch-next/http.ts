import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';
import { neverSent } from '../core/api/connection';
import { redactKey } from '../core/api/redact-key';
import { SendFailure, type Send, type WireResponse } from '../core/api/ports';

const RESPONSE_TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 50_000_000;

const LOST: Readonly<Record<string, string>> = {
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_BAD_RESPONSE: 'the answer was cut off or is too long',
	EPROTO: 'no secure connection could be made (perhaps the address uses http instead of https)',
};

/**
 * Sends requests with axios: bearer key, no redirects (P8: the key goes only to the configured host), no retries, and a
 * new connection for each, because a create on a kept connection that the other side just closed would be in doubt.
 * @param graceMs the milliseconds that a create may still take after its signal was aborted
 * @param timeoutMs those that a request may take until the end of its response
 */
export function createSend(
	baseUrl: string,
	apiKey: string,
	graceMs: number,
	timeoutMs = RESPONSE_TIMEOUT_MS,
): Send {
	const client = axios.create({
		maxRedirects: 0,
		maxContentLength: MAX_RESPONSE_BYTES,
		validateStatus: () => true,
		responseType: 'text',
		transformRequest: [(body: unknown) => body],
		transformResponse: [(body: unknown) => body],
		// Node's default agents keep connections.
		httpAgent: new HttpAgent({ keepAlive: false }),
		httpsAgent: new HttpsAgent({ keepAlive: false }),
		// A proxy sees plain http, so it is used for https only; http is for loopback addresses.
		...(/^https:/i.test(baseUrl) ? {} : { proxy: false as const }),
	});
	const send: Send = async (request, signal) => {
		signal?.throwIfAborted();
		const stop = new AbortController();
		// The time limit of axios starts again with every byte, so a response that trickles would never end.
		const end = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
		let grace: NodeJS.Timeout | undefined;
		const onAbort = () => {
			if (request.method === 'GET') stop.abort();
			else grace = setTimeout(() => stop.abort(), graceMs);
		};
		signal?.addEventListener('abort', onAbort, { once: true });
		try {
			const response = await client.request<string>({
				method: request.method,
				url: `${baseUrl}${request.path}`,
				params: request.query,
				headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
				data: request.body,
				signal: end,
			});
			return { ...wireResponse(response), ...proxyOf(response) };
		} catch (error) {
			signal?.throwIfAborted();
			if (!end.aborted) throw sendFailureFrom(error);
			throw new SendFailure(`no whole answer within ${timeoutMs / 1000} seconds`, true);
		} finally {
			clearTimeout(grace);
			signal?.removeEventListener('abort', onAbort);
		}
	};
	return redactKey(send, apiKey);
}

/** The order in which axios looks for one. */
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Names the variable of the proxy that the request went through: axios has put an agent with a proxy in place of ours. */
function proxyOf({ request }: AxiosResponse): { proxy?: string } {
	const { agent } = request as { agent?: object };
	if (agent === undefined || !('proxy' in agent)) return {};
	const proxy = PROXY_VARIABLES.find((name) => (process.env[name] ?? '') !== '');
	return proxy === undefined ? {} : { proxy };
}

function wireResponse({ status, headers, data }: AxiosResponse<string>): WireResponse {
	const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return { status, headers: Object.fromEntries(texts) as Record<string, string>, body: data };
}

/** Makes an error without anything of axios, whose errors carry the request and with it the key (P8). */
function sendFailureFrom(error: unknown): SendFailure {
	const { code = '', cause } = error instanceof axios.AxiosError ? error : {};
	const reason = neverSent(code);
	if (reason !== undefined) return new SendFailure(reason, false, code);
	if (isConnecting(cause)) {
		return new SendFailure('no connection could be made', false, code);
	}
	const text = LOST[code];
	if (text !== undefined) return new SendFailure(text, true, code);
	return new SendFailure(`the connection failed${code === '' ? '' : ` (${code})`}`, true);
}

/** Says whether the connection itself failed. For a host with several addresses, the errors of all are in a list. */
function isConnecting(cause: unknown): boolean {
	if (cause instanceof AggregateError) return cause.errors.every(isConnecting);
	return (cause as Partial<NodeJS.ErrnoException> | undefined)?.syscall === 'connect';
}
