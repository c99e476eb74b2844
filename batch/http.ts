import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { AxiosError, type AxiosResponse } from 'axios';
import { neverSent } from '../service/connection-codes';
import { withoutSecret } from '../service/secret';
import { SendFailure, type Send, type WireResponse } from '../service/ports';

const RESPONSE_TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 50_000_000;

const LOST: Readonly<Record<string, string>> = {
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_BAD_RESPONSE: 'the answer was cut off or is too long',
	EPROTO: 'no secure connection came about: is it https:// that the address speaks?',
};

export interface SendOptions {
	baseUrl: string;
	apiKey: string;
	/** How long a create that is under way may still take when its signal is aborted, in milliseconds. */
	graceMs: number;
	/** How long a request may take from its start to the end of its answer. */
	timeoutMs?: number;
}

/**
 * Sends requests with axios: bearer key, no redirects (P8: the key goes to the configured host only), no retries, no
 * reused connections (one that the other side has just closed would put a create in doubt for nothing).
 */
export function axiosSend(options: SendOptions): Send {
	const { baseUrl, apiKey, graceMs, timeoutMs = RESPONSE_TIMEOUT_MS } = options;
	const client = axios.create({
		maxRedirects: 0,
		maxContentLength: MAX_RESPONSE_BYTES,
		validateStatus: () => true,
		responseType: 'text',
		transformRequest: [(body: unknown) => body],
		transformResponse: [(body: unknown) => body],
		// Node's own agents keep connections.
		httpAgent: new HttpAgent({ keepAlive: false }),
		httpsAgent: new HttpsAgent({ keepAlive: false }),
		// A proxy sees plain http, so it is used for https only; http is for loopback addresses.
		...(/^https:/i.test(baseUrl) ? {} : { proxy: false as const }),
	});
	const send: Send = async (request, signal) => {
		signal?.throwIfAborted();
		const end = new AbortController();
		// The time limit of axios starts anew with every byte: an answer that trickles in would never end.
		const limit = setTimeout(() => end.abort(), timeoutMs);
		let grace: NodeJS.Timeout | undefined;
		const onAbort = () => {
			if (request.method === 'GET') end.abort();
			else grace = setTimeout(() => end.abort(), graceMs);
		};
		signal?.addEventListener('abort', onAbort, { once: true });
		try {
			const response = await client.request<string>({
				method: request.method,
				url: `${baseUrl}${request.path}`,
				params: request.query,
				headers: { ...request.headers, authorization: `Bearer ${apiKey}` },
				data: request.body,
				signal: end.signal,
			});
			return wireResponse(response);
		} catch (error) {
			signal?.throwIfAborted();
			if (!end.signal.aborted) throw sendFailureFrom(error);
			throw new SendFailure(`no whole answer within ${timeoutMs / 1000} seconds`, true);
		} finally {
			clearTimeout(limit);
			clearTimeout(grace);
			signal?.removeEventListener('abort', onAbort);
		}
	};
	return withoutSecret(send, apiKey);
}

function wireResponse({ status, headers, data }: AxiosResponse<string>): WireResponse {
	const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return { status, headers: Object.fromEntries(texts) as Record<string, string>, body: data };
}

/** Only a text of our own leaves here: axios errors carry the request with its key (P8). */
function sendFailureFrom(error: unknown): SendFailure {
	const { code = '', cause } = error instanceof AxiosError ? error : {};
	const reason = neverSent(code);
	if (reason !== undefined) return new SendFailure(reason, false);
	if (isConnecting(cause)) {
		return new SendFailure('no connection could be made', false);
	}
	return new SendFailure(
		LOST[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`,
		true,
	);
}

/** Where a name stands for several addresses, what each of them said is in a list. */
function isConnecting(cause: unknown): boolean {
	if (cause instanceof AggregateError) return cause.errors.every(isConnecting);
	return isObject(cause) && cause.syscall === 'connect';
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
