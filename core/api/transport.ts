import { SendFailure } from './ports';

/*
 * How a request ends without an answer, in both front ends: at its timeout, and with a cause that the user can act on.
 *
 *     connect ECONNREFUSED    nothing listens at this address          nothing was sent
 *     read ECONNRESET         the connection was cut                   a create request might have created a brief
 *     60 seconds              no complete answer within 60 seconds     the same
 */

/** A request ends after this time, with its connection, its proxy and its answer. */
export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Sends a request, and ends it after `ms` milliseconds, whatever it does.
 * @param send gets the signal that ends the request
 * @param signal ends it earlier
 * @throws {SendFailure} if no complete answer arrives, or the reason of `signal`
 */
export async function sendWithin<T>(
	ms: number,
	send: (end: AbortSignal) => Promise<T>,
	signal?: AbortSignal,
): Promise<T> {
	const over = new AbortController();
	const timeout = AbortSignal.timeout(ms);
	const onTimeout = () =>
		over.abort(new SendFailure(`no complete answer within ${ms / 1000} seconds`, true));
	// Without a listener of its own, Node.js 20 collects the timeout as garbage, and it never passes.
	timeout.addEventListener('abort', onTimeout);
	const end = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
	try {
		return await raceAbort(() => send(end), end);
	} catch (error) {
		signal?.throwIfAborted();
		throw toSendFailure(error);
	} finally {
		timeout.removeEventListener('abort', onTimeout);
	}
}

/**
 * Returns the result of `work`. When the signal is aborted, it rejects at once with the signal's reason, because `work`
 * might ignore the signal, and an agent of a proxy might never settle.
 */
export async function raceAbort<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
	if (signal === undefined) return await work();
	signal.throwIfAborted();
	// Node.js warns about more than ten listeners on one signal, so each caller gets its own signal.
	const own = AbortSignal.any([signal]);
	const over = new AbortController();
	const aborted = new Promise<never>((_resolve, reject) => {
		const onAbort = () => reject(own.reason as Error);
		own.addEventListener('abort', onAbort, { signal: over.signal });
	});
	const first = Promise.race([aborted, work()]).catch((error: unknown) => {
		// The work might have seen the abort first.
		signal.throwIfAborted();
		throw error;
	});
	return await first.finally(() => over.abort());
}

/**
 * Returns why a request got no answer. It keeps nothing of the error, which can contain the request and with it the API
 * key (P8). n8n wraps the error of axios in errors of its own, once or several times.
 */
export function toSendFailure(thrown: unknown): SendFailure {
	if (thrown instanceof SendFailure) return thrown;
	const errors = listCauses(thrown);
	const code = errors.map(getCode).find((text) => text !== '') ?? '';
	const reason = explainNotSent(code, errors.some(isConnecting));
	if (reason !== undefined) return new SendFailure(reason, false, code);
	const message = errors.at(-1)?.message ?? '';
	if (PROXY_CLOSED.test(message))
		return new SendFailure('the proxy closed the connection', false, code, 'HTTPS_PROXY');
	const other = code === '' ? message || 'no answer' : `the connection failed (${code})`;
	return new SendFailure(INTERRUPTED[code] ?? other, true, code);
}

/** The message of n8n's proxy agent, which has no code. */
const PROXY_CLOSED = /^Proxy connection ended before receiving CONNECT response/;

/** What is read of an error of Node.js. */
interface Cause {
	readonly message?: string;
	/** A number in a DOMException. */
	readonly code?: unknown;
	readonly syscall?: string;
	readonly errors?: readonly Cause[];
	readonly cause?: unknown;
}

/** Returns the error and its causes. */
function listCauses(thrown: unknown): Cause[] {
	if (typeof thrown !== 'object' || thrown === null) return [];
	return [thrown, ...listCauses((thrown as Cause).cause)];
}

function getCode({ code }: Cause): string {
	return typeof code === 'string' ? code : '';
}

/** True if no connection was made. For a host with several addresses, the error has a list of errors. */
function isConnecting({ errors, syscall }: Cause): boolean {
	if (errors !== undefined) return errors.every(isConnecting);
	return syscall === 'connect' || syscall === 'getaddrinfo';
}

/** Reasons why nothing was sent, by Node.js's code. */
const NOT_SENT: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing listens at this address',
	ENOTFOUND: 'no host has this name',
	EAI_AGAIN: 'the name of the host could not be looked up',
	ERR_INVALID_URL: 'it is not an address',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Reasons why no connection was made. An open connection can end with the same codes, after the request was sent. */
const NO_CONNECTION: Readonly<Record<string, string>> = {
	EHOSTUNREACH: 'the host is not reachable',
	ENETUNREACH: 'the network is not reachable',
	ENETDOWN: 'the network is down',
};

/** Reasons why an open connection ended. */
const INTERRUPTED: Readonly<Record<string, string>> = {
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	ERR_BAD_RESPONSE: 'the answer was cut off or is too long',
	EPROTO:
		'no secure connection could be made; perhaps the address, or that of a proxy, uses http instead of https',
};

/**
 * Returns why no byte of a request was sent, or undefined if some might have been: then a create request might have
 * created a brief.
 */
function explainNotSent(code: string, isConnectFailure: boolean): string | undefined {
	if (NOT_SENT[code] !== undefined) return NOT_SENT[code];
	if (isConnectFailure) return NO_CONNECTION[code] ?? 'no connection could be made';
	const isCertificate = /CERT|^ERR_TLS|^UNABLE_TO_(VERIFY|GET)/.test(code);
	return isCertificate ? 'its certificate cannot be verified' : undefined;
}

/** True if the signer of the certificate is unknown, as with a company's own certificate authority. */
export function isUnknownAuthority(code: string): boolean {
	return /SELF_SIGNED|^UNABLE_TO_(VERIFY|GET)/.test(code);
}
