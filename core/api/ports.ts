import type { ServiceRequest } from './operations';

/** An unread response. Header names are in lower case. */
export interface WireResponse {
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
	/** The environment variable of the proxy that the request went through, if any. */
	proxy?: string;
}

/**
 * Sends one request and returns the answer with any status. Adds the base URL and the bearer key, follows no redirects and
 * retries nothing.
 * @throws {SendFailure} if no complete answer arrives
 */
export type Send = (request: ServiceRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** No complete answer arrived. `mayHaveArrived` is false only if nothing can have reached the service. */
export class SendFailure extends Error {
	constructor(
		message: string,
		readonly mayHaveArrived: boolean,
		/** Node.js's code; empty if the message contains it, or if there is none. */
		readonly code = '',
		/** The environment variable of the proxy that could not be reached, if any. */
		readonly proxy: string | null = null,
	) {
		super(message);
		this.name = 'SendFailure';
	}
}

/** The credential changed after the first request, so this request was not sent. Used by the n8n nodes. */
export class ConnectionGone extends SendFailure {
	constructor(message: string) {
		super(message, false);
	}
}

export interface Clock {
	/** Returns the time in milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds. Rejects with the signal's reason when it is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
