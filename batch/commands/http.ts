import { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';
import { redactKey } from '../../core/api/redact-key';
import type { Send, WireResponse } from '../../core/api/ports';
import { REQUEST_TIMEOUT_MS } from '../../core/api/transport';
import { sendOnNewConnection } from './tunnel';
import type { Endpoint } from './session';

const MAX_RESPONSE_BYTES = 50_000_000;

/**
 * Returns a sender that uses axios: bearer key, no redirects (P8: the key goes only to the configured host), no retries. Each
 * request has a new connection, because a create request on a connection that the other side has just closed would be
 * unconfirmed.
 * @param graceMs how long a create request can continue after its signal was aborted
 * @param timeoutMs how long a request can take until the end of its response
 */
export function createSend(
	{ baseUrl, apiKey, proxy }: Endpoint,
	graceMs: number,
	timeoutMs = REQUEST_TIMEOUT_MS,
): Send {
	const client = axios.create({
		maxRedirects: 0,
		maxContentLength: MAX_RESPONSE_BYTES,
		validateStatus: () => true,
		responseType: 'text',
		transformRequest: [(body: unknown) => body],
		// Node.js's default agents keep connections.
		httpAgent: new Agent({ keepAlive: false }),
		// axios would open the tunnel of a proxy in an agent that never settles if the proxy closes the connection.
		proxy: false,
	});
	const send: Send = async (request, signal) => {
		signal?.throwIfAborted();
		const stop = new AbortController();
		let grace: NodeJS.Timeout | undefined;
		const onAbort = () => {
			if (request.method === 'GET') stop.abort();
			else grace = setTimeout(() => stop.abort(), graceMs);
		};
		signal?.addEventListener('abort', onAbort, { once: true });
		const exchange = (httpsAgent: HttpsAgent, end: AbortSignal) =>
			client.request<string>({
				method: request.method,
				url: `${baseUrl}${request.path}`,
				params: request.query,
				headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
				data: request.body,
				httpsAgent,
				signal: end,
			});
		try {
			const limits = { ms: timeoutMs, signal: stop.signal };
			const response = toWireResponse(
				await sendOnNewConnection({ address: baseUrl, proxy }, exchange, limits),
			);
			return proxy === null ? response : { ...response, proxy: proxy.name };
		} catch (error) {
			signal?.throwIfAborted();
			throw error;
		} finally {
			clearTimeout(grace);
			signal?.removeEventListener('abort', onAbort);
		}
	};
	return redactKey(send, apiKey);
}

function toWireResponse({ status, headers, data }: AxiosResponse<string>): WireResponse {
	const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return { status, headers: Object.fromEntries(texts) as Record<string, string>, body: data };
}
