import type { ServiceRequest } from './operations';

/** What the service answered, unread. Header names are in lower case. */
export interface WireResponse {
	status: number;
	headers: Readonly<Record<string, string>>;
	body: string;
}

/**
 * Sends one request and gives back whatever was answered, of any status. Adds the Base URL and the bearer key;
 * follows no redirect; retries nothing.
 * @throws {SendFailure} when no whole answer came
 */
export type Send = (request: ServiceRequest, signal?: AbortSignal) => Promise<WireResponse>;

/** No whole answer came. `sent` is false only where it is certain that nothing reached the service. */
export class SendFailure extends Error {
	constructor(
		message: string,
		readonly sent: boolean,
		/** What Node.js calls it, where it has a name. */
		readonly code = '',
	) {
		super(message);
		this.name = 'SendFailure';
	}
}

/** The address or key with which the requests began is not the sender's any more, so this one was not sent. */
export class ConnectionGone extends SendFailure {
	constructor(message: string) {
		super(message, false);
	}
}

export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it is aborted. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
