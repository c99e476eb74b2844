import axios, { AxiosError, type AxiosResponse } from 'axios';
import { SendFailure, type Send, type WireResponse } from '../service/ports';

const ANSWER_TIMEOUT_MS = 60_000;
const LONGEST_ANSWER_BYTES = 50_000_000;

/** Errors that arise before a byte of the request has left this machine. */
const NEVER_SENT: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at this address',
	ENOTFOUND: 'there is no host of this name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to this host',
	ENETUNREACH: 'there is no way to this network',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const LOST: Readonly<Record<string, string>> = {
	ECONNABORTED: `no answer within ${ANSWER_TIMEOUT_MS / 1000} seconds`,
	ETIMEDOUT: `no answer within ${ANSWER_TIMEOUT_MS / 1000} seconds`,
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_BAD_RESPONSE: 'the answer was cut off',
};

/**
 * Sends requests with axios: bearer key, no redirects (P8: the key goes to the configured host only), no retries, no
 * reused connections (one that the other side has just closed would make a create ambiguous for nothing).
 * @param graceMs how long a create that is under way may still take when its signal is aborted
 */
export function axiosSend(options: { baseUrl: string; apiKey: string; graceMs: number }): Send {
	const client = axios.create({
		maxRedirects: 0,
		timeout: ANSWER_TIMEOUT_MS,
		maxContentLength: LONGEST_ANSWER_BYTES,
		validateStatus: () => true,
		responseType: 'text',
		transformRequest: [(body: unknown) => body],
		transformResponse: [(body: unknown) => body],
		// A proxy sees plain http, so it is used for https only; http is for loopback addresses.
		...(options.baseUrl.startsWith('https:') ? {} : { proxy: false as const }),
	});
	return async (request, signal) => {
		const abort = request.method === 'POST' ? later(signal, options.graceMs) : signal;
		const answer = await client
			.request<string>({
				method: request.method,
				url: `${options.baseUrl}${request.path}`,
				params: request.query,
				headers: { ...request.headers, authorization: `Bearer ${options.apiKey}` },
				data: request.body,
				signal: abort,
			})
			.catch((error: unknown) => {
				signal?.throwIfAborted();
				throw failureOf(error);
			});
		return wireResponse(answer);
	};
}

function wireResponse({ status, headers, data }: AxiosResponse<string>): WireResponse {
	const texts = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	return { status, headers: Object.fromEntries(texts) as Record<string, string>, body: data };
}

/** Only a text of our own leaves here: axios errors carry the request with its key (P8). */
function failureOf(error: unknown): SendFailure {
	const { code = '', cause } = error instanceof AxiosError ? error : {};
	const neverSent = NEVER_SENT[code];
	if (neverSent !== undefined) return new SendFailure(neverSent, false);
	if (isObject(cause) && cause.syscall === 'connect') {
		return new SendFailure('no connection could be made', false);
	}
	return new SendFailure(
		LOST[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`,
		true,
	);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** A signal that follows another one after a while. */
function later(signal: AbortSignal | undefined, ms: number): AbortSignal | undefined {
	if (signal === undefined) return undefined;
	const delayed = new AbortController();
	const start = () => setTimeout(() => delayed.abort(), ms).unref();
	if (signal.aborted) start();
	else signal.addEventListener('abort', start, { once: true });
	return delayed.signal;
}
