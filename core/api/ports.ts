import type { ServiceRequest } from './operations';

/** An answer of the service, unread. Header names are in lower case. */
export interface WireResponse {
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
	/** The environment variable that names the proxy through which it came, if the sender knows of one. */
	proxy?: string;
}

/**
 * Sends one request and returns the answer, whatever its status. Adds the Base URL and the bearer key, follows no
 * redirect, retries nothing.
 * @throws {SendFailure} when no complete answer came
 */
export type Send = (request: ServiceRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** No complete answer came. `mayHaveArrived` is false only if certainly nothing reached the service. */
export class SendFailure extends Error {
	constructor(
		message: string,
		readonly mayHaveArrived: boolean,
		/** Node.js's name for it, if it has one that the message does not say. */
		readonly code = '',
	) {
		super(message);
		this.name = 'SendFailure';
	}
}

/** The sender no longer has the address or key with which the requests began, so this one was not sent. */
export class ConnectionGone extends SendFailure {
	constructor(message: string) {
		super(message, false);
	}
}

export interface Now {
	/** Milliseconds since 1970. */
	now(): number;
}

export interface Clock extends Now {
	/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
