import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';
import { explainNotSent } from '../core/api/connection';
import { redactKey } from '../core/api/redact-key';
import { SendFailure, type Send, type WireResponse } from '../core/api/ports';

const RESPONSE_TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 50_000_000;

/**
 * Returns a sender that uses axios: bearer key, no redirects (P8: the key goes only to the configured host), no retries. Each
 * request has a new connection, because a create request on a connection that the other side has just closed would be
 * unconfirmed.
 * @param graceMs how long a create request can continue after its signal was aborted
 * @param timeoutMs how long a request can take until the end of its response
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
		// Node.js's default agents keep connections.
		httpAgent: new HttpAgent({ keepAlive: false }),
		httpsAgent: new HttpsAgent({ keepAlive: false }),
		// A proxy can read plain http, which is for loopback addresses.
		...(/^https:/i.test(baseUrl) ? {} : { proxy: false as const }),
	});
	const send: Send = async (request, signal) => {
		signal?.throwIfAborted();
		const stop = new AbortController();
		// The timeout of axios starts again with every byte, so a response that trickles in would never end.
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
			return toWireResponse(response);
		} catch (error) {
			signal?.throwIfAborted();
			if (!end.aborted) throw toSendFailure(error);
			throw new SendFailure(`no complete answer within ${timeoutMs / 1000} seconds`, true);
		} finally {
			clearTimeout(grace);
			signal?.removeEventListener('abort', onAbort);
		}
	};
	return redactKey(send, apiKey);
}

/** In the sequence in which axios looks for a proxy. */
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];

/** Returns the variable of the proxy that a request went through. For a proxy, axios replaces our agent. */
function findProxyVariable(request: unknown): string | null {
	const { agent } = (request ?? {}) as { agent?: object };
	if (agent === undefined || !('proxy' in agent)) return null;
	return PROXY_VARIABLES.find((name) => (process.env[name] ?? '') !== '') ?? null;
}

function toWireResponse({ status, headers, data, request }: AxiosResponse<string>): WireResponse {
	const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	const proxy = findProxyVariable(request);
	return {
		status,
		headers: Object.fromEntries(texts) as Record<string, string>,
		body: data,
		...(proxy !== null && { proxy }),
	};
}

const INTERRUPTED: Readonly<Record<string, string>> = {
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_BAD_RESPONSE: 'the answer was cut off or is too long',
	EPROTO: 'no secure connection could be made (perhaps the address uses http instead of https)',
};

/** Keeps nothing of axios's error, which contains the request and with it the key (P8). */
function toSendFailure(error: unknown): SendFailure {
	const {
		code = '',
		cause,
		request,
	} = (error instanceof axios.AxiosError ? error : {}) as {
		code?: string;
		cause?: unknown;
		request?: unknown;
	};
	const isConnectFailure = isConnecting(cause);
	const reason = explainNotSent(code, isConnectFailure);
	const proxy = isConnectFailure ? findProxyVariable(request) : null;
	if (reason !== undefined && proxy !== null)
		return new SendFailure(`the proxy of ${proxy} does not answer (${reason})`, false, code, proxy);
	if (reason !== undefined) return new SendFailure(reason, false, code);
	const text = INTERRUPTED[code];
	if (text !== undefined) return new SendFailure(text, true, code);
	return new SendFailure(`the connection failed${code === '' ? '' : ` (${code})`}`, true);
}

/** True if no connection was made. For a host with several addresses, the error has a list of errors. */
function isConnecting(cause: unknown): boolean {
	const { errors, syscall } = (cause ?? {}) as Partial<AggregateError & NodeJS.ErrnoException>;
	if (errors !== undefined) return errors.every(isConnecting);
	return syscall === 'connect' || syscall === 'getaddrinfo';
}
